import type { OrderRequest } from '../../src/domain/order.ts';
import { sleep } from '../../src/platform/clock.ts';
import { call, type CallersParts, tellOrder, tellProblem } from './call.ts';
import { order } from './directions.ts';
import { nameOf } from './world.ts';

interface Burst {
  readonly caller: string;
  /** What the keys of its orders begin with. */
  readonly key: string;
  readonly count: number;
}

/** Entries that rest, all at the same moment: they fill the limits on orders, and no way out waits behind them. */
export function placeMany(parts: CallersParts, { caller, key, count }: Burst): void {
  for (let number = 1; number <= count; number += 1) {
    void placeOne(parts, caller, `${key}-entry-${number}`, 60 + number);
  }
}

/** A sale of the same shares that fills at once, a moment after somebody has asked for a way out of them. */
export async function sellBeside(
  parts: CallersParts,
  sale: {
    readonly key: string;
    readonly instrument: string;
    readonly quantity: number;
    readonly afterMs: number;
  },
): Promise<void> {
  const { world, priceOf } = parts;
  const { key, instrument, quantity } = sale;
  await sleep(world.time, sale.afterMs);
  const price = Math.round(priceOf(instrument) * 0.995 * 2) / 2;
  const request = order({ instrument, quantity, side: 'SELL', orderType: 'LIMIT', price });
  await place(parts, 'caller-2', key, request);
}

async function placeOne(
  parts: CallersParts,
  caller: string,
  key: string,
  quantity: number,
): Promise<void> {
  // Nobody else trades it: an exit cancels what rests for its position.
  const instrument = 'NSE:TATASTEEL';
  const price = Math.round(parts.priceOf(instrument) * 0.97 * 2) / 2;
  await place(parts, caller, key, order({ instrument, quantity, orderType: 'LIMIT', price }));
}

async function place(
  parts: CallersParts,
  caller: string,
  key: string,
  request: OrderRequest,
): Promise<void> {
  const { world } = parts;
  const wanted = nameOf({ caller, key });
  world.asked.orders.set(wanted, { request, instrument: request.instrument });
  const heard = await call(world, wanted, (gateway) =>
    gateway.placeOrder(request, { caller, idempotencyKey: key }),
  );
  if (heard.kind === 'answer') tellOrder(parts, wanted, heard.value.order);
  if (heard.kind === 'problem') tellProblem(parts, wanted, heard, { of: 'placing' });
}
