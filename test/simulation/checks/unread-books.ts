import { join } from 'node:path';
import { openDatabase } from '../../../src/platform/database.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, type Violation, violation } from './context.ts';

/** A book that cannot be read for so long is told of. */
const LONG_MS = 3 * 60_000;
/** An order that rests since then is known to the gateway. */
const KNOWN_MS = 30_000;

/**
 * L13: somebody is told of a book that cannot be read for three minutes while orders of the gateway rest in
 * it. Looked at where every read of it failed meanwhile, the gateway was up and nothing else was wrong.
 */
export function unreadBooksAreTold({ world }: Day): Violation[] {
  const alerts = alertsOf(world);
  return (['alt', 'primary'] as const).flatMap((broker) => {
    const from = unreadSince(world, broker);
    const isTold = alerts.some((text) =>
      text.includes(`the order book of ${broker} cannot be read`),
    );
    if (from === null || isTold) return [];
    return [violation('L13', `nobody was told that the book of ${broker} cannot be read`)];
  });
}

/** When the first such stretch began, epoch ms; null without one. */
function unreadSince(world: World, broker: LiveBroker): number | null {
  const reads = world.reads.filter((read) => read.broker === broker);
  let from: number | null = null;
  for (const { at, failed } of reads) {
    if (!failed || wasDisturbed(world, at)) from = null;
    else from ??= at;
    if (from !== null && at - from >= LONG_MS && rested(world, broker, from, at)) return from;
  }
  return null;
}

/** Whether the gateway was not well at a moment, or in the minutes before. */
function wasDisturbed({ births, crashes, impaired, sessions }: World, at: number): boolean {
  const times = [...births, ...sessions, ...crashes.map((crash) => crash.at)];
  if (times.some((time) => time <= at && time > at - LONG_MS)) return true;
  return impaired.some(({ from, until }) => from <= at && until > at - LONG_MS);
}

/** Whether an order of the gateway rested at its broker all the time. */
function rested(world: World, broker: LiveBroker, from: number, until: number): boolean {
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  return world.taken.some((taken) => {
    const order = inspector.order(taken.brokerOrderId);
    if (taken.broker !== broker || !order || order.createdAt > from - KNOWN_MS) return false;
    const isShown = Math.max(order.hiddenUntil, order.rowHiddenUntil) < from;
    return isShown && (!order.final || order.updatedAt > until);
  });
}

function alertsOf(world: World): string[] {
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    return database
      .prepare(`SELECT record ->> '$.data.message' AS message FROM events WHERE type = 'alert'`)
      .all()
      .map(({ message }) => String(message));
  } finally {
    database.close();
  }
}
