import type { Instrument } from '../sandbox/exchange/instrument.ts';
import { createRig, type Rig } from '../test/support/rig.ts';
import {
  type Closed,
  farPrice,
  LEGS,
  legsOf,
  ENTRIES,
  ENTRY,
  QUEUED_FOR_MS,
} from './exits-measured.ts';
import { leastMs, ORDER_WINDOWS } from './least-time.ts';

/** How long an answer of the broker takes, ms. */
const LATENCY_MS = [20, 60] as const;
const GIVE_UP_MS = 120_000;

/** The same in virtual time: what a busy machine costs is not in it, and a run is the same twice. */
export async function closeFortyInVirtualTime(withResting: boolean): Promise<Closed> {
  await using rig = await createRig({ sandbox: { latencyMs: LATENCY_MS } });
  await rig.logIn();
  const { kite, exchange } = rig.sandbox;
  const instruments = legsOf(exchange.instruments());
  for (const { key, kind, lot } of instruments) {
    const product = kind === 'option' ? 'carry' : 'intraday';
    kite.placeByHand({ instrument: key, side: 'BUY', quantity: lot, product });
  }
  await rig.time.advance(5_000);
  for (const { key } of instruments) exchange.setPrice(key, exchange.price(key));
  if (withResting) await placeResting(rig, instruments);
  const arrivals = (): number[] =>
    kite.requests().flatMap(({ category, at }) => (category === 'order' ? [at] : []));
  const answers: number[] = [];
  const entries = Array.from({ length: ENTRIES }, async (_, index) => {
    const headers = {
      'idempotency-key': `entry-${index}`,
      'content-type': 'application/json',
    };
    const entry = { method: 'POST', path: '/api/v1/orders', text: ENTRY, headers };
    answers.push((await rig.begin(entry)).status);
  });
  await rig.time.advance(QUEUED_FOR_MS);
  const queued = ENTRIES - answers.length;
  const [begun, before] = [rig.time.now(), arrivals()];
  const { status } = await rig.post('/api/v1/positions/close-all', { scope: 'account' });
  if (status !== 202) throw new Error(`the closing was answered ${status}`);
  const isOpen = (): boolean => kite.positions().some(({ net }) => net !== 0);
  while (isOpen() && rig.time.now() - begun < GIVE_UP_MS) await rig.time.advance(10);
  const sells = kite.fills().flatMap(({ side, at }) => (side === 'SELL' ? [at] : []));
  if (isOpen()) throw new Error('not every position was closed');
  await rig.time.settle(Promise.all(entries));
  const count = (wanted: number): number => answers.filter((each) => each === wanted).length;
  const least = withResting ? 2 * LEGS : LEGS;
  return {
    tookMs: Math.max(...sells) - begun,
    leastMs: leastMs(before, begun, least, ORDER_WINDOWS),
    queued,
    limitBreaks: kite.limitBreaks().filter(({ category }) => category === 'order').length,
    placed: count(201),
    notSent: count(503),
    unanswered: ENTRIES - count(201) - count(503),
  };
}

async function placeResting(rig: Rig, instruments: readonly Instrument[]): Promise<void> {
  for (const { key, kind, lot } of instruments) {
    const product = kind === 'option' ? 'MARGIN' : 'INTRADAY';
    const price = farPrice(rig.sandbox.exchange.price(key));
    const order = { instrument: key, side: 'SELL', quantity: lot, product, price };
    const { status } = await rig.post('/api/v1/orders', { ...order, orderType: 'LIMIT' });
    if (status !== 201) throw new Error(`an order that was to rest was answered ${status}`);
    await rig.time.advance(150);
  }
  await rig.time.advance(QUEUED_FOR_MS);
}
