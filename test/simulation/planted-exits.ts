/** What would keep such a leg back at last: a mistake before it shows without it alone. */
const NO_LAST_LOOK = {
  file: 'src/execution/submit/last-look.ts',
  find: 'checked.isLeg && freeToReduce(',
  replace: '!checked.isLeg && freeToReduce(',
};

/** Mistakes in the way out of a position (docs/exits.md). */
export const BUGS_ABOUT_EXITS = [
  {
    name: 'an exit goes by an account that was read a minute ago',
    edits: [
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: 'since: clock.elapsed(),',
        replace: '',
      },
    ],
  },
  {
    name: 'a leg of an exit has the quantity of the one before it',
    edits: [
      {
        file: 'src/execution/exits/send-leg.ts',
        find: 'Math.floor(Math.min(free, most, freeze) / lotSize) * lotSize',
        replace:
          'Math.floor(Math.min(exit().legs.at(-1)?.quantity ?? free, most, freeze) / lotSize) * lotSize',
      },
      NO_LAST_LOOK,
    ],
  },
  {
    name: 'what orders have opened and the positions do not show yet is nothing held',
    edits: [
      {
        file: 'src/execution/exits/held-at-end.ts',
        find: 'opened: Math.max(0, openedUnshown - toldOf(beside)),',
        replace: 'opened: 0,',
      },
    ],
  },
  {
    name: 'what orders placed elsewhere have moved and the positions do not show yet is sold again',
    edits: [
      {
        file: 'src/execution/reconcile/count-beside.ts',
        find: 'const all = own + (others.filled.get(terms.instrument) ?? 0);',
        replace: 'const all = own;',
      },
    ],
  },
  {
    name: 'the instrument of a row is compared as it is spelled',
    edits: [
      {
        file: 'src/adapters/kit/row-words.ts',
        find: "[plainWord(exchange ?? ''), plainWord(symbol ?? '')]",
        replace: "[(exchange ?? '').trim(), (symbol ?? '').trim()]",
      },
    ],
  },
  {
    name: 'zeros before a security id make its row one of other shares',
    edits: [
      {
        file: 'src/adapters/primary/schemas.ts',
        find: "return text(fields, 'security_id')?.replace(/^0+(?=\\d+$)/, '') ?? null;",
        replace: "return text(fields, 'security_id') ?? null;",
      },
    ],
  },
  {
    name: 'an open row of a quantity of 0 takes nothing of what is held',
    edits: [
      {
        file: 'src/execution/reconcile/book-shares.ts',
        find: 'else if (row.mostLeft === null) unread.push(withoutQuantity(row));',
        replace: '',
      },
    ],
  },
  {
    name: 'of quantities that contradict one another, the smaller one rests',
    edits: [
      {
        file: 'src/adapters/alt/mapping.ts',
        find: '(filled ?? 0)) return { mostLeft: pending };',
        replace: '(filled ?? 0)) return {};',
      },
    ],
  },
  {
    name: 'the quantity of a position is believed although its other figures contradict it',
    edits: [
      {
        file: 'src/adapters/kit/other-quantities.ts',
        find: 'return others.size > 0 ? { otherQuantities: [...others] } : {};',
        replace: 'return {};',
      },
      // The gateway's own count alone would keep it from selling twice.
      {
        file: 'src/execution/submit/reduce-only.ts',
        find: 'Math.min(held, beside.left ?? Infinity)',
        replace: 'held',
      },
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: 'if (!known) return',
        replace: 'if (sold >= 0 || !known) return',
      },
    ],
  },
  {
    name: 'an exit ends at once where something began to rest after its cancels',
    edits: [
      {
        file: 'src/execution/exits/run-exit.ts',
        find: "over.why === 'reserved_elsewhere' && held.newer !== null",
        replace: "over.why === 'not_filled' && held.newer !== null",
      },
    ],
  },
  {
    name: 'an exit retries a leg whose outcome is uncertain',
    edits: [
      {
        file: 'src/execution/exits/send-leg.ts',
        find: `.place(legCommand(parts, exit, sent, instrument)).then(
    () => null,`,
        replace: `.place(legCommand(parts, exit, sent, instrument)).then(
    async ({ order }) => {
      const again = { ...sent, number: number + 1 };
      if (order.state.kind !== 'uncertain') return null;
      await run.note({ legs: [...run.exit().legs, again] });
      await parts.place(legCommand(parts, exit, again, instrument));
      return null;
    },`,
      },
      NO_LAST_LOOK,
    ],
  },
  {
    name: 'the positions are read before the book, and what they lack does not count',
    edits: [
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: 'const uncleared = await resting.clear(exit, mayCancel);',
        replace: `const early = { broker: exit.broker, terms: sharesOf(exit), since: clock.elapsed() };
    const unread = await accounts.refreshForExit({
      ...early,
      until: plus(clock.elapsed(), ACCOUNT_MS),
      passes: () => true,
    });
    if (unread !== null) return notRead(unread);
    const uncleared = await resting.clear(exit, mayCancel);`,
      },
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: `const why = await accounts.refreshForExit({
      ...{ broker, terms },
      // The book was read before: what fills between the two reads counts twice, and is never missed.
      since: clock.elapsed(),
      until: plus(clock.elapsed(), ACCOUNT_MS),
      passes: () => held().moved === 0,
    });
    if (why`,
        replace: 'const why: string | null = null;\n    if (why',
      },
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: 'const beside = accounts.beside(order);',
        // The gateway's own count alone would keep it from selling twice.
        replace: 'const beside = { ...accounts.beside(order), moved: 0, left: Infinity };',
      },
      NO_LAST_LOOK,
    ],
  },
  {
    name: 'a refusal for the price uses up an attempt of an exit',
    edits: [
      {
        file: 'src/execution/exits/next-leg.ts',
        find: "? again({ ...plan, orderType: 'MARKET' })",
        replace: "? again({ ...plan, orderType: 'MARKET', attempt: plan.attempt + 1 })",
      },
    ],
  },
  {
    name: 'the price of an exit is rounded towards the market',
    edits: [
      {
        file: 'src/execution/exits/exit-price.ts',
        find: 'const rounded = (isSell ? downToTick : upToTick)',
        replace: 'const rounded = (isSell ? upToTick : downToTick)',
      },
    ],
  },
  {
    name: 'an account that cannot be read is closed as one that holds nothing',
    edits: [
      {
        file: 'src/execution/closings/new-closing.ts',
        find: 'if (why !== null || !portfolio)',
        replace: `if (why !== null && portfolio) {
      const nothing = { ...portfolio, positions: [], holdings: [] };
      return { portfolio: nothing, isBookWhole: true };
    }
    if (!portfolio)`,
      },
      {
        file: 'src/execution/closings/new-closing.ts',
        find: "throw unreadable(broker, why ?? 'it was not read', parts.poller(broker)?.trading);",
        replace: "throw unreadable(broker, 'it was not read', parts.poller(broker)?.trading);",
      },
    ],
  },
  {
    name: 'a closing closes what is long first',
    edits: [
      {
        file: 'src/execution/closings/plan-closing.ts',
        find: 'phase: net < 0 ? 1 : 2',
        replace: 'phase: net < 0 ? 2 : 1',
      },
    ],
  },
  {
    name: 'a closing goes on as if a row of the positions that it cannot read covered nothing',
    edits: [
      {
        file: 'src/execution/closings/keep-cover.ts',
        find: 'for (const { instrument: name } of unreadShorts(portfolio)) {',
        replace: 'for (const { instrument: name } of unreadShorts({ ...portfolio, unread: [] })) {',
      },
    ],
  },
  {
    name: 'a closing does not say which rows of an account it could not read',
    edits: [
      {
        file: 'src/execution/closings/new-closing.ts',
        find: 'unread.push(...unreadIn(portfolio, command));',
        replace: 'unread.push(...unreadIn({ ...portfolio, unread: [] }, command));',
      },
    ],
  },
  {
    name: 'a limit on orders holds back exits',
    edits: [
      {
        file: 'src/execution/submit/brakes.ts',
        find: "if (code === 'limit_reached' && reducesPosition(state, order, read)) return null;",
        replace: "if (code === 'limit_reached') return brake;",
      },
    ],
  },
  {
    name: 'what a key has of an order with an unknown outcome is not closed, nor said',
    edits: [
      {
        file: 'src/execution/closings/net-of-key.ts',
        find: 'const rest = isKnown ? 0 : Math.max(0, order.terms.quantity - filled);',
        replace: 'const rest = isKnown ? 0 : Math.min(0, order.terms.quantity - filled);',
      },
    ],
  },
  {
    name: 'legs of an exit wait behind entries',
    edits: [
      {
        file: 'src/execution/submit/prepare.ts',
        find: 'const permit = await trading.permit(left(), purpose);',
        replace: 'const permit = await trading.permit(left());',
      },
    ],
  },
  {
    name: 'a book that cannot be read is one without orders placed elsewhere',
    edits: [
      {
        file: 'src/execution/cancel-all/fix-set.ts',
        find: 'unread.push({ broker, why });',
        replace: '',
      },
    ],
  },
  {
    name: 'a cancel of many orders takes an acknowledgement for the end of the order',
    edits: [
      {
        file: 'src/execution/cancel-all/cancel-items.ts',
        find: "await parts.cancel(id, ofRun, caller);\n      return { result: 'cancelling'",
        replace: "await parts.cancel(id, ofRun, caller);\n      return { result: 'cancelled'",
      },
    ],
  },
];
