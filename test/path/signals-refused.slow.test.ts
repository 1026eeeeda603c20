import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import { CHARTINK, SCAN, TRADINGVIEW } from '../signals/support/templates.ts';
import { alertAt, type HookOptions, hookRig, ordersOf, post, signalsOf } from './hooks.ts';
import { placings } from './walk.ts';

const LIVE = { key: { mode: 'live' }, hook: { mode: 'live' } };
const changed = (order: object): HookOptions => ({
  hook: { template: { ...TRADINGVIEW, order: { ...TRADINGVIEW.order, ...order } } },
});

describe('an alert that is refused before it is accepted', () => {
  it.each<[string, HookOptions, unknown, Record<string, string>, number, string]>([
    ['no JSON', {}, 'buy INFY', {}, 400, 'invalid_request'],
    ['a name twice', {}, '{"action": "buy", "action": "sell"}', {}, 400, 'invalid_request'],
    ['a poisoned name', {}, '{"__proto__": {"action": "buy"}}', {}, 400, 'invalid_request'],
    ['a list', {}, '[]', {}, 400, 'invalid_request'],
    ['an unknown side', {}, { action: 'hold' }, {}, 400, 'invalid_request'],
    ['too large a quantity', {}, { quantity: 51 }, {}, 400, 'invalid_request'],
    ['half a share', {}, { quantity: 1.5 }, {}, 400, 'invalid_request'],
    [
      'an old time',
      { hook: { maxAgeSeconds: 30 } },
      { at: 1_700_000_000 },
      {},
      409,
      'stale_signal',
    ],
    [
      'a time ahead',
      { hook: { maxAgeSeconds: 30 } },
      { at: 1_900_000_000 },
      {},
      409,
      'stale_signal',
    ],
    ['another address', { hook: { addresses: ['52.89.214.238'] } }, {}, {}, 403, 'forbidden'],
    ['a broker that is not its own', changed({ broker: 'primary' }), {}, {}, 403, 'forbidden'],
    ['a body above the limit', {}, 'x'.repeat(70_000), {}, 413, 'body_too_large'],
  ])('with %s places nothing', async (_what, options, alert, headers, status, code) => {
    await using both = await hookRig(options);
    const { rig, hook } = both;
    const body = typeof alert === 'string' ? alert : alertAt(rig, Object(alert));
    const reply = await hook.post(body, headers);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.body.mayHaveExecuted).toBe(false);
    await rig.time.advance(2_000);
    expect(await ordersOf(rig)).toEqual([]);
    if (code === 'body_too_large') return;
    const [signal, ...others] = await signalsOf(rig);
    expect(others).toEqual([]);
    expect(signal).toMatchObject({ state: 'refused', orders: [], problem: { code } });
    expect(journalEvents(rig.dataDirectory, 'signal.refused')).toHaveLength(1);
    const alerts = journalEvents(rig.dataDirectory, 'alert').map(({ data }) =>
      String(data.message),
    );
    expect(alerts.filter((each) => each.includes('tradingview'))).toHaveLength(1);
  });

  it('can be sent again under the same id once its cause is mended', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    expect((await hook.post(alertAt(rig, { quantity: 51 }))).status).toBe(400);
    expect((await hook.post(alertAt(rig))).status).toBe(202);
    await rig.time.advance(2_000);
    expect(await ordersOf(rig)).toHaveLength(1);
  });

  it('gives one alert a minute', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const count = () =>
      journalEvents(rig.dataDirectory, 'alert').filter(({ data }) =>
        String(data.message).includes('the hook tradingview'),
      ).length;
    for (let sent = 0; sent < 3; sent += 1) await hook.post('not JSON');
    expect(count()).toBe(1);
    await rig.time.advance(60_000);
    await hook.post('not JSON');
    expect(count()).toBe(2);
    expect(journalEvents(rig.dataDirectory, 'signal.refused')).toHaveLength(4);
  });

  it('because of its number is told when to come again', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const alert = alertAt(rig);
    for (let sent = 0; sent < 60; sent += 1) {
      expect((await hook.post(alert)).status).toBe(202);
    }
    const reply = await hook.post(alert);
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '60']);
    await rig.time.advance(61_000);
    expect((await hook.post(alert)).status).toBe(202);
  });

  it('is not: the address is the one that the tunnel tells, where it is believed', async () => {
    await using both = await hookRig({
      hook: { addresses: ['52.89.214.238', '10.0.0.0/8'] },
      rig: { environment: { APP_HOOKS_FORWARDED_HEADER: 'X-Forwarded-For' } },
    });
    const { rig, hook } = both;
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const codes = [];
    for (const address of ['52.89.214.238', '10.1.2.3', '::ffff:52.89.214.238']) {
      codes.push((await hook.post(alertAt(rig), from(address))).status);
    }
    // What the sender itself says comes first, and what the tunnel says last.
    codes.push((await hook.post(alertAt(rig), from('52.89.214.238, 1.2.3.4'))).status);
    codes.push((await hook.post(alertAt(rig))).status);
    expect(codes).toEqual([202, 202, 202, 403, 403]);
  });

  it('because of its address is refused whatever a header says that is not believed', async () => {
    await using both = await hookRig({ hook: { addresses: ['52.89.214.238'] } });
    const { rig, hook } = both;
    const reply = await hook.post(alertAt(rig), { 'x-forwarded-for': '52.89.214.238' });
    expect(reply.status).toBe(403);
  });

  it('because its key was revoked stays refused', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    await rig.call({ method: 'DELETE', path: `/api/v1/keys/${hook.keyId}` });
    const reply = await hook.post(alertAt(rig));
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden']);
    expect(placings(rig)).toEqual([]);
  });
});

describe('an order of a signal', () => {
  it.each<[string, HookOptions, object, string]>([
    ['an unknown instrument', {}, { ticker: 'NOSUCH' }, 'unknown_instrument'],
    [
      'a price between two ticks',
      changed({ orderType: 'LIMIT', price: 1500.01 }),
      {},
      'price_off_tick',
    ],
  ])('with %s is refused afterwards, with an event', async (_what, options, alert, code) => {
    await using both = await hookRig(options);
    const { rig, hook } = both;
    expect((await hook.post(alertAt(rig, alert))).status).toBe(202);
    await rig.time.advance(2_000);
    expect(await signalsOf(rig)).toMatchObject([
      { state: 'refused', orders: [{ problem: { code } }] },
    ]);
    expect(await ordersOf(rig)).toEqual([]);
    const events = journalEvents(rig.dataDirectory, 'signal.refused');
    expect(events).toMatchObject([{ data: { signal: { state: 'refused' } } }]);
  });

  it('is stopped by the kill switch, by the one of its key, and by the limits of its key', async () => {
    const limits = { maxOrderQuantity: 5 };
    await using both = await hookRig({ key: { mode: 'live', limits }, hook: { mode: 'live' } });
    const { rig, hook } = both;
    const codeOf = async (id: string) => {
      expect(
        (await hook.post(alertAt(rig, { id, quantity: id === 'limit' ? 10 : 1 }))).status,
      ).toBe(202);
      await rig.time.advance(2_000);
      const [signal] = await signalsOf(rig);
      return signal?.orders[0].problem?.code;
    };
    expect(await codeOf('limit')).toBe('limit_reached');
    const stop = { engaged: true, reason: 'a test' };
    await rig.post(`/api/v1/keys/${hook.keyId}/kill-switch`, stop);
    expect(await codeOf('key')).toBe('kill_switch');
    await rig.post(`/api/v1/keys/${hook.keyId}/kill-switch`, { ...stop, engaged: false });
    await rig.post('/api/v1/kill-switch', stop);
    expect(await codeOf('all')).toBe('kill_switch');
    expect(placings(rig)).toEqual([]);
  });

  it('is refused alone: the others of the alert are placed', async () => {
    await using both = await hookRig({ hook: { template: CHARTINK } });
    const { rig, hook } = both;
    await hook.post({ ...SCAN, stocks: 'INFY,NOSUCH', trigger_prices: '1500,10' });
    await rig.time.advance(2_000);
    expect(await signalsOf(rig)).toMatchObject([
      {
        state: 'refused',
        orders: [{ problem: null }, { problem: { code: 'unknown_instrument' } }],
      },
    ]);
    expect(await ordersOf(rig)).toHaveLength(1);
  });

  it('at a live hook does not go to paper while there is no login', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    await rig.call({ method: 'DELETE', path: '/api/altbroker/session' });
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    expect((await ordersOf(rig)).filter(({ mode }) => mode === 'paper')).toEqual([]);
  });
});

describe('a hook that does not fit', () => {
  it.each([
    ['live with a key of no mode', {}, { mode: 'live' }, 'body.mode'],
    ['paper with a key of mode live', { mode: 'live' }, {}, 'body.mode'],
    ['paper with a key of a live broker', { broker: 'alt' }, {}, 'body.mode'],
    ['a key of scope read', { scope: 'read' }, {}, 'body.mode'],
    [
      'an age without a time',
      {},
      { maxAgeSeconds: 5, template: { ...TRADINGVIEW, time: null } },
      'body.template.time',
    ],
    ['an address that is none', {}, { addresses: ['tradingview.com'] }, 'body.addresses'],
    ['a network that is too wide to be one', {}, { addresses: ['10.0.0.0/33'] }, 'body.addresses'],
    ['an id that never differs', {}, { template: { ...TRADINGVIEW, id: 'x' } }, 'body.template.id'],
  ])('%s is refused', async (_what, key, hook, path) => {
    await using both = await hookRig({ key: { name: 'first' } });
    const { rig } = both;
    const made = await rig.post('/api/v1/keys', { name: 'k', scope: 'trade', ...key });
    const reply = await rig.post('/api/v1/hooks', {
      ...{ name: 'h', key: made.body.data.id, template: TRADINGVIEW },
      ...hook,
    });
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request']);
    expect(reply.body.errors.map((each: { path: string }) => each.path)).toContain(path);
    expect((await rig.get('/api/v1/hooks')).body.data).toHaveLength(1);
    expect((await post(rig, '/hooks/x', {})).status).toBe(404);
  });
});
