import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { serveSandbox } from '../sandbox/transport/serve.ts';
import { farPrice, legsOf } from './exits-measured.ts';
import { BENCH_KITE, BENCH_PRIMARY_TOKEN, type Origins } from './settings.ts';

/** What the account holds before the bench begins. */
export interface HeldAtBroker {
  readonly origins: Origins;
  readonly positions: readonly HeldPosition[];
}

export interface HeldPosition {
  /** `NSE:INFY`; each position is of another one. */
  readonly instrument: string;
  /** Shares or units, above 0: every position is long. */
  readonly quantity: number;
  /** Rupees: a SELL LIMIT at it rests, and is within the circuit. */
  readonly farPrice: number;
}

/** What Kite itself says of the orders that it has received, and of the positions. */
export interface BrokerSide {
  /** Epoch ms at which order requests (placings, changes, cancels) arrived, oldest first. */
  readonly arrivals: readonly number[];
  /** Order requests that were above a limit. */
  readonly limitBreaks: number;
  /** Positions that are not flat. */
  readonly open: number;
  /** Epoch ms of the last fill of a SELL; 0 without one. */
  readonly lastSellAt: number;
}

/** Kite's limits are kept, as Kite keeps them: 10 order requests a second, 400 a minute. */
const served = await serveSandbox({
  settings: {
    market: 'always-open',
    kite: { ...BENCH_KITE, redirectUrl: 'http://127.0.0.1/callback', postbackUrl: null },
    primary: { accessToken: BENCH_PRIMARY_TOKEN, clientId: '1' },
  },
});
const { kite, exchange } = served.sandbox;
const bought = legsOf(exchange.instruments());
const orders = bought.map(({ key, kind, lot }) =>
  kite.placeByHand({
    ...{ instrument: key, side: 'BUY', quantity: lot },
    product: kind === 'option' ? 'carry' : 'intraday',
  }),
);
while (orders.some(({ orderId }) => kite.order(orderId)?.final !== true)) await sleep(5);

// Prices stand still, so that each leg fills as soon as the exchange has it: of a leg that has to be
// placed again, the market's part would be measured too.
for (const { key } of bought) exchange.setPrice(key, exchange.price(key));

const held: HeldAtBroker = {
  origins: { kite: served.kiteOrigin, primary: served.primaryOrigin, token: kite.loginDirect() },
  positions: bought.map(({ key, lot }) => ({
    ...{ instrument: key, quantity: lot },
    farPrice: farPrice(exchange.price(key)),
  })),
};

function brokerSide(): BrokerSide {
  const requests = kite.requests().filter(({ category }) => category === 'order');
  const sells = kite.fills().filter(({ side }) => side === 'SELL');
  return {
    arrivals: requests.map(({ at }) => at),
    limitBreaks: kite.limitBreaks().filter(({ category }) => category === 'order').length,
    open: kite.positions().filter(({ net }) => net !== 0).length,
    lastSellAt: Math.max(0, ...sells.map(({ at }) => at)),
  };
}

parentPort?.on('message', () => parentPort?.postMessage(brokerSide()));
parentPort?.postMessage(held);
