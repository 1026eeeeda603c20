import type { BrokerId } from '../../src/domain/broker.ts';
import type { ExecutionState } from '../../src/execution/journal/state.ts';
import type { PlaceAttemptRecord } from '../../src/execution/order/attempt.ts';
import type { OrderRecord } from '../../src/execution/order/order.ts';

/** An order that is on its way to its broker, with the attempt to place it. */
export interface Sending {
  readonly attempt: PlaceAttemptRecord;
  readonly order: OrderRecord;
}

export function sendingNow(state: ExecutionState, broker: BrokerId): Sending[] {
  return [...state.attempts.values()].flatMap((attempt) => {
    if (attempt.kind !== 'place' || attempt.state.kind !== 'sending') return [];
    const order = state.orders.get(attempt.orderId);
    return order?.broker === broker ? [{ attempt, order }] : [];
  });
}

/** The one that a request places: by its tag, and at a broker that is sent none by its terms. */
export function sentOrder<T extends Sending>(sending: readonly T[], body: string): T | undefined {
  return (
    sending.find(({ attempt }) => attempt.tagSent && body.includes(attempt.tag)) ??
    sending.find(({ attempt, order }) => !attempt.tagSent && isOf(order, body))
  );
}

/** Two equal orders are never on their way at once. A quantity of 1 is not the beginning of one of 100. */
function isOf({ terms, scripCode }: OrderRecord, body: string): boolean {
  const { side, quantity, orderType, product, price, triggerPrice } = terms;
  // A stop of that trigger with a limit is another order.
  if (orderType === 'SL-M' && body.includes('"trigger_limit_price"')) return false;
  const id = scripCode?.slice(scripCode.indexOf('_') + 1) ?? '';
  const prices = [price, triggerPrice].filter((each) => each !== null).map(String);
  // The broker has its own word for the third product.
  const products = product === 'MARGIN' ? [] : [`"${product}"`];
  const words = [
    `"${side}"`,
    `"${id}"`,
    ...prices,
    ...products,
    ...(orderType === 'MARKET' ? ['"MARKET"'] : []),
  ];
  return words.every((word) => body.includes(word)) && new RegExp(`:${quantity}[,}]`).test(body);
}
