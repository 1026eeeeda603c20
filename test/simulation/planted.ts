import type { DayKind } from './hours.ts';
import { BUGS_ABOUT_ACCOUNTS } from './planted-accounts.ts';
import { BUGS_ABOUT_BASKETS } from './planted-baskets.ts';
import { BUGS_ABOUT_CHANGES } from './planted-changes.ts';
import { BUGS_ABOUT_WAYS_OUT } from './planted-edges.ts';
import { BUGS_ABOUT_EXITS } from './planted-exits.ts';
import { BUGS_ABOUT_KEYS } from './planted-keys.ts';
import { QUIET_BUGS } from './planted-quiet.ts';
import { BUGS_ABOUT_RECORDS } from './planted-records.ts';
import { BUGS_ABOUT_ROWS_AND_REFUSALS } from './planted-rows.ts';
import { BUGS_ABOUT_SIGNALS } from './planted-signals.ts';
import { BUGS_ABOUT_TIME } from './planted-time.ts';
import { BUGS_ABOUT_TRIGGERS } from './planted-triggers.ts';
import { BUGS_ABOUT_USED_KEYS } from './planted-used-keys.ts';

/** One bug, planted by changing the source in one place or two. `find` stands there exactly once. */
export interface PlantedBug {
  readonly name: string;
  /** The kind of day that shows it; an afternoon of trading when absent. */
  readonly day?: DayKind;
  readonly edits: readonly {
    readonly file: string;
    readonly find: string;
    readonly replace: string;
  }[];
}

/** What the checker must be able to find: the mistakes that gateways make, and a few more. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'blind retry on timeout',
    edits: [
      {
        file: 'src/execution/submit/last-look.ts',
        find: `return leaving.outcome(
      await trading.place({ attemptId, terms: marked, instrument, tag, wayOut, mayLeave }),`,
        replace: `const request = { attemptId, terms: marked, instrument, tag, wayOut, mayLeave };
    const first = await trading.place(request);
    return leaving.outcome(
      first.kind === 'uncertain' ? await trading.place(request) : first,`,
      },
    ],
  },
  {
    name: 'called absent after 15 s',
    edits: [
      {
        file: 'src/execution/reconcile/absence.ts',
        find: 'begunAt < plus(attempt.sentAt, rule.afterMs)',
        replace: 'begunAt < plus(attempt.sentAt, 15_000)',
      },
      {
        file: 'src/execution/reconcile/absence.ts',
        find: '(sinceSend(attempt) ?? Infinity) < rule.afterMs',
        replace: '(sinceSend(attempt) ?? Infinity) < 15_000',
      },
      {
        file: 'src/execution/reconcile/absence.ts',
        find: 'isDayClosed(placing, observation) && isLaterThanSend(placing, observation)',
        replace: 'begunAt >= plus(attempt.sentAt, 15_000)',
      },
    ],
  },
  {
    name: 'commit after send',
    edits: [
      {
        file: 'src/platform/single-writer.ts',
        find: 'await store.commit(units.map((unit) => unit.changes));',
        replace: `await (async () => {
              for (const unit of decided) unit.answer();
              await new Promise<void>((resolve) => scheduler.after(30, resolve));
              return store.commit(units.map((unit) => unit.changes));
            })();`,
      },
    ],
  },
  {
    name: 'fsync off',
    edits: [
      {
        file: 'src/platform/database.ts',
        find: "database.exec('PRAGMA synchronous = FULL');",
        replace: "database.exec('PRAGMA synchronous = OFF');",
      },
    ],
  },
  {
    name: 'no dedupe of fills',
    edits: [
      {
        file: 'src/execution/reconcile/book-trades.ts',
        find: 'day: dayOfTrade(fill, order, day), brokerOrderId };',
        replace:
          'day: dayOfTrade(fill, order, day), brokerOrderId, fillId: `${fill.fillId}|${unit.at}` };',
      },
      {
        file: 'src/execution/reconcile/book-trades.ts',
        find: 'fillId: fill.fillId,',
        replace: "fillId: [fill.fillId, unit.at].join('|'),",
      },
    ],
  },
  {
    name: 'failover of an uncertain order',
    edits: [
      {
        file: 'src/execution/submit/send-order.ts',
        find: 'const outcome = await believeRefusal(parts, poller, reply.attempt.id, answer);',
        replace: `const real = await believeRefusal(parts, poller, reply.attempt.id, answer);
        const outcome: Outcome =
          real.kind === 'uncertain' && candidates.at(-1) !== trading ? notSent('connect', real.reason) : real;`,
      },
    ],
  },
  {
    name: 'tag ignored',
    edits: [
      {
        file: 'src/execution/reconcile/matching.ts',
        find: 'const tagged = free.filter((row) => row.tags.includes(attempt.tag));',
        replace: 'const tagged = free.filter((row) => row.tags.length < 0);',
      },
    ],
  },
  {
    name: 'baseline taken after the send',
    edits: [
      {
        file: 'src/execution/submit/send-order.ts',
        find: 'const outcome = await believeRefusal(parts, poller, reply.attempt.id, answer);',
        replace: `const outcome = await believeRefusal(parts, poller, reply.attempt.id, answer);
        if (outcome.kind === 'uncertain' && prepared.baseline !== null) {
          const late = await pollerOf(trading).read(clock.elapsed()).catch(() => null);
          const baseline = (late?.rows ?? []).map((row) => row.brokerOrderId);
          const { id } = reply.attempt;
          await writer.submit((now) => {
            const row = { ...(now.attempts.get(id) as PlaceAttemptRecord), baseline };
            return { changes: [{ table: 'attempts', key: id, row }], reply: null };
          });
        }`,
      },
    ],
  },
  {
    name: 'an outage taken for a missing session',
    edits: [
      {
        file: 'src/domain/outcome.ts',
        find: "return blocked !== null && (blocked.cause === 'token' || blocked.cause === 'not_open');",
        replace: 'return blocked !== null;',
      },
    ],
  },
  {
    name: 'an unknown refusal taken for a known one',
    edits: [
      {
        file: 'src/execution/submit/send-order.ts',
        find: 'const outcome = await believeRefusal(parts, poller, reply.attempt.id, answer);',
        replace: `const real = await believeRefusal(parts, poller, reply.attempt.id, answer);
        const outcome: Outcome =
          real.kind === 'uncertain' && real.failure.kind === 'http'
            ? { kind: 'refused', rejection: 'other', reason: real.reason }
            : real;`,
      },
    ],
  },
  {
    name: 'crash recovery forgets what was being sent',
    edits: [
      {
        file: 'src/execution/reconcile/recovery.ts',
        find: "unit.move(attempt.orderId, { type: 'lose_track', reason });",
        replace: "unit.move(attempt.orderId, { type: 'give_up', reason });",
      },
    ],
  },
  {
    name: 'the kill switch is not looked at',
    edits: [
      {
        file: 'src/execution/submit/brakes.ts',
        find: 'if (record?.engaged === true) {',
        replace: 'if (record !== null && record.engaged === undefined) {',
      },
    ],
  },
  {
    name: 'an after-market order is looked for in the book of its evening alone',
    day: 'night',
    edits: [
      {
        file: 'src/execution/reconcile/matching.ts',
        find: 'order.day < day && day',
        replace: 'order.day === day && day',
      },
    ],
  },
  {
    name: 'an after-market order is called absent at the close before it',
    day: 'night',
    edits: [
      {
        file: 'src/execution/order/order-day.ts',
        find: 'settledOn(lastBookDay(order), order) : UNDECIDABLE',
        replace: 'settledOn(order.day, order) : UNDECIDABLE',
      },
    ],
  },
  {
    name: 'a row of the morning is taken for an after-market order that was released',
    day: 'night',
    edits: [
      {
        file: 'src/execution/reconcile/when-made.ts',
        find: "istTime(session, '09:00')",
        replace: "istTime(session, '00:00')",
      },
    ],
  },
  {
    name: 'an after-market order is changed as one when the exchange has it',
    day: 'night',
    edits: [
      {
        file: 'src/adapters/alt/request.ts',
        find: "return named === 'amo' && exchange_order_id ? 'regular' : named;",
        replace: 'return named;',
      },
      // The sender of cancels knows it, too, once the exchange has taken all after-market orders.
      {
        file: 'src/adapters/alt/trading.ts',
        find: "known.variety === 'amo' ? { ...known, variety: 'regular' } : known;",
        replace: "known.variety === '' ? { ...known, variety: 'regular' } : known;",
      },
    ],
  },
  {
    name: 'a row that cannot be read whole does not tell that the exchange has an after-market order',
    day: 'night',
    edits: [
      {
        file: 'src/adapters/alt/trading.ts',
        find: 'for (const row of unread) learnVariety(varieties, row);',
        replace:
          'for (const row of unread) learnVariety(varieties, { ...row, exchange_order_id: null });',
      },
      {
        file: 'src/adapters/alt/trading.ts',
        find: "known.variety === 'amo' ? { ...known, variety: 'regular' } : known;",
        replace: "known.variety === '' ? { ...known, variety: 'regular' } : known;",
      },
    ],
  },
  ...BUGS_ABOUT_ACCOUNTS,
  ...BUGS_ABOUT_ROWS_AND_REFUSALS,
  ...BUGS_ABOUT_TIME,
  ...BUGS_ABOUT_WAYS_OUT,
  ...BUGS_ABOUT_EXITS,
  ...BUGS_ABOUT_BASKETS,
  ...BUGS_ABOUT_CHANGES,
  ...BUGS_ABOUT_TRIGGERS,
  ...BUGS_ABOUT_USED_KEYS,
  ...BUGS_ABOUT_KEYS,
  ...BUGS_ABOUT_SIGNALS,
  ...BUGS_ABOUT_RECORDS,
  ...QUIET_BUGS,
];
