import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemFiles, type Files } from '../../src/platform/files.ts';
import { createRig, type Rig } from '../support/rig.ts';
import { loseLists, PRIMARY_FILES, refuseLists } from './lost-lists.ts';
import { itemsOf, placeBasket, resting } from './baskets.ts';
import { BUY, downUntil, loggedInRig, place, placings } from './walk.ts';

const LIMIT = { ...BUY, orderType: 'LIMIT', price: 1_400 };

describe('a gateway without instrument lists', () => {
  it('answers a used key with the order that it made, by either name of the instrument', async () => {
    await using rig = await loggedInRig();
    const first = await place(rig, LIMIT, 'used');
    await rig.time.advance(5_000);
    loseLists(rig);
    await rig.restart();
    const again = await place(rig, LIMIT, 'used');
    expect([again.status, again.body.data?.id]).toEqual([201, first.body.data.id]);
    const byCode = await place(rig, { ...LIMIT, instrument: 'NSE_1594' }, 'used');
    expect(byCode.body.data?.id).toBe(first.body.data.id);
    expect(placings(rig)).toHaveLength(1);
  });

  it('answers a basket that was placed before with its orders', async () => {
    await using rig = await loggedInRig();
    const first = await placeBasket(rig, resting(2));
    await rig.time.advance(5_000);
    loseLists(rig);
    await rig.restart();
    const again = await placeBasket(rig, resting(3));
    expect(itemsOf(again).map(({ httpStatus }) => httpStatus)).toEqual([201, 201, 503]);
    expect(itemsOf(again).map(({ order }) => order?.id)).toEqual([
      ...itemsOf(first).map(({ order }) => order?.id),
      undefined,
    ]);
    expect(placings(rig)).toHaveLength(2);
  });

  it('refuses another request under a used key, and sends nothing', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'used');
    loseLists(rig);
    await rig.restart();
    const other = await place(rig, { ...LIMIT, quantity: 11 }, 'used');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(placings(rig)).toHaveLength(1);
  });

  it('cancels an order all the same', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, LIMIT, 'to-cancel');
    await rig.time.advance(5_000);
    loseLists(rig);
    await rig.restart();
    const reply = await rig.call({ method: 'DELETE', path: `/api/v1/orders/${body.data.id}` });
    expect([200, 202], reply.text).toContain(reply.status);
    await rig.time.advance(5_000);
    expect(rig.sandbox.kite.orders()[0]).toMatchObject({ status: 'CANCELLED' });
  });

  it('does not say that there are no instruments', async () => {
    await using rig = await loggedInRig();
    loseLists(rig);
    await rig.restart();
    const reply = await rig.get('/api/v1/instruments?q=INFY');
    expect([reply.status, reply.body.code]).toEqual([503, 'no_broker']);
  });
});

describe('a gateway with the lists that it has kept', () => {
  const listReads = (rig: Rig): string[] =>
    rig.sent.map(({ url }) => new URL(url).pathname).filter((path) => path.includes('instruments'));

  it('places an order after a start without asking for them', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'first');
    const asked = listReads(rig).length;
    await rig.restart();
    expect((await place(rig, LIMIT, 'second')).status).toBe(201);
    expect([asked > 0, listReads(rig).length]).toEqual([true, asked]);
  });

  it('places one by yesterday’s while today’s cannot be had, and says how old they are', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'first');
    refuseLists(rig);
    await downUntil(rig, '2026-11-09T11:00:00+05:30');
    await rig.logIn();
    expect((await place(rig, { ...LIMIT, instrument: 'NSE_1594' }, 'next')).status).toBe(201);
    const { body } = await rig.get('/api/v1/brokers');
    expect(body.data[0].instruments).toMatchObject({
      asOf: expect.stringContaining('2026-11-06T11:00:0'),
      outdated: true,
      problem: expect.any(String),
    });
    expect(rig.log.join('\n')).toContain('the instrument list of an earlier day is in use');
  });

  it('asks for new ones, and uses them, once they can be had', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'first');
    await downUntil(rig, '2026-11-09T11:00:00+05:30');
    await rig.logIn();
    await rig.get('/api/v1/instruments?q=INFY');
    const { body } = await rig.get('/api/v1/brokers');
    expect(body.data[0].instruments).toMatchObject({
      asOf: expect.stringContaining('2026-11-09T11:00:0'),
      outdated: false,
      problem: null,
    });
  });

  it('asks the primary brokerage again after an hour, and the other one not', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'first');
    await rig.time.advance(3_590_000);
    const asked = listReads(rig).length;
    await rig.get('/api/v1/instruments?q=INFY');
    expect(listReads(rig).length).toBe(asked);
    await rig.time.advance(10_000);
    await rig.get('/api/v1/instruments?q=INFY');
    await rig.time.advance(1_000);
    expect(listReads(rig).slice(asked)).toEqual(Array(3).fill('/market/instruments'));
  });

  it('starts all the same when one of them is broken, and replaces it', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'first');
    const path = join(rig.dataDirectory, 'instruments-alt.jsonl');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.slice(0, whole.length / 2), { mode: 0o600 });
    await rig.restart();
    expect((await place(rig, LIMIT, 'second')).status).toBe(201);
    expect(readFileSync(path, 'utf8')).not.toBe(whole.slice(0, whole.length / 2));
    expect(rig.log.join('\n')).toContain('a kept instrument list cannot be used');
  });

  it('does not use those of another address', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'first');
    const asked = listReads(rig).length;
    for (const name of PRIMARY_FILES) {
      const path = join(rig.dataDirectory, name);
      const text = readFileSync(path, 'utf8').replace('http://primary.test', 'http://x.test');
      writeFileSync(path, text);
    }
    await rig.restart();
    await place(rig, LIMIT, 'second');
    expect(listReads(rig).slice(asked)).toEqual(Array(3).fill('/market/instruments'));
  });

  it('goes on from memory when the disk is full', async () => {
    const full: Files = {
      ...systemFiles,
      replacePrivate(path, content) {
        if (path.includes('instruments-')) throw new Error('ENOSPC: no space left on device');
        systemFiles.replacePrivate(path, content);
      },
    };
    await using rig = await loggedInRig({ overrides: { files: full } });
    expect((await place(rig, LIMIT, 'first')).status).toBe(201);
    expect(readdirSync(rig.dataDirectory).filter((name) => name.startsWith('instr'))).toEqual([]);
    expect(rig.log.join('\n')).toContain('could not be kept on disk');
  });
});

describe('a first start on which one of the primary brokerage’s lists fails', () => {
  it('serves the others at once, says which one is lacking, and takes it in later', async () => {
    await using rig = await createRig();
    rig.sandbox.faults.add({
      broker: 'primary',
      kind: 'error_before',
      match: { path: '/market/instruments' },
      ...{ times: 1, params: { status: 503 } },
    });
    expect((await rig.get('/api/v1/instruments/NSE:NIFTY%2050')).status).toBe(200);
    const lacking = await rig.get('/api/v1/instruments/NSE:INFY');
    expect([lacking.status, lacking.body.detail]).toEqual([
      404,
      expect.stringContaining('primary equity'),
    ]);
    const brokers: { broker: string; instruments: { problem: string; lists: unknown } }[] = (
      await rig.get('/api/v1/brokers')
    ).body.data;
    const primary = brokers.find(({ broker }) => broker === 'primary')!;
    expect(primary.instruments.problem).toContain('equity: ');
    expect(primary.instruments.lists).toMatchObject([
      { name: 'equity', count: 0, asOf: null },
      { name: 'index', problem: null },
      { name: 'fno', problem: null },
    ]);
    const ready = await rig.get('/health/ready');
    expect([ready.status, ready.body.data]).toEqual([
      200,
      {
        ...{ ready: true, missing: expect.anything() },
        notices: [expect.stringContaining('"equity" could not be read')],
      },
    ]);
    expect(rig.log.join('\n')).toContain('"source":"equity"');
    await rig.time.advance(5_000);
    await rig.get('/api/v1/instruments/NSE:INFY');
    await rig.time.advance(1_000);
    expect((await rig.get('/api/v1/instruments/NSE:INFY')).status).toBe(200);
    expect((await rig.get('/health/ready')).body.data.notices).toEqual([]);
  });
});

describe('one instrument', () => {
  it('is the same by name, by number, and after the primary brokerage’s list alone', async () => {
    await using rig = await createRig();
    const option = rig.sandbox.exchange.instruments().find((one) => one.key.startsWith('NFO:'))!;
    const read = async (name: string) => (await rig.get(`/api/v1/instruments/${name}`)).body.data;
    const alone = await read(option.key);
    expect(alone).toMatchObject({ name: option.key, instrumentToken: null });
    await rig.logIn();
    await rig.time.advance(10_000);
    const both = await read(`NFO_${alone.securityId}`);
    expect(both).toMatchObject({ name: option.key, instrumentToken: expect.any(Number) });
    expect(await read(option.key)).toEqual(both);
  });
});
