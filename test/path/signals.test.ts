import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import { CHARTINK, SCAN, TRADINGVIEW } from '../signals/support/templates.ts';
import { addHook, alertAt, hookRig, ordersOf, post, signalsOf } from './hooks.ts';
import { placings } from './walk.ts';

const LIVE = { key: { mode: 'live' }, hook: { mode: 'live' } };

describe('an alert at a hook', () => {
  it('is answered 202 once it is on disk, and becomes one order of the key, on paper', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const taken = await hook.post(alertAt(rig));
    expect(taken.status, taken.text).toBe(202);
    expect(taken.body.data).toMatchObject({
      ...{ state: 'accepted', mode: 'paper', key: hook.keyId, problem: null },
      orders: [{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10, problem: null }],
    });
    await rig.time.advance(2_000);
    const [order, ...others] = await ordersOf(rig);
    expect(others).toEqual([]);
    expect(order).toMatchObject({ mode: 'paper', status: 'filled', quantity: 10 });
    expect(placings(rig)).toEqual([]);
    const [signal] = await signalsOf(rig);
    expect(signal).toMatchObject({ state: 'placed', id: taken.body.data.id });
    expect(signal?.orders[0].orderId).toBe(order?.id);
    const events = journalEvents(rig.dataDirectory, 'signal.accepted');
    expect(events.map(({ about }) => about)).toEqual([{ caller: hook.keyId }]);
  });

  it('is sent to a live broker where the key and the hook both say so', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    expect((await hook.post(alertAt(rig))).status).toBe(202);
    await rig.time.advance(2_000);
    expect(await ordersOf(rig)).toMatchObject([{ mode: 'live', status: 'filled' }]);
    expect(placings(rig)).toHaveLength(1);
  });

  it('that comes again answers the first order and places none, also after restart and crash', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    const alert = alertAt(rig);
    const first = await hook.post(alert);
    const twice = await Promise.all([hook.post(alert), hook.post(alert)]);
    await rig.time.advance(2_000);
    await rig.restart();
    const after = await hook.post(alert);
    await rig.crash();
    const last = await hook.post(alert);
    for (const again of [...twice, after, last]) {
      expect(again.status, again.text).toBe(202);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.body.data.id).toBe(first.body.data.id);
    }
    const [order, ...others] = await ordersOf(rig);
    expect(others).toEqual([]);
    expect(last.body.data.orders[0].orderId).toBe(order?.id);
    expect(placings(rig)).toHaveLength(1);
  });

  it('that comes twice at once, before anything is on disk, becomes one signal and one order', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    const alert = alertAt(rig);
    const replies = await Promise.all([hook.post(alert), hook.post(alert), hook.post(alert)]);
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    await rig.time.advance(2_000);
    expect(await signalsOf(rig)).toHaveLength(1);
    expect(placings(rig)).toHaveLength(1);
  });

  it('with the id of another alert is refused', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    expect((await hook.post(alertAt(rig))).status).toBe(202);
    const other = await hook.post(alertAt(rig, { action: 'sell' }));
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    await rig.time.advance(2_000);
    expect(placings(rig)).toHaveLength(1);
  });

  it('of ChartInk places an order for each stock', async () => {
    await using both = await hookRig({ hook: { template: CHARTINK } });
    const { rig, hook } = both;
    const taken = await hook.post(SCAN);
    expect(taken.status, taken.text).toBe(202);
    await rig.time.advance(2_000);
    const named = (await ordersOf(rig)).map(({ instrument }) => instrument);
    expect([...named].sort()).toEqual(['NSE:INFY', 'NSE:TCS']);
  });

  it('of plain text is read by the form of the template', async () => {
    const template = { ...TRADINGVIEW, text: '{id} {at} {action} {exchange} {ticker} {quantity}' };
    await using both = await hookRig({ hook: { template } });
    const { rig, hook } = both;
    const taken = await hook.post('a1 2026-11-06T05:30:00Z buy NSE INFY 3');
    expect(taken.status, taken.text).toBe(202);
    expect((await hook.post('buy NSE INFY')).body.code).toBe('invalid_request');
    await rig.time.advance(2_000);
    expect(await ordersOf(rig)).toMatchObject([{ quantity: 3 }]);
  });

  it('may name a symbol alone', async () => {
    const order = { ...TRADINGVIEW.order, instrument: '{ticker}' };
    await using both = await hookRig({ hook: { template: { ...TRADINGVIEW, order } } });
    const { rig, hook } = both;
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    expect(await ordersOf(rig)).toMatchObject([{ instrument: 'NSE:INFY' }]);
  });
});

describe('the secret of a hook', () => {
  it('is in no log, answer, event or file, and a wrong one opens nothing', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    expect(hook.secret).toMatch(/^sig_[0-9a-f]{64}$/);
    await hook.post(alertAt(rig));
    await hook.post('not JSON');
    const wrong = await post(rig, `/hooks/sig_${'0'.repeat(64)}`, alertAt(rig));
    expect([wrong.status, wrong.body.code]).toEqual([404, 'unknown_hook']);
    const listed = await rig.get('/api/v1/hooks');
    const { readFileSync } = await import('node:fs');
    const kept = ['hooks.json', 'journal.db'].map((name) =>
      readFileSync(`${rig.dataDirectory}/${name}`, 'latin1'),
    );
    const all = [...rig.log, listed.text, wrong.text, ...kept].join('\n');
    expect(all).not.toContain(hook.secret);
    expect(all).not.toContain('0'.repeat(64));
    expect(rig.log.join('\n')).toContain('/hooks/{secret}');
  });

  it('no longer works once it was rotated, or the hook was deleted', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const rotated = await rig.post(`/api/v1/hooks/${hook.id}/rotate`, undefined);
    expect(rotated.status, rotated.text).toBe(200);
    const path = String(rotated.body.data.path);
    expect((await hook.post(alertAt(rig))).status).toBe(404);
    expect((await post(rig, path, alertAt(rig))).status).toBe(202);
    await rig.restart();
    expect((await hook.post(alertAt(rig))).status).toBe(404);
    await rig.call({ method: 'DELETE', path: `/api/v1/hooks/${hook.id}` });
    expect((await post(rig, path, alertAt(rig, { id: 'another' }))).status).toBe(404);
  });

  it('is not guessed for long', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const codes: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      codes.push((await post(rig, `/hooks/guess-${count}`, '{}')).status);
    }
    expect(codes.slice(0, 10).every((code) => code === 404)).toBe(true);
    expect(codes.at(-1)).toBe(429);
    expect((await hook.post(alertAt(rig))).status).toBe(202);
  });

  it('opens nothing but its own route on its listener', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    expect((await post(rig, '/api/v1/orders', {})).status).toBe(404);
    expect((await rig.post(hook.path, alertAt(rig))).status).toBe(404);
  });
});

describe('keys and hooks', () => {
  it('list the signals of the key alone, and for an admin those of all', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const other = await addHook(rig, { key: { name: 'other' }, hook: { name: 'other' } });
    await hook.post(alertAt(rig));
    await rig.time.advance(10);
    await other.post(alertAt(rig));
    const own = await rig.call({
      path: '/api/v1/signals',
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect(own.body.data.map(({ key }: { key: string }) => key)).toEqual([other.keyId]);
    expect(await signalsOf(rig)).toHaveLength(2);
    const page = await rig.get('/api/v1/signals?limit=1');
    expect(page.body.data.map(({ key }: { key: string }) => key)).toEqual([other.keyId]);
    const next = await rig.get(`/api/v1/signals?limit=1&cursor=${page.body.meta.nextCursor}`);
    expect(next.body.data.map(({ key }: { key: string }) => key)).toEqual([hook.keyId]);
  });
});
