import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/platform/values.ts';
import { BUY, loggedInRig, placings, RESTING, spoilPlacing } from '../path/walk.ts';
import { sentTriggers, spoilTriggers, STOP } from '../path/trigger-walk.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { connect, keyOf } from './assistant.ts';
import { dataOf, idOf } from './every-tool.ts';

const TRADING: RigOptions = { environment: { APP_MCP_TRADING: 'true' } };

const callOf = (result: CallToolResult): unknown => fieldOf(result.structuredContent, 'call');
const textOf = ({ content }: CallToolResult): string => JSON.stringify(content);

async function traderIn(rig: Rig) {
  const key = await keyOf(rig, { name: 'assistant', scope: 'trade' });
  return { key, assistant: await connect(rig, key) };
}

/** The lists are neither on disk nor to be had; answers the ids of the faults. */
function loseLists(rig: Rig): readonly [string, string] {
  const fault = { kind: 'error_before', times: 1_000, params: { status: 503 } } as const;
  const kept = readdirSync(rig.dataDirectory).filter((name) => name.startsWith('instruments-'));
  for (const name of kept) rmSync(join(rig.dataDirectory, name));
  return [
    rig.sandbox.faults.add({ ...fault, broker: 'kite', match: { path: '/instruments' } }),
    rig.sandbox.faults.add({ ...fault, broker: 'primary', match: { path: '/market/instruments' } }),
  ];
}

describe('a call to place an order that is repeated', () => {
  it('places nothing twice, in the same session, in another one and after a restart', async () => {
    await using rig = await loggedInRig(TRADING);
    const { key, assistant } = await traderIn(rig);
    const first = await assistant.call('place_order', RESTING);
    expect(callOf(first)).toMatchObject({ settled: true, repeated: false });
    const again = await assistant.call('place_order', RESTING);
    const other = await (await connect(rig, key)).call('place_order', RESTING);
    await rig.restart();
    await rig.time.advance(5_000);
    const restarted = await assistant.call('place_order', RESTING);
    for (const result of [again, other, restarted]) {
      expect(idOf(result)).toBe(idOf(first));
      expect(callOf(result)).toMatchObject({ repeated: true });
      expect(textOf(result)).toContain('NOTHING WAS SENT NOW');
      expect(textOf(result)).toContain('new clientOrderId');
    }
    expect(placings(rig)).toHaveLength(1);
  });

  it('while the first is under way waits for it', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const both = await rig.time.settle(
      Promise.all(
        [1, 2].map(() => assistant.client.callTool({ name: 'place_order', arguments: RESTING })),
      ),
    );
    const [one, other] = both as CallToolResult[];
    expect(idOf(one!)).toBe(idOf(other!));
    expect(placings(rig)).toHaveLength(1);
  });

  it.each([
    ['spelled otherwise', { instrument: 'nse_1594' }],
    ['by its plain symbol', { instrument: 'INFY' }],
    ['with the other name of its product', { product: 'MIS' }, { product: 'INTRADAY' }],
    ['with what is so anyway', { validity: 'DAY', amo: false, triggerPrice: null }],
  ])('%s is the same call', async (_how, change, given: object = {}) => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const first = await assistant.call('place_order', { ...RESTING, ...given });
    const again = await assistant.call('place_order', { ...RESTING, ...given, ...change });
    expect([idOf(again), placings(rig).length]).toEqual([idOf(first), 1]);
  });

  it.each([{ tag: 'second try' }, { broker: 'alt' }, { mode: 'live' }])(
    'with %j beside is refused, and nothing is sent',
    async (change) => {
      await using rig = await loggedInRig(TRADING);
      const { assistant } = await traderIn(rig);
      await assistant.call('place_order', RESTING);
      const again = await assistant.call('place_order', { ...RESTING, ...change });
      expect(again.isError).toBe(true);
      expect(textOf(again)).toContain('idempotency_conflict');
      expect(textOf(again)).toContain('nothing was sent now');
      expect(placings(rig)).toHaveLength(1);
    },
  );

  it('is another order with other terms, with a key of its own, of another key, and on another day', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const call = async (args: object): Promise<string> => {
      const result = await assistant.call('place_order', { ...BUY, ...args });
      expect(result.isError, textOf(result)).toBeUndefined();
      return idOf(result);
    };
    const first = await call({});
    const wanted = await call({ clientOrderId: 'a second one' });
    expect(await call({ clientOrderId: 'a second one' })).toBe(wanted);
    const ids = [first, wanted, await call({ quantity: 11 }), await call({ product: 'MIS' })];
    const colleague = await connect(rig, await keyOf(rig, { name: 'other', scope: 'trade' }));
    ids.push(idOf(await colleague.call('place_order', BUY)));
    await rig.time.advanceTo('2026-11-09T09:20:00+05:30');
    await rig.logIn();
    await rig.time.advance(2_000);
    ids.push(await call({}));
    expect(new Set(ids).size).toBe(6);
    expect(placings(rig)).toHaveLength(6);
  });

  it('in the quarter of an hour after the day has changed needs a key', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const before = await assistant.call('place_order', { ...BUY, broker: 'paper' });
    expect(before.isError).toBeUndefined();
    await rig.time.advanceTo('2026-11-07T05:59:59+05:30');
    const night = await assistant.call('place_order', { ...BUY, broker: 'paper' });
    expect(idOf(night)).toBe(idOf(before));
    for (const at of ['06:00:00', '06:14:59']) {
      await rig.time.advanceTo(`2026-11-07T${at}+05:30`);
      const refused = await assistant.call('place_order', { ...BUY, broker: 'paper' });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain('arguments.clientOrderId: is required from 06:00 to 06:15');
    }
  });
});

describe('an order whose answer was lost', () => {
  it('is told as uncertain and not to be placed again, and a repeat places no second one', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    await assistant.tools();
    spoilPlacing(rig, 'hang_after');
    const first = await assistant.call('place_order', BUY);
    expect(dataOf(first)).toMatchObject({ status: 'uncertain', filledQuantity: null });
    expect(callOf(first)).toMatchObject({ settled: false, repeated: false });
    expect(String(fieldOf(callOf(first), 'advice'))).toMatch(
      /^IT IS NOT KNOWN .*DO NOT PLACE IT AGAIN/,
    );
    expect(first.content[0]).toMatchObject({ text: fieldOf(callOf(first), 'advice') });
    await rig.crash();
    await rig.time.advance(20_000);
    const again = await assistant.call('place_order', BUY);
    expect(dataOf(again)).toMatchObject({ id: idOf(first), status: 'filled', filledQuantity: 10 });
    expect(placings(rig)).toHaveLength(1);
  });

  it('that the broker never had stays uncertain in every answer', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    spoilPlacing(rig, 'error_before');
    const first = await assistant.call('place_order', BUY);
    await rig.time.advance(300_000);
    const again = await assistant.call('place_order', BUY);
    expect(dataOf(again)).toMatchObject({ id: idOf(first), status: 'uncertain' });
    expect(textOf(again)).toMatch(/NOTHING WAS SENT NOW.*IT IS NOT KNOWN.*DO NOT PLACE IT AGAIN/);
    expect(placings(rig)).toHaveLength(1);
  });
});

describe('while the lists of instruments are missing', () => {
  it('a repeat is never told that its order was not placed, and answers once they are there', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const first = await assistant.call('place_order', RESTING);
    const [kite, primary] = loseLists(rig);
    await rig.restart();
    const unknown = await assistant.call('place_order', RESTING);
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('mayHaveExecuted\\":true');
    expect(textOf(unknown)).toMatch(/IT IS NOT KNOWN whether the order was placed/);
    rig.sandbox.faults.remove(kite);
    rig.sandbox.faults.remove(primary);
    await rig.time.advance(600_000);
    expect(idOf(await assistant.call('place_order', RESTING))).toBe(idOf(first));
    expect(placings(rig)).toHaveLength(1);
  });
});

describe('a call to place a trigger that is repeated', () => {
  it('places nothing twice, also where its answer was lost and the gateway has crashed', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    spoilTriggers(rig, 'hang_after', 'POST');
    const first = await assistant.call('place_trigger', STOP);
    expect(callOf(first)).toMatchObject({ settled: false, repeated: false });
    expect(textOf(first)).toMatch(/IT IS NOT KNOWN .*DO NOT PLACE IT AGAIN/);
    await rig.crash();
    await rig.time.advance(20_000);
    const again = await assistant.call('place_trigger', STOP);
    expect(callOf(again)).toMatchObject({ repeated: true });
    expect(idOf(again)).toBe(idOf(first));
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
    await assistant.call('place_trigger', { ...STOP, clientOrderId: 'another' });
    expect(sentTriggers(rig, 'POST')).toHaveLength(2);
  });
});

describe('an order that was refused', () => {
  it('is told as not placed, also when the call is repeated, and a new key tries again', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const tooMuch = { ...BUY, quantity: 500_000 };
    const first = await assistant.call('place_order', tooMuch);
    expect(first.isError).toBe(true);
    expect(textOf(first)).toContain('order_refused');
    expect(textOf(first)).toContain('The order was not placed.');
    const again = await assistant.call('place_order', tooMuch);
    expect(textOf(again)).toContain('NOTHING WAS SENT NOW');
    expect(placings(rig)).toHaveLength(1);
    await assistant.call('place_order', { ...tooMuch, clientOrderId: 'once more' });
    expect(placings(rig)).toHaveLength(2);
  });
});

describe('a call to exit a part of a position that is repeated', () => {
  it('ends that part once, and a new key ends another part', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const part = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt', quantity: 50 };
    const first = await assistant.call('exit_position', part);
    await rig.time.advance(20_000);
    await rig.restart();
    await rig.time.advance(5_000);
    const again = await assistant.call('exit_position', part);
    await rig.time.advance(20_000);
    expect(idOf(again)).toBe(idOf(first));
    expect(placings(rig)).toHaveLength(1);
    const more = await assistant.call('exit_position', { ...part, clientOrderId: 'more' });
    await rig.time.advance(20_000);
    expect(idOf(more)).not.toBe(idOf(first));
    expect(placings(rig)).toHaveLength(2);
  });

  it('is not held back for all of a position, which is a way out at any time', async () => {
    await using rig = await loggedInRig(TRADING);
    const { assistant } = await traderIn(rig);
    const all = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };
    await assistant.call('exit_position', all);
    await rig.time.advance(20_000);
    await assistant.call('place_order', { ...BUY, broker: 'alt' });
    await rig.time.advance(5_000);
    const again = await assistant.call('exit_position', all);
    expect(callOf(again)).toMatchObject({ repeated: false, settled: false });
    await rig.time.advance(20_000);
    expect(placings(rig)).toHaveLength(3);
  });
});
