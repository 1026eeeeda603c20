import type { OrderResponse } from '../../src/domain/order.ts';
import { openOldDataDirectory, replayBrokers, type OldDirectory } from './open.ts';
import { run, type Running } from './running.ts';
import type { Brokers } from './brokers.ts';

/** The present gateway on a copy of an old directory, with the brokers as the old gateway left them. */
export interface Continued extends AsyncDisposable {
  readonly brokers: Brokers;
  /** The gateway that runs now. */
  readonly running: Running;
  /** Stops it, and starts it again at an instant (ISO 8601). The hours between take no time to play. */
  restartAt(at: string): Promise<void>;
  /** Our orders of a day by key; a slice by the key of its order, `#` and its number. */
  byKey(day: string): Promise<ReadonlyMap<string, OrderResponse>>;
}

/** Starts it at an instant (ISO 8601), or 15 seconds after the old one was killed. */
export async function continueFrom(name: OldDirectory, at?: string): Promise<Continued> {
  await using stack = new AsyncDisposableStack();
  const brokers = await replayBrokers(name);
  const old = stack.use(openOldDataDirectory(name));
  if (at === undefined) await brokers.time.advance(15_000);
  else await brokers.time.advanceTo(at);
  let running = await run(brokers, old.directory, 'next life');
  stack.defer(() => running.stop());
  const owned = stack.move();
  return {
    brokers,
    get running() {
      return running;
    },
    async restartAt(next) {
      await running.stop();
      await brokers.time.advanceTo(next);
      running = await run(brokers, old.directory, `life from ${next}`);
    },
    async byKey(day) {
      const orders = await running.ordersOn(day);
      const keys = new Map(orders.map(({ id, clientOrderId }) => [id, clientOrderId]));
      return new Map(
        orders.map((order) => {
          const [id = '', number] = (order.clientOrderId ?? '').split('#');
          const key = number === undefined ? id : `${keys.get(id)}#${number}`;
          return [key, order];
        }),
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Status and filled quantity, and how the broker’s row was found if not by its id. */
export function endOf({ status, filledQuantity, boundBy }: OrderResponse): string {
  const found = boundBy === 'id' || boundBy === null ? [] : [`by ${boundBy}`];
  return [status, filledQuantity ?? 'unknown', ...found].join(' ');
}
