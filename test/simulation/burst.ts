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

async function placeOne(
  parts: CallersParts,
  caller: string,
  key: string,
  quantity: number,
): Promise<void> {
  const { world, priceOf } = parts;
  // Nobody else trades it: an exit cancels what rests for its position.
  const instrument = 'NSE:TATASTEEL';
  const price = Math.round(priceOf(instrument) * 0.97 * 2) / 2;
  const request = order({ instrument, quantity, orderType: 'LIMIT', price });
  const wanted = nameOf({ caller, key });
  world.asked.orders.set(wanted, { request, instrument });
  const heard = await call(world, wanted, (gateway) =>
    gateway.placeOrder(request, { caller, idempotencyKey: key }),
  );
  if (heard.kind === 'answer') tellOrder(parts, wanted, heard.value.order);
  if (heard.kind === 'problem') tellProblem(parts, wanted, heard, { of: 'placing' });
}
