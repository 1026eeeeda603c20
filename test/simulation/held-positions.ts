import type { BrokerPosition } from '../../sandbox/kernel/inspector.ts';
import type { Product } from '../../src/domain/order.ts';
import { sleep } from '../../src/platform/clock.ts';
import type { Dice } from './dice.ts';
import type { LiveBroker } from './traffic.ts';
import type { World } from './world.ts';

/** What somebody can end: a position of a live account, as the broker has it. */
export interface Holding {
  readonly broker: LiveBroker;
  readonly instrument: string;
  readonly product: Product;
  /** Shares or units, negative when short. */
  readonly net: number;
}

const PRODUCTS: Readonly<Record<BrokerPosition['product'], Product>> = {
  delivery: 'CNC',
  intraday: 'INTRADAY',
  carry: 'MARGIN',
};

/** What the live accounts of the route have, as their brokers know it. */
export function holdings({ plan, sandbox }: World): Holding[] {
  const live = plan.tradingRoute.filter((each): each is LiveBroker => each !== 'paper');
  return live.flatMap((broker) => {
    const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
    const positions = inspector.positions().map(({ instrument, product, net }) => ({
      ...{ broker, instrument: instrument.key, product: PRODUCTS[product], net },
    }));
    const held = inspector.holdings().map(({ instrument, settled, t1 }) => ({
      ...{ broker, instrument: instrument.key, product: 'CNC' as const, net: settled + t1 },
    }));
    return [...positions, ...held].filter(({ net }) => net !== 0);
  });
}

const LOOK_MS = 2_500;

/** Nobody trades an instrument for a while, but for a part of a leg of an exit now and then. */
export async function tradeThinly(
  { sandbox, time, taken }: World,
  instrument: string,
  forMs: number,
  dice: Dice,
): Promise<void> {
  const lot = instrument.startsWith('NFO') ? 65 : 1;
  sandbox.exchange.pauseFills(instrument);
  for (let left = forMs; left > 0; left -= LOOK_MS) {
    await sleep(time, Math.min(LOOK_MS, left));
    for (const { broker, brokerOrderId, wanted } of taken) {
      const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
      const order = inspector.order(brokerOrderId);
      if (!wanted.includes('#') || order?.phase !== 'open') continue;
      if (order.instrument !== instrument || order.filledQuantity > 0 || dice.chance(0.5)) continue;
      const part = Math.ceil((order.quantity * 0.4) / lot) * lot;
      inspector.fillByHand(brokerOrderId, part, order.limitPaise);
    }
  }
  sandbox.exchange.resumeFills(instrument);
}

/** Nobody bids or offers near the last price of an instrument for a while. */
export async function tradeApart(
  { sandbox, time }: World,
  instrument: string,
  { share, forMs }: { readonly share: number; readonly forMs: number },
): Promise<void> {
  sandbox.exchange.partBook(instrument, share);
  await sleep(time, forMs);
  sandbox.exchange.partBook(instrument, null);
}
