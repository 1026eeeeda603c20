import type { Client } from '../../client/index.ts';
import { openOrders, type Order, ordersOf } from './pure/orders.ts';
import type { OwnAccount } from './pure/stop-words.ts';
import { problemOf } from './problem-of.ts';

/** What of each account the orders of the key that asks have made. One that cannot be read says why, and is never empty. */
export function readOwnAccounts(
  client: Pick<Client, 'getPositions'>,
  brokers: readonly string[],
): Promise<readonly OwnAccount[]> {
  return Promise.all(
    brokers.map(async (broker) => {
      try {
        const { data, meta } = await client.getPositions({ broker, scope: 'mine' });
        return { broker, positions: data, problem: null, uncertain: meta.uncertainOrders ?? [] };
      } catch (error) {
        return { broker, positions: null, problem: problemOf(error), uncertain: [] };
      }
    }),
  );
}

/** The open orders of the key that asks. */
export async function readOwnOrders(client: Pick<Client, 'items'>): Promise<readonly Order[]> {
  const all: Order[] = [];
  for await (const order of client.items('getOrders', { scope: 'mine' })) all.push(order);
  return openOrders(ordersOf(all));
}
