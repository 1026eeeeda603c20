import type { Statement } from '../statements.ts';
import { type Day, violation, type Violation } from './context.ts';
import { isForgottenOther } from './orders.ts';
import { mayBeBelieved } from './refused-words.ts';
import { isOfBefore, saysNothingHappened } from './told.ts';

/** S49: one key makes one thing at one broker, whether that is an order or a trigger. */
export function oneKeyOneBroker({ world, state }: Day): Violation[] {
  const made = new Map<string, Set<string>>();
  const add = (wanted: string, what: string): void => {
    if (wanted !== '?') made.set(wanted, (made.get(wanted) ?? new Set()).add(what));
  };
  for (const taken of world.taken) {
    // The slices of an order are at one broker: S1 counts them.
    if (!isForgottenOther(world, taken)) add(taken.wanted, `an order at ${taken.broker}`);
  }
  for (const { wanted, triggerId } of world.takenTriggers) add(wanted, `trigger ${triggerId}`);
  const written = new Map<string, string>();
  for (const { caller, idempotencyKey, id } of state.triggers.values()) {
    const order = state.orderByKey.get(`${caller}\n${idempotencyKey}`);
    if (order !== undefined) written.set(`${caller}/${idempotencyKey}`, `${id} and ${order}`);
  }
  return [
    ...[...made]
      .filter(([, what]) => what.size > 1)
      .map(([wanted, what]) => violation('S49', `${wanted} made ${[...what].join(' and ')}`)),
    ...[...written].map(([wanted, ids]) => violation('S49', `${wanted} is written as ${ids}`)),
  ];
}

type Problem = Extract<Statement, { kind: 'problem' }>;

/**
 * S50: a program that asks for a change, a cancel, an exit or a closing is told that nothing has happened only where
 * that is so of all its requests under the key that had been made by then.
 */
export function nothingHappenedIsTrue(day: Day): Violation[] {
  return day.statements.flatMap((statement) => {
    if (statement.kind !== 'problem' || statement.of === 'placing') return [];
    if (statement.under === null || !saysNothingHappened(statement)) return [];
    const what = done(day, statement, statement.under);
    if (what === null) return [];
    const { wanted, of, code } = statement;
    return [violation('S50', `${wanted} was told ${code} of its ${of}, and ${what}`)];
  });
}

/** What a request under the name has done, or does for a call that was under way when the problem was told; null for nothing. */
function done({ world, state }: Day, told: Problem, under: string): string | null {
  const { at, call, of, wanted } = told;
  if (of === 'exit' || of === 'closing') {
    const records = [...(of === 'exit' ? state.exits : state.closings).values()];
    const begun = records.find((each) => `${each.caller}/${each.idempotencyKey}` === wanted);
    if (begun === undefined) return null;
    // A call that was made after the one that was answered may have begun it.
    const isLater = world.asked.calls.some((each) => each.under === under && each.number > call);
    const seen = (of === 'exit' ? world.exits : world.closings) as ReadonlyMap<string, Seen>;
    const wasThere = (seen.get(begun.id)?.begunAt ?? Infinity) <= at;
    return wasThere || !isLater ? `it has begun as ${begun.id}` : null;
  }
  const sent = world.sent.find(
    (each) =>
      each.asking?.under === under &&
      each.hasChanged &&
      isOfBefore(each, told) &&
      !(told.code === 'change_refused' && mayBeBelieved(each)),
  );
  return sent === undefined ? null : `${sent.request.method} ${sent.request.url} has made it`;
}

interface Seen {
  readonly begunAt: number;
}
