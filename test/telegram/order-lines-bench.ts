import type { OrderResponse } from '../../src/domain/order.ts';
import type { EventType, GatewayEvent } from '../../src/events/event-log.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createLog, createPino } from '../../src/platform/log.ts';
import { createOrderLines } from '../../src/telegram/order-lines.ts';
import { openOrderLinesFile } from '../../src/telegram/order-lines-file.ts';
import { order } from '../routes/support/samples.ts';
import { eventBench } from '../support/event-bench.ts';
import { fakeMessenger } from '../support/fake-messenger.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

export const PATH = 'data/order-lines.json';

/** Lines of orders with a journal in memory, and a chat whose other side is the test. */
export function linesBench({ epoch = 'a', database = openDatabase(':memory:') } = {}) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const events = eventBench({ clock: time, scheduler: time }, database, epoch);
  const messenger = fakeMessenger();
  const files = memoryFiles();
  const logged: string[] = [];
  const log = createLog(createPino('debug', { write: (line: string) => void logged.push(line) }));
  const bench = {
    ...{ time, events, messenger, files, logged, database },
    happen: (type: EventType, orderId: string, data: GatewayEvent['data']) =>
      events.happen(type, data, {}, orderId),
    updated: (changes: Partial<OrderResponse>) =>
      bench.happen('order.updated', changes.id ?? 'ord_1', { order: order(changes) }),
    async filled(
      quantity: number,
      price: number,
      changes: Partial<OrderResponse>,
      orderId = changes.id ?? 'ord_1',
    ) {
      const data = { fillId: 'f', quantity, price, at: time.now(), order: order(changes) };
      await bench.happen('order.fill', orderId, data);
      await bench.happen('order.updated', orderId, { order: order(changes) });
    },
    attempt: (data: GatewayEvent['data'], orderId = 'ord_1') =>
      bench.happen('order.attempt', orderId, {
        ...{ kind: 'cancel', outcome: 'acknowledged', detail: null, ...data },
        order: order({ id: orderId }),
      }),
    async start() {
      const file = openOrderLinesFile({ files, log, path: PATH });
      const parts = { feed: events.feed, messenger, file, clock: time, scheduler: time, log };
      const lines = createOrderLines(parts);
      await time.advance(0);
      return lines;
    },
    stop: (lines: AsyncDisposable) => time.settle(Promise.resolve(lines[Symbol.asyncDispose]())),
    /** Ends it without a chance to write anything down, and without a further message. */
    async kill(lines: AsyncDisposable) {
      const kept = files.contents.get(PATH);
      await bench.stop(lines);
      if (kept === undefined) files.contents.delete(PATH);
      else files.contents.set(PATH, kept);
    },
  };
  return bench;
}

/** The order of `filled` once so many of its shares have filled at a price. */
export const holding = (
  filledQuantity: number,
  averagePrice: number,
  changes: Partial<OrderResponse> = {},
): Partial<OrderResponse> => {
  const quantity = changes.quantity ?? 10;
  const isFull = filledQuantity === quantity;
  return {
    ...{ filledQuantity, averagePrice, fillPriceSource: 'trades' },
    ...{ remainingQuantity: quantity - filledQuantity, status: isFull ? 'filled' : 'working' },
    ...changes,
  };
};
