import { isFinal } from '../../../src/domain/order.ts';
import type { Statement } from '../statements.ts';
import { brokerOrderIdOf, statusOf } from '../../../src/execution/order/order.ts';
import type { SeedPlan } from '../plan.ts';
import type { LiveBroker, Sent } from '../traffic.ts';
import type { World } from '../world.ts';
import { sentUnder, violation, type Day, type Violation } from './context.ts';
import { isUnread } from './late-trades.ts';
import { wasRefused } from './refusals.ts';

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
  if (wasRefused(day, before) || isShownWorking(day, now)) return false;
  return !isCorrectedByFill(day, before, now.status);
}

/** The broker showed an order that had ended as open, or it works again: what may work is not called ended. */
function isShownWorking(day: Day, now: OrderStatement): boolean {
  const { sandbox, worksAgain } = day.world;
  if (now.status !== 'working') return false;
  if ((sandbox.faults.hits()['status_back'] ?? 0) > 0) return true;
  return [...brokerIdsOf(day, now.orderId)].some((id) => id !== null && worksAgain.has(id));
}

/** The ids at the broker of an order, or of its slices. */
function brokerIdsOf({ state }: Day, orderId: string): ReadonlySet<string | null> {
  return new Set(
    [...(state.slicesOf.get(orderId) ?? [orderId])].map((id) => {
      const order = state.orders.get(id);
      return order ? brokerOrderIdOf(order) : null;
    }),
  );
}

/** What was told was true as far as could be known: the broker has reported a trade of the order since. */
function isCorrectedByFill(day: Day, told: OrderStatement, now: OrderStatement['status']): boolean {
  if (now !== 'partial' && now !== 'filled') return false;
  const { world } = day;
  const ids = brokerIdsOf(day, told.orderId);
  return [world.sandbox.kite, world.sandbox.primary].some((inspector) =>
    inspector.fills().some((fill) => {
      if (!ids.has(fill.orderId)) return false;
      return fill.at > knownFrom(world, told.at) || isUnread(world, fill, told.at);
    }),
  );
}

/** What came after that could not be known: nothing new is while the disk is full, or another user logged in. */
function knownFrom({ impaired }: World, at: number): number {
  const during = impaired.filter(({ from, until }) => from <= at && at <= until + MINUTE_MS);
  return Math.min(at, ...during.map(({ from }) => from));
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
 * order that ended as not sent or rejected, has no broker order behind a request sent by then, or for a call
 * that was made by then.
 */
export function notPlacedIsTrue(day: Day): Violation[] {
  const { world } = day;
  const violations: Violation[] = [];
  for (const statement of day.statements) {
    if (!claimsNotPlaced(day, statement)) continue;
    const sentAt = world.sent.filter(
      (sent) => sent.placing && sent.wanted === statement.wanted && isOfBefore(sent, statement),
    );
    const taken = world.taken.filter((each) => each.wanted === statement.wanted);
    for (const each of taken) {
      const row = rowOf(world, each.broker satisfies LiveBroker, each.brokerOrderId);
      const receipt = row?.receipt;
      // Told as rejected, and rejected there: risk management lists what it has refused.
      const isSame = statement.kind === 'order' && statement.status === 'rejected';
      if (isSame && row?.phase === 'rejected' && row.filledQuantity === 0) continue;
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

/**
 * Codes that say nothing of an earlier request under the key (docs/problems.md, "Two fields"); and a refusal by the broker,
 * which S16 holds against the broker's words.
 */
const SAY_NOTHING: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'order_refused']);

/** Whether a problem says that nothing of what was asked for has happened, by this request or another one under its key. */
export const saysNothingHappened = ({
  code,
  mayHaveExecuted,
}: {
  readonly code: string;
  readonly mayHaveExecuted: boolean;
}): boolean => !mayHaveExecuted && !SAY_NOTHING.has(code);

/**
 * Whether a request had left when something was told, or leaves later for a call that was made no later than the one that
 * was answered: a problem is about its own request, and about earlier ones under the key. Within a millisecond, the order
 * of the calls decides.
 */
export function isOfBefore(
  { at, asking }: Pick<Sent, 'at' | 'asking'>,
  told: { readonly at: number; readonly call?: number },
): boolean {
  if (told.call === undefined || asking === null) return at <= told.at;
  return at < told.at || asking.number <= told.call;
}

function claimsNotPlaced(day: Day, statement: Statement): boolean {
  if (statement.kind === 'problem') {
    return statement.of === 'placing' && saysNothingHappened(statement);
  }
  if (day.worded.has(statement.orderId)) return false;
  if (statement.status === 'not_sent') return true;
  // A rejected order may have a row at the broker: one that was taken and then refused there.
  const orders = sentUnder(day.state, statement.wanted);
  // What is told of a broker that refused what it took has to be corrected: see S16.
  if (wasRefused(day, statement)) return false;
  return (
    statement.status === 'rejected' && orders.every((order) => brokerOrderIdOf(order) === null)
  );
}

/** Problems that nobody foresaw: the face would have answered 500. */
export function nothingUnforeseen({ statements }: Day): Violation[] {
  return statements.flatMap((statement) =>
    statement.kind === 'problem' && statement.code === 'internal'
      ? [violation('S0', `${statement.wanted}: ${statement.detail}`)]
      : [],
  );
}

/**
 * S5: an order is not told as disputed because its book is gone before that book is gone, at 06:00. Left out is a
 * process to which its broker has answered nothing yet, or nothing since its clock was set ahead, which ends the
 * session: it has its own clock alone, and the first book takes that back.
 */
export function booksAreGone({
  statements,
  world,
}: Pick<Day, 'statements'> & { readonly world: Answered }): Violation[] {
  return statements.flatMap((statement) => {
    if (statement.kind !== 'order' || statement.status !== 'disputed') return [];
    const day = /the book of (\d{4}-\d\d-\d\d) was gone/.exec(statement.reason ?? '')?.[1];
    if (day === undefined) return [];
    const gone = Date.parse(`${day}T06:00:00+05:30`) + DAY_MS;
    if (statement.at >= gone - MINUTE_MS || !wasAnswered(world, statement)) return [];
    return [violation('S5', `${statement.wanted} was told ${statement.reason ?? ''}, too early`)];
  });
}

type Answered = Pick<World, 'sent' | 'births'> & { readonly plan: Pick<SeedPlan, 'mishaps'> };

/** Whether the broker of an order had answered the process that told of it, by the clock that it then had. */
function wasAnswered({ sent, births, plan }: Answered, { at, broker }: OrderStatement): boolean {
  const jumps = plan.mishaps.flatMap((each) =>
    each.kind === 'clock_jump' && each.byMs > 0 ? [each.at] : [],
  );
  const since = Math.max(-Infinity, ...[...births, ...jumps].filter((each) => each <= at));
  return sent.some(
    (each) =>
      each.broker === broker &&
      each.at >= since &&
      each.answer?.reaction.kind === 'answer' &&
      each.answer.at <= at,
  );
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
