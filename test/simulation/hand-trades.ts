import { statusOf } from '../../src/execution/order/order.ts';
import type { OrderTerms } from '../../src/domain/order.ts';
import type { Dice } from './dice.ts';
import type { Mishap } from './mishaps.ts';
import type { World } from './world.ts';

type HandOrderMishap = Extract<Mishap, { kind: 'hand_order' }>;

/** What a person does in the broker's own app, past the gateway. */
export interface HandTrades {
  /** Broker ids of orders placed by hand. */
  readonly byHand: ReadonlySet<string>;
  /** Places an order; a twin has the terms of one that the gateway has sent. */
  placeByHand(mishap: HandOrderMishap): void;
  cancelByHand(): void;
  modifyByHand(): void;
  /** The row of an order placed by hand, seen in the book before, is gone from it for good. */
  vanish(): void;
}

export function createHandTrades(world: () => World, roll: () => Dice): HandTrades {
  const byHand = new Set<string>();

  /** What a twin is most confusing to: an order whose outcome is open, or else the latest. */
  function modelForTwin(): OrderTerms | null {
    const state = world().current()?.composed?.execution.state;
    const orders = [...(state?.orders.values() ?? [])].filter((order) => order.mode === 'live');
    const open = orders.findLast((order) => statusOf(order) === 'uncertain');
    return (open ?? orders.at(-1))?.terms ?? null;
  }

  function placeByHand({ twin, order: terms, broker }: HandOrderMishap): void {
    const { sandbox, plan, timeline } = world();
    const where = broker ?? (plan.tradingRoute.includes('alt') ? 'kite' : 'primary');
    const inspector = sandbox[where];
    const model = twin ? modelForTwin() : null;
    const order = refusedAsNull(() =>
      inspector.placeByHand(
        terms ?? {
          instrument: model?.instrument ?? 'NSE:INFY',
          side: model?.side ?? roll().pick(['BUY', 'SELL']),
          quantity: model?.quantity ?? roll().pick([1, 5, 10]),
          product: model?.product === 'CNC' ? 'delivery' : 'intraday',
          ...(model?.price ? { limitPaise: Math.round(model.price * 100) } : {}),
        },
      ),
    );
    if (!order) return;
    byHand.add(order.orderId);
    timeline.note('world', `by hand: ${order.orderId}, ${twin ? 'a twin' : 'no twin'}`);
  }

  function cancelByHand(): void {
    const { sandbox, plan } = world();
    const inspector = plan.tradingRoute.includes('alt') ? sandbox.kite : sandbox.primary;
    const open = inspector.orders().filter((order) => !order.final && order.phase === 'open');
    if (open.length > 0) inspector.cancelByHand(roll().pick(open).orderId);
  }

  /** Another quantity or another price, of an order that rests: what it was placed with holds no more. */
  function modifyByHand(): void {
    const { sandbox, plan } = world();
    const inspector = plan.tradingRoute.includes('alt') ? sandbox.kite : sandbox.primary;
    const open = inspector.orders().filter((order) => !order.final && order.phase === 'open');
    if (open.length === 0) return;
    const order = roll().pick(open);
    const change = roll().chance(0.5)
      ? { quantity: order.quantity + roll().pick([1, 5]) }
      : { limit: order.limitPaise + roll().pick([-50, 50]) };
    inspector.modifyByHand(order.orderId, change);
    world().timeline.note('world', `by hand: ${order.orderId} becomes ${JSON.stringify(change)}`);
  }

  function vanish(): void {
    const { sandbox, plan, timeline, time } = world();
    const inspector = plan.tradingRoute.includes('alt') ? sandbox.kite : sandbox.primary;
    const seen = [...byHand].filter((id) => {
      const order = inspector.order(id);
      return order && order.final && order.hiddenUntil < time.now() - 5_000;
    });
    const id = seen.at(-1);
    if (id === undefined) return;
    inspector.vanish(id);
    timeline.note('world', `the row of ${id} is gone for good`);
  }

  return { byHand, vanish, placeByHand, cancelByHand, modifyByHand };
}

/** A broker refuses a person too: for lack of shares, say. */
function refusedAsNull<T>(place: () => T): T | null {
  try {
    return place();
  } catch {
    return null;
  }
}
