import { join } from 'node:path';
import { brokerOrderIdOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import type { Statement } from '../statements.ts';
import type { Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import { isRefusedUnseen } from './refused-unseen.ts';
import { meaningOf } from './refused-words.ts';
import { sentUnder, violation, type Day, type Violation } from './context.ts';

const MINUTE_MS = 60_000;

/** Whether a statement says that the broker refused the order, or that it has not got it. */
const saysRefused = (statement: Statement): boolean =>
  statement.kind === 'order'
    ? statement.status === 'rejected'
    : statement.code === 'order_refused' && !statement.mayHaveExecuted;

/**
 * Whether a broker had refused the order in words that may be believed, whatever it did: S16 then asks for an
 * event that corrects what was told. At Kite only known words may be.
 */
export function wasRefused({ world }: Day, statement: Statement): boolean {
  const { wanted, at } = statement;
  if (!saysRefused(statement)) return false;
  return world.sent.some((sent) => {
    if (sent.wanted !== wanted || sent.answer === null || sent.answer.at > at) return false;
    const means = meaningOf(sent);
    return means === 'known' || (means === 'unlisted' && sent.broker === 'primary');
  });
}

/**
 * S16: every refusal that was told was true, or was corrected by an event. An order that was told as
 * refused while the broker has it must by the end have its row, or be disputed, and an event after the
 * refusal must tell another status of it.
 */
export function refusalsAreTrue(day: Day): Violation[] {
  const { world, state, statements, worded } = day;
  const violations: Violation[] = [];
  const corrections = correctionsOf(world);
  for (const statement of statements.filter(saysRefused)) {
    const orders = ordersOf(day, statement);
    if (orders.some((each) => worded.has(each.id))) continue;
    const others = sentUnder(state, statement.wanted).filter((each) => !orders.includes(each));
    const ofOthers = new Set(others.map(brokerOrderIdOf));
    for (const taken of world.taken.filter((each) => each.wanted === statement.wanted)) {
      // Another slice of the same order may have been taken.
      if (ofOthers.has(taken.brokerOrderId)) continue;
      const inspector = taken.broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
      const row = inspector.order(taken.brokerOrderId);
      if (!row || row.phase === 'rejected' || isRefusedUnseen(world, taken)) continue;
      if ((row.receipt?.at ?? row.createdAt) > statement.at) continue;
      const owner = orders.find((each) => brokerOrderIdOf(each) === taken.brokerOrderId);
      const order = owner ?? orders.find(({ state: { kind } }) => kind === 'disputed');
      const isCorrected = (corrections.get(order?.id ?? '') ?? []).some(
        (sequence) => sequence > statement.events,
      );
      if (order && isCorrected) continue;
      const what = `${statement.wanted} was told refused, and ${taken.broker} has ${row.orderId}`;
      violations.push(violation('S16', order ? `${what}: no event corrects it` : what));
    }
  }
  return violations;
}

/** The orders that a statement is about: one, or the slices of one. */
function ordersOf({ state }: Day, statement: Statement): readonly OrderRecord[] {
  const all = sentUnder(state, statement.wanted);
  if (statement.kind !== 'order') return all;
  const own = all.filter((each) => each.id === statement.orderId);
  return own.length > 0 ? own : all;
}

/** The sequences of the events that tell another status than `rejected`, by order id. */
function correctionsOf(world: World): ReadonlyMap<string, readonly number[]> {
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    const sequences = new Map<string, number[]>();
    const rows = database
      .prepare(
        `SELECT order_id, sequence FROM events WHERE type = 'order.updated'
         AND record ->> '$.data.order.status' <> 'rejected' ORDER BY sequence`,
      )
      .all();
    for (const row of rows) {
      const id = String(row.order_id);
      sequences.set(id, [...(sequences.get(id) ?? []), Number(row.sequence)]);
    }
    return sequences;
  } finally {
    database.close();
  }
}

/**
 * S16: an answer that leaves it open whether the order was taken is not told as a refusal, where the order
 * was taken. Words of the primary brokerage that nobody has listed are told as one only after a read of the
 * book that does not show the order; at Kite they leave it open.
 */
export function openAnswersStayOpen(day: Day): Violation[] {
  const { world, statements } = day;
  return world.sent.flatMap((sent) => {
    const { wanted, answer, broker } = sent;
    const means = meaningOf(sent);
    if (means === null || means === 'known' || answer?.reaction.kind !== 'answer') return [];
    const taken = world.taken.filter((each) => each.wanted === wanted && each.broker === broker);
    const told = statements.find(
      (each) =>
        each.wanted === wanted &&
        each.at >= answer.at &&
        each.at < answer.at + MINUTE_MS &&
        saysRefused(each),
    );
    if (!told || !taken.some((each) => !isRejected(world, each))) return [];
    const isBorneOut =
      means === 'unlisted' && broker === 'primary' && isUnseen(world, taken, answer.at, told.at);
    if (isBorneOut) return [];
    const { body, status } = answer.reaction;
    const what = `${wanted ?? ''} was told refused after ${status} ${body.slice(0, 120)}`;
    return [violation('S16', what)];
  });
}

/** Whether a broker rejected an order that it had taken. */
const isRejected = ({ sandbox }: World, { broker, brokerOrderId }: Taken): boolean =>
  (broker === 'alt' ? sandbox.kite : sandbox.primary).order(brokerOrderId)?.phase === 'rejected';

/** Whether a read of the primary brokerage's book between two times may have lacked these orders. */
function isUnseen(
  { reads, sandbox }: World,
  taken: readonly Taken[],
  from: number,
  until: number,
): boolean {
  return reads.some(({ broker, at, honest }) => {
    if (broker !== 'primary' || at < from || at > until) return false;
    const rows = taken.flatMap(({ brokerOrderId }) => sandbox.primary.order(brokerOrderId) ?? []);
    return !honest || rows.every((row) => row.hiddenUntil > at || row.rowHiddenUntil > at);
  });
}
