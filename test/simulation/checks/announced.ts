import { join } from 'node:path';
import { brokerOrderIdOf } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import type { World } from '../world.ts';
import { type Day, sentUnder, type Violation, violation } from './context.ts';

/** What an event said of an order: that it was not placed. */
interface Announced {
  readonly orderId: string;
  readonly status: string;
  readonly reason: string | null;
}

/**
 * S5: no event calls an order not placed that a broker had taken, unless the broker itself had refused it
 * (S16) or a person had said so. Who reads the events is told everything, however soon it is corrected.
 */
export function announcedIsTrue(day: Day): Violation[] {
  const { world, state, worded } = day;
  const announced = announcements(world);
  return world.taken.flatMap(({ wanted, broker, brokerOrderId }) => {
    const orders = sentUnder(state, wanted);
    const [order] = orders;
    // Of slices, one may be taken and another one not.
    if (order === undefined || orders.length > 1 || order.parentId !== null) return [];
    const told = announced.find(({ orderId }) => orderId === order.id);
    if (told === undefined || worded.has(order.id) || wasRefused(world, wanted)) return [];
    const has = `${broker} has ${brokerOrderId}${brokerOrderIdOf(order) === null ? '' : ' in the end'}`;
    const what = `${told.status} (${told.reason ?? ''})`;
    return [violation('S5', `an event calls ${wanted} ${what}, and ${has}`)];
  });
}

/** Whether the broker answered the placing with a refusal, in whatever words. */
const wasRefused = ({ sent }: World, wanted: string): boolean =>
  sent.some(
    ({ placing, answer, ...each }) =>
      placing &&
      each.wanted === wanted &&
      answer?.reaction.kind === 'answer' &&
      answer.reaction.status >= 400 &&
      answer.reaction.status < 500,
  );

function announcements(world: World): Announced[] {
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    return database
      .prepare(
        `SELECT order_id AS orderId, record ->> '$.data.order.status' AS status,
                record ->> '$.data.order.reason' AS reason
         FROM events WHERE type = 'order.updated'
         AND record ->> '$.data.order.status' IN ('rejected', 'not_sent')
         AND record ->> '$.data.order.brokerOrderId' IS NULL ORDER BY sequence`,
      )
      .all()
      .map((row) => ({
        orderId: String(row.orderId),
        status: String(row.status),
        reason: typeof row.reason === 'string' ? row.reason : null,
      }));
  } finally {
    database.close();
  }
}
