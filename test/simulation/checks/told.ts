import { join } from 'node:path';
import { kiteOpenAnswers, kiteRefusals } from '../../../sandbox/kite/refusal.ts';
import { isFinal } from '../../../src/domain/order.ts';
import type { Statement } from '../statements.ts';
import { brokerOrderIdOf, statusOf } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { sentUnder, violation, type Day, type Violation } from './context.ts';

type OrderStatement = Extract<Statement, { kind: 'order' }>;

/** S6: one key, one order. */
export function oneKeyOneOrder({ statements, state }: Day): Violation[] {
  const ids = new Map<string, Set<string>>();
  for (const statement of statements) {
    if (statement.kind !== 'order') continue;
    const known = ids.get(statement.wanted) ?? new Set();
    ids.set(statement.wanted, known.add(statement.orderId));
  }
  for (const order of state.orders.values()) {
    const wanted = `${order.caller}/${order.idempotencyKey}`;
    ids.set(wanted, (ids.get(wanted) ?? new Set()).add(order.id));
  }
  return [...ids]
    .filter(([, known]) => known.size > 1)
    .map(([wanted, known]) => violation('S6', `${wanted} made ${[...known].join(' and ')}`));
}

/** S5: nothing told to a caller is later contradicted, by what is told then or by the broker. */
export function nothingContradicted(day: Day): Violation[] {
  const byOrder = new Map<string, OrderStatement[]>();
  for (const statement of day.statements) {
    if (statement.kind !== 'order') continue;
    byOrder.set(statement.orderId, [...(byOrder.get(statement.orderId) ?? []), statement]);
  }
  return [...byOrder].flatMap(([orderId, told]) => [
    ...agreeAmongThemselves(day, orderId, told),
    ...agreeWithTheEnd(day, orderId, told),
  ]);
}

function agreeAmongThemselves(
  day: Day,
  orderId: string,
  told: readonly OrderStatement[],
): Violation[] {
  const violations: Violation[] = [];
  for (const [index, now] of told.entries()) {
    const before = told[index - 1];
    if (!before) continue;
    if (changesItsEnd(day, before, now)) {
      violations.push(violation('S5', `${orderId} was told ${before.status}, then ${now.status}`));
    }
    if ((now.filledQuantity ?? Infinity) < (before.filledQuantity ?? 0)) {
      violations.push(
        violation(
          'S5',
          `${orderId} was told ${before.filledQuantity} filled, then ${now.filledQuantity}`,
        ),
      );
    }
  }
  return violations;
}

function changesItsEnd(day: Day, before: OrderStatement, now: OrderStatement): boolean {
  if (!isFinal(before.status) || before.status === now.status) return false;
  // A person may be wrong, and an order whose last fills cannot be read says so.
  if (now.status === 'disputed' || day.worded.has(before.orderId)) return false;
  if (wasRefused(day, before) || isShownWorking(day, now.status)) return false;
  return !isCorrectedByFill(day, before, now.status);
}

/** The broker showed an order that had ended as open: what may work is not called ended. */
function isShownWorking({ world }: Day, now: OrderStatement['status']): boolean {
  return now === 'working' && (world.sandbox.faults.hits()['status_back'] ?? 0) > 0;
}

/** The broker refused the order in known words, and took it: S16 asks for an event that says so. */
function wasRefused({ world }: Day, { wanted, status, at }: OrderStatement): boolean {
  if (status !== 'rejected') return false;
  const known = kiteRefusals.slice(kiteOpenAnswers.length).map(({ body }) => body);
  return world.sent.some(
    (sent) =>
      sent.placing &&
      sent.wanted === wanted &&
      sent.answer?.reaction.kind === 'answer' &&
      sent.answer.at <= at &&
      known.includes(sent.answer.reaction.body),
  );
}

/** What was told was true then: the broker has reported a trade of the order since. */
function isCorrectedByFill(
  { world, state }: Day,
  told: OrderStatement,
  now: OrderStatement['status'],
): boolean {
  if (now !== 'partial' && now !== 'filled') return false;
  const ids = new Set(
    [...(state.slicesOf.get(told.orderId) ?? [told.orderId])].map((id) => {
      const order = state.orders.get(id);
      return order ? brokerOrderIdOf(order) : null;
    }),
  );
  return [world.sandbox.kite, world.sandbox.primary].some((inspector) =>
    inspector.fills().some((fill) => fill.at > told.at && ids.has(fill.orderId)),
  );
}

function agreeWithTheEnd(day: Day, orderId: string, told: readonly OrderStatement[]): Violation[] {
  const order = day.state.orders.get(orderId);
  if (!order) return [violation('S5', `${orderId} was told of, and is not in the journal`)];
  const violations: Violation[] = [];
  const status = statusOf(order);
  for (const statement of told) {
    if (isFinal(statement.status) && statement.status !== status) {
      if (status === 'disputed' || day.worded.has(orderId)) continue;
      if (isCorrectedByFill(day, statement, status) || wasRefused(day, statement)) continue;
      violations.push(violation('S5', `${orderId} was told ${statement.status}, and is ${status}`));
    }
  }
  const last = told.at(-1)!;
  const id = brokerOrderIdOf(order);
  const row = id === null ? undefined : rowOf(day.world, order.broker, id);
  if (
    row &&
    isFinal(last.status) &&
    last.filledQuantity !== null &&
    last.filledQuantity > row.filledQuantity
  ) {
    violations.push(
      violation(
        'S5',
        `${orderId} was told ${last.filledQuantity} filled; the broker has ${row.filledQuantity}`,
      ),
    );
  }
  return violations;
}

const rowOf = (world: World, broker: string, id: string) =>
  (broker === 'alt' ? world.sandbox.kite : world.sandbox.primary).order(id);

/**
 * S5, the promise by name: what was called not placed was not placed. A problem that says so, or an
 * order that ended as not sent or rejected, has no broker order behind a request sent by then.
 */
export function notPlacedIsTrue(day: Day): Violation[] {
  const { world } = day;
  const violations: Violation[] = [];
  for (const statement of day.statements) {
    if (!claimsNotPlaced(day, statement)) continue;
    const sentAt = world.sent.filter(
      (sent) => sent.placing && sent.wanted === statement.wanted && sent.at <= statement.at,
    );
    const taken = world.taken.filter((each) => each.wanted === statement.wanted);
    for (const each of taken) {
      const receipt = rowOf(world, each.broker satisfies LiveBroker, each.brokerOrderId)?.receipt;
      const was = sentAt.some(
        (sent) => sent.broker === each.broker && sent.request.body === receipt?.body,
      );
      if (!was) continue;
      const what = statement.kind === 'order' ? statement.status : statement.code;
      violations.push(
        violation(
          'S5',
          `${statement.wanted} was told ${what}, and ${each.broker} has ${each.brokerOrderId}`,
        ),
      );
    }
  }
  return violations;
}

function claimsNotPlaced(day: Day, statement: Statement): boolean {
  if (statement.kind === 'problem') {
    // What is said of the key, or of a cancel, says nothing of a placing.
    const ofPlacing = new Set([
      'order_not_sent',
      'recovering',
      'token_absent',
      'journal_unavailable',
      'kill_switch',
      'no_broker',
      'not_supported',
    ]);
    return !statement.mayHaveExecuted && ofPlacing.has(statement.code);
  }
  if (day.worded.has(statement.orderId)) return false;
  if (statement.status === 'not_sent') return true;
  // A rejected order may have a row at the broker: one that was taken and then refused there.
  const orders = sentUnder(day.state, statement.wanted);
  return (
    statement.status === 'rejected' && orders.every((order) => brokerOrderIdOf(order) === null)
  );
}

/**
 * S16: every refusal that was told was true, or was corrected by an event. An order that was told as
 * refused while the broker has it must by the end have its row, or be disputed, and an event after the
 * refusal must say so.
 */
export function refusalsAreTrue({ world, state, statements, worded }: Day): Violation[] {
  const violations: Violation[] = [];
  const events = eventsOfOrders(world);
  for (const statement of statements) {
    const refused =
      statement.kind === 'order' ? statement.status === 'rejected' : isRefusal(statement);
    if (!refused) continue;
    const orders = sentUnder(state, statement.wanted);
    for (const taken of world.taken.filter((each) => each.wanted === statement.wanted)) {
      const row = rowOf(world, taken.broker, taken.brokerOrderId);
      if (!row || row.phase === 'rejected') continue;
      if ((row.receipt?.at ?? row.createdAt) > statement.at) continue;
      const owner = orders.find((each) => brokerOrderIdOf(each) === taken.brokerOrderId);
      const order = owner ?? orders.find(({ state: { kind } }) => kind === 'disputed');
      if (orders.some((each) => worded.has(each.id))) continue;
      const isCorrected = (events.get(order?.id ?? '') ?? []).some(
        (sequence) => sequence > statement.events,
      );
      // Another slice may be the one that was refused.
      if (order && (isCorrected || orders.length > 1)) continue;
      const what = `${statement.wanted} was told refused, and ${taken.broker} has ${row.orderId}`;
      violations.push(violation('S16', order ? `${what}: no event corrects it` : what));
    }
  }
  return violations;
}

function isRefusal(statement: Extract<Statement, { kind: 'problem' }>): boolean {
  return statement.code === 'order_refused' && !statement.mayHaveExecuted;
}

/** The sequences of what was reported of each order, by its id. */
function eventsOfOrders(world: World): ReadonlyMap<string, readonly number[]> {
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    const events = new Map<string, number[]>();
    for (const row of database
      .prepare('SELECT order_id, sequence FROM events WHERE order_id IS NOT NULL ORDER BY sequence')
      .all()) {
      const id = String(row.order_id);
      events.set(id, [...(events.get(id) ?? []), Number(row.sequence)]);
    }
    return events;
  } finally {
    database.close();
  }
}

/** Problems that nobody foresaw: the face would have answered 500. */
export function nothingUnforeseen({ statements }: Day): Violation[] {
  return statements.flatMap((statement) =>
    statement.kind === 'problem' && statement.code === 'internal'
      ? [violation('S0', `${statement.wanted}: ${statement.detail}`)]
      : [],
  );
}

/** S5: an order is not told as disputed because its book is gone before that book is gone, at 06:00. */
export function booksAreGone({ statements }: Day): Violation[] {
  return statements.flatMap((statement) => {
    if (statement.kind !== 'order' || statement.status !== 'disputed') return [];
    const day = /the book of (\d{4}-\d\d-\d\d) was gone/.exec(statement.reason ?? '')?.[1];
    if (day === undefined) return [];
    const gone = Date.parse(`${day}T06:00:00+05:30`) + DAY_MS;
    if (statement.at >= gone - MINUTE_MS) return [];
    return [violation('S5', `${statement.wanted} was told ${statement.reason ?? ''}, too early`)];
  });
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * S16: an answer in words that leave it open whether the order was taken is not told as a refusal, where
 * the order was taken.
 */
export function openAnswersStayOpen({ world, statements }: Day): Violation[] {
  return world.sent.flatMap(({ placing, wanted, answer, broker }) => {
    if (!placing || broker !== 'alt' || answer?.reaction.kind !== 'answer') return [];
    const { body } = answer.reaction;
    if (!kiteOpenAnswers.some((text) => body.includes(text))) return [];
    const isTaken = world.taken.some((taken) => taken.wanted === wanted);
    const told = statements.find(
      (each) =>
        each.wanted === wanted &&
        each.at >= answer.at &&
        each.at < answer.at + MINUTE_MS &&
        (each.kind === 'order' ? each.status === 'rejected' : isRefusal(each)),
    );
    if (!isTaken || !told) return [];
    return [violation('S16', `${wanted ?? ''} was told refused after ${body.slice(0, 120)}`)];
  });
}
