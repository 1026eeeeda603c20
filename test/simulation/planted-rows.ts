/** Mistakes about whose row an order is, and about which refusals are believed; see `PlantedBug`. */
export const BUGS_ABOUT_ROWS_AND_REFUSALS = [
  {
    name: 'a repeat that spells its instrument in another way is another request',
    edits: [
      {
        file: 'src/execution/submit/request-identity.ts',
        find: 'const { instrument, listsAreWhole } = await resolve(written);',
        replace: 'const [instrument, listsAreWhole]: [Instrument | null, boolean] = [null, true];',
      },
    ],
  },
  {
    name: 'an acknowledged id that a book had shown before is believed',
    edits: [
      {
        file: 'src/execution/submit/decide-place.ts',
        find: 'if (wasSeenBefore(unit, attempt, brokerOrderId)) {',
        replace: 'if (unit.at < 0 && wasSeenBefore(unit, attempt, brokerOrderId)) {',
      },
    ],
  },
  {
    name: 'the first row of an acknowledged id is not compared with the order',
    edits: [
      {
        file: 'src/execution/reconcile/misacknowledged.ts',
        find: 'if (row.side === terms.side && isAsked && !isOther(order, row)) return null;',
        replace:
          'if (unit.at > 0 || (row.side === terms.side && isAsked && !isOther(order, row))) return null;',
      },
    ],
  },
  {
    name: 'two acknowledgements that were swapped are left as they are',
    edits: [
      {
        file: 'src/execution/reconcile/tagged-rows.ts',
        find: 'const isSwapped = isBoundElsewhere(read, attempt, row) &&',
        replace: 'const isSwapped = unit.at < 0 && isBoundElsewhere(read, attempt, row) &&',
      },
    ],
  },
  {
    name: 'a row with a wrong id that one read shows moves an acknowledged order',
    edits: [
      {
        file: 'src/execution/reconcile/tagged-rows.ts',
        find: 'if (!isKnown && !isNamed && !isSecond) return;',
        replace: 'if (!isKnown && unit.at < 0) return;',
      },
    ],
  },
  {
    name: 'an acknowledged id that no book shows is waited for without end',
    edits: [
      {
        file: 'src/execution/reconcile/misacknowledged.ts',
        find: 'if (!news.complete) reopenUnshown(unit, observation, day, reopened);',
        replace: 'if (unit.at < 0) reopenUnshown(unit, observation, day, reopened);',
      },
    ],
  },
  {
    name: 'an equal row without our tag does not keep an order from being called absent',
    edits: [
      {
        file: 'src/execution/reconcile/absence.ts',
        find: 'if (isProof && doubtful === null) return proveAbsent',
        replace: 'if (isProof && (doubtful === null || tagged)) return proveAbsent',
      },
    ],
  },
  {
    name: 'an order that was called absent is not doubted by a row without its tag',
    edits: [
      {
        file: 'src/execution/reconcile/reconcile.ts',
        find: '    doubtAbsence(unit, placing',
        replace: '    if (unit.at < 0) doubtAbsence(unit, placing',
      },
    ],
  },
  {
    name: 'an order is that of an equal row, however much later it was made',
    edits: [
      {
        file: 'src/execution/reconcile/matching.ts',
        find: "if (whenMade(placing, row) === 'later') return false;",
        replace: "if (whenMade(placing, row) === 'later') return true;",
      },
    ],
  },
  {
    name: 'the trades are not read for an order whose row the book lacks',
    edits: [
      {
        file: 'src/execution/reconcile/untold-by-rows.ts',
        find: 'withoutRow(of, rows).length > 0 ||',
        replace: 'withoutRow(of, rows).length < 0 ||',
      },
    ],
  },
  {
    name: "a trade is not told by the exchange's id of an order whose row the book lacks",
    edits: [
      {
        file: 'src/execution/reconcile/book-trades.ts',
        find: '[...gone.ofOpen(), ...rows, ...unread.filter(isNamed)]',
        replace: '[...rows, ...unread.filter(isNamed)]',
      },
    ],
  },
  {
    name: 'what a row said last is told as known, for as long as the row is gone',
    edits: [
      {
        file: 'src/execution/reconcile/lost-rows.ts',
        find: '(lostFor ?? 0) >= LOST_AFTER_MS',
        replace: '(lostFor ?? 0) < 0',
      },
    ],
  },
  {
    name: 'a row of the evening before counts as one of this morning',
    day: 'night' as const,
    edits: [
      {
        file: 'src/execution/reconcile/lost-rows.ts',
        find: 'if (day <= order.day || day > lastBookDay(order)) return true;',
        replace: 'if (day <= order.day || lastBookDay(order) !== order.day) return true;',
      },
    ],
  },
  {
    name: 'what can be read of a row that cannot be read whole is no evidence of its order',
    edits: [
      {
        file: 'src/execution/reconcile/unread-rows.ts',
        find: 'if (tag !== null && tags.includes(tag)) return true;',
        replace: "if (tag === '') return true;",
      },
      {
        file: 'src/execution/reconcile/unread-rows.ts',
        find: 'if (instrument !== null && isOther(order, { instrument })) return false;',
        replace: 'if (instrument !== null && instrument !== order.terms.instrument) return false;',
      },
      {
        file: 'src/execution/reconcile/match-unread.ts',
        find: 'return tagged.length === 0 ? match : matchTagged(',
        replace: 'return tagged.length >= 0 ? match : matchTagged(',
      },
    ],
  },
  {
    name: 'a row that cannot be read whole is in no book when a person names it',
    edits: [
      {
        file: 'src/execution/submit/resolve-order.ts',
        find: 'return alike ?? named[0] ?? (read?.unread ?? []).filter(hasId)',
        replace: 'return alike ?? named[0] ?? (read?.unread ?? []).filter(() => false)',
      },
    ],
  },
  {
    name: "zeros in the place of an exchange's id join rows and trades",
    edits: [
      {
        file: 'src/domain/broker-order.ts',
        find: 'return isNone ? null : id;',
        replace: "return isNone && id === '' ? null : id;",
      },
    ],
  },
  {
    name: "the LIMIT row of a MARKET order is another order's",
    edits: [
      {
        file: 'src/execution/order/attempt.ts',
        find: 'if (!marketAsLimit || !(isMarket(one) || isMarket(other))) return false;',
        replace: 'if (marketAsLimit || !(isMarket(one) || isMarket(other))) return false;',
      },
    ],
  },
  {
    name: 'what the book held before the send is forgotten at the acknowledgement',
    edits: [
      {
        file: 'src/execution/order/settle-place.ts',
        find: "const baseline = outcome.kind === 'not_sent' ? null : attempt.baseline;",
        replace:
          "const baseline = ['not_sent', 'acknowledged'].includes(outcome.kind) ? null : attempt.baseline;",
      },
    ],
  },
  {
    name: 'a row of an order that was refused is not looked at again',
    edits: [
      {
        file: 'src/execution/reconcile/sought-placings.ts',
        find: 'return [...open, ...contradicted(unit, observation, news, day)];',
        replace:
          'return open.concat(unit.at < 0 ? contradicted(unit, observation, news, day) : []);',
      },
    ],
  },
  {
    name: 'any text of an InputException or a UserException is believed as a refusal',
    edits: [
      {
        file: 'src/adapters/alt/errors.ts',
        find: 'if (leavesOpen(message)) return null;',
        replace: "if (leavesOpen(message)) return code === 'OrderException' ? null : 'other';",
      },
    ],
  },
  {
    name: 'a refusal in words that nobody has listed is believed without a book',
    edits: [
      {
        file: 'src/execution/submit/confirm-refusal.ts',
        find: "if (outcome.kind !== 'refused' || outcome.isUnlisted !== true) return outcome;",
        replace: "if (outcome.kind !== 'refused' || clock.elapsed() >= 0) return outcome;",
      },
    ],
  },
  {
    name: 'words of the primary brokerage that leave it open are a refusal',
    edits: [
      {
        file: 'src/adapters/primary/refusals.ts',
        find: "if (leavesOpen(words) || leavesOpen(code ?? '')) return false;",
        replace: "if (status === 408 && leavesOpen(code ?? '')) return false;",
      },
    ],
  },
  {
    name: 'a status that says that a server on the way stopped waiting is believed as a refusal',
    edits: [
      {
        file: 'src/domain/outcome.ts',
        find: 'return status >= 500 || STOPPED_WAITING.has(status);',
        replace: 'return status >= 500 || STOPPED_WAITING.has(-status);',
      },
    ],
  },
  {
    name: 'what has filled is cut down to the quantity of the row',
    edits: [
      {
        file: 'src/execution/order/order-size.ts',
        find: 'const least = Math.max(told, Math.min(seen, highest));',
        replace: 'const least = Math.min(Math.max(told, seen), row?.quantity ?? highest);',
      },
      {
        file: 'src/execution/order/order-size.ts',
        find: 'const total = row === null || isDoubtful ? Math.max(known, least) : row.quantity;',
        replace: 'const total = row?.quantity ?? known;',
      },
      {
        file: 'src/execution/order/fills.ts',
        find: "if (isWhole && (!isDoubtful || row.status === 'filled')) return 'filled';",
        replace: "if (isWhole || isDoubtful === undefined) return 'filled';",
      },
    ],
  },
  {
    name: 'an open row ends its order though more was asked for than it shows',
    edits: [
      {
        file: 'src/execution/order/order-size.ts',
        find: 'unshownBy(row, asked).some((quantity) => quantity > row.quantity);',
        replace: 'unshownBy(row, asked).some((quantity) => quantity < 0);',
      },
    ],
  },
  {
    name: 'a row or a trade is that of an order by its id alone',
    edits: [
      {
        file: 'src/execution/reconcile/own-rows.ts',
        find: 'const others = othersRows(unit, observation, news.rows, day);',
        replace:
          'const others = unit.at < 0 ? othersRows(unit, observation, news.rows, day) : new Set();',
      },
      {
        file: 'src/execution/reconcile/book-trades.ts',
        find: 'if (isOthersTrade(unit, { broker, rows, isOther }, order, trade, day)) continue;',
        replace:
          'if (unit.at < 0 && isOthersTrade(unit, { broker, rows, isOther }, order, trade, day)) continue;',
      },
    ],
  },
];
