import type { OrderRequest } from '../src/domain/order.ts';
import type { Gateway } from '../src/router/gateway.ts';

const ORDER: OrderRequest = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'INTRADAY',
  validity: 'DAY',
  price: null,
  triggerPrice: null,
  amo: false,
  tag: null,
  broker: null,
  mode: null,
};

/** Far from the market: it stays open. */
const RESTING: OrderRequest = { ...ORDER, orderType: 'LIMIT', price: 1_360 };

/** Market orders on paper, which fill at once, from so many callers at a time. */
export async function placePaperOrders(
  gateway: Gateway,
  { callers, count }: { readonly callers: number; readonly count: number },
): Promise<void> {
  let left = count;
  const caller = async (name: string): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // Buying and selling in turn, so that neither cash nor shares run out.
      await placeOne(gateway, { ...ORDER, side: left % 2 ? 'BUY' : 'SELL' }, name);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(`caller-${index}`)));
}

/** Orders that rest; `cancelled` of them are cancelled again. */
export async function placeRestingOrders(
  gateway: Gateway,
  { open, cancelled }: { readonly open: number; readonly cancelled: number },
): Promise<void> {
  for (let number = 0; number < open; number += 1) await placeOne(gateway, RESTING, 'open');
  let left = cancelled;
  const caller = async (name: string): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const id = await placeOne(gateway, RESTING, name);
      await gateway.cancelOrder(id, { caller: name, idempotencyKey: null });
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, index) => caller(`cancels-${index}`)));
}

async function placeOne(gateway: Gateway, order: OrderRequest, caller: string): Promise<string> {
  const placed = await gateway.placeOrder(order, { caller, idempotencyKey: null });
  const { id, status, reason } = placed.order;
  if (status === 'working' || status === 'filled') return id;
  throw new Error(`a paper order is ${status}: ${reason}`);
}
