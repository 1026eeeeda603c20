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

/** What a price may be below the last one on any day, where the broker tells no limit of the day. */
const WITHIN_BAND = 0.92;

/** As far from the market as the day allows, in whole rupees, which every tick divides: it stays open. */
async function restingOrder(gateway: Gateway): Promise<OrderRequest> {
  const { lastPrice, lowerCircuit } = (await gateway.getQuote(ORDER.instrument)).data;
  const price = Math.ceil(lowerCircuit ?? lastPrice * WITHIN_BAND);
  return { ...ORDER, orderType: 'LIMIT', price };
}

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
  const order = await restingOrder(gateway);
  for (let number = 0; number < open; number += 1) await placeOne(gateway, order, 'open');
  let left = cancelled;
  const caller = async (name: string): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const id = await placeOne(gateway, order, name);
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
