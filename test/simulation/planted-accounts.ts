/** Mistakes about what accounts hold, the exit guard and the kill switch; see `PlantedBug`. */
export const BUGS_ABOUT_ACCOUNTS = [
  {
    name: 'a position whose row comes twice counts twice',
    edits: [
      {
        file: 'src/execution/reconcile/held.ts',
        find: 'believedRows(oneRowEach(command))',
        replace: 'believedRows(command)',
      },
    ],
  },
  {
    name: 'an order whose row comes twice in a book counts twice',
    edits: [
      {
        file: 'src/execution/reconcile/one-row-per-order.ts',
        find: 'if (takeRows(listed)) return listed;',
        replace: 'if (takeRows(listed) || listed.length > 0) return listed;',
      },
    ],
  },
  {
    name: 'a row of which a price cannot be read shows all that was filled',
    edits: [
      {
        file: 'src/execution/reconcile/count-beside.ts',
        find: 'const notShown = Math.max(0, lacking, isUnexplained ? recent : 0);',
        replace: `const isCut = (portfolio?.unread ?? []).some(({ list }) => list === 'positions');
    const notShown = isCut ? 0 : Math.max(0, lacking, isUnexplained ? recent : 0);`,
      },
    ],
  },
  {
    name: 'sales under the name of the other exchange do not count',
    edits: [
      {
        file: 'src/execution/reconcile/held.ts',
        find: "if (sameness === 'known') held += delivered + Math.min(0, today);",
        replace: "if (sameness === 'known') held += delivered;",
      },
    ],
  },
  {
    name: 'what was bought under the name of the other exchange today counts as delivered',
    edits: [
      {
        file: 'src/execution/reconcile/held.ts',
        find: "if (sameness === 'known') held += delivered + Math.min(0, today);",
        replace: "if (sameness === 'known') held += delivered + today;",
      },
    ],
  },
  {
    name: 'what others have sold under the other name and the positions lack does not count',
    edits: [
      {
        file: 'src/execution/reconcile/count-beside.ts',
        find: '...{ broker, terms, day, portfolio, isinOf, others: others.filled },',
        replace: '...{ broker, terms, day, portfolio, isinOf, others: new Map() },',
      },
    ],
  },
  {
    name: 'an exit is flat while the same shares are held under another name',
    edits: [
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: 'const otherNames = heldUnderOtherNames(portfolio, terms, isinOf);',
        replace: 'const otherNames: readonly string[] = [];',
      },
    ],
  },
  {
    name: 'a list of positions that fails is one without positions',
    edits: [
      {
        file: 'src/adapters/primary/positions.ts',
        find: 'joinedPositions([...answers, { rows: [], unread: missing }])',
        replace: 'joinedPositions([...answers, { rows: [], unread: missing.slice(0, 0) }])',
      },
    ],
  },
  {
    name: 'the list beside one that fails is of the product that was asked for, whatever it has',
    edits: [
      {
        file: 'src/adapters/primary/positions.ts',
        find: 'if (failed[0] && (isAlone || !isListOf(segment, given))) throw failed[0].error;',
        replace: 'if (failed[0] && isAlone) throw failed[0].error;',
      },
    ],
  },
  {
    name: 'what the price protection has kept from filling does not go out as MARKET',
    edits: [
      {
        file: 'src/execution/exits/outside-protection.ts',
        find: "return plan.isMarketBlocked ? null : { ...plan, orderType: 'MARKET', protectedAt: price };",
        replace: 'return null;',
      },
    ],
  },
  {
    name: 'an account whose token is in the settings is not read at the start',
    edits: [
      {
        file: 'src/compose/follow-sessions.ts',
        find: 'if (brokers.view(id).blocked === null) execution.wake(id);',
        replace:
          'if (brokers.session(id) && brokers.view(id).blocked === null) execution.wake(id);',
      },
    ],
  },
  {
    name: 'an exit goes to paper because paper holds some, while the live position stays',
    edits: [
      {
        file: 'src/execution/submit/reduce-only.ts',
        find: "own?.mode === 'live' || route[0] === broker",
        replace: 'own !== undefined || route[0] === broker',
      },
    ],
  },
  {
    name: 'a key that may trade releases the kill switch',
    edits: [
      {
        file: 'src/routes/kill-switch.ts',
        find: "if (!engaged) mustAllow(caller, 'admin', 'releasing the kill switch');",
        replace: '',
      },
    ],
  },
  {
    name: 'under the kill switch, an opening order may become a market order',
    edits: [
      {
        file: 'src/execution/submit/amended-terms.ts',
        find: 'if (onlyLowers(toChange, changes)) return null;\n  const { lowest, highest }',
        replace:
          'if ((changes.quantity ?? 0) <= order.terms.quantity) return null;\n  const { lowest, highest }',
      },
    ],
  },
  {
    name: 'a stop of unrecognised status is cancelled while it protects a position',
    edits: [
      {
        file: 'src/execution/submit/decide-unrecognised.ts',
        find: 'if (opposesHeld(state, order, isinOf)) return',
        replace: "if (opposesHeld(state, order, isinOf) && order.broker === '') return",
      },
    ],
  },
  {
    name: 'the kill switch goes by a portfolio of any age',
    edits: [
      {
        file: 'src/execution/submit/guards.ts',
        find: 'unread: await accounts.refreshForExit({ broker, terms, until, passes }),',
        replace: 'unread: until < 0 ? broker : null,',
      },
    ],
  },
  {
    name: 'under the kill switch, a quantity grows again while the book lags behind its lowering',
    edits: [
      {
        file: 'src/execution/order/possible-terms.ts',
        find: 'const all = possibleFigures(toChange).quantity;',
        replace: 'const all = [termsOfRow(toChange).quantity];',
      },
    ],
  },
  {
    name: 'orders of the app do not count against an exit under the kill switch',
    edits: [
      {
        file: 'src/execution/reconcile/count-beside.ts',
        find: 'const { resting, unread } = others;',
        replace: 'const { resting, unread } = { ...others, resting: 0 };',
      },
    ],
  },
  {
    name: 'positions are believed before they show a fill',
    edits: [
      {
        file: 'src/execution/reconcile/count-beside.ts',
        find: 'const notShown = Math.max(0, lacking, isUnexplained ? recent : 0);',
        replace: 'const notShown = Math.min(0, lacking);',
      },
    ],
  },
  {
    name: 'an order of another user is cancelled and modified in the present session',
    edits: [
      {
        file: 'src/execution/submit/send-amendment.ts',
        find: 'const foreign = await foreignReason(orderId, account);',
        replace: 'const foreign = await foreignReason(orderId, null);',
      },
    ],
  },
  {
    name: 'a row that a read of an account lacks is nothing held',
    edits: [
      {
        file: 'src/execution/closings/new-closing.ts',
        find: '!mayLackRow(parts, portfolio);',
        replace: '!(mayLackRow(parts, portfolio) && portfolio.positions.length < 0);',
      },
      {
        file: 'src/execution/reconcile/missing-rows.ts',
        find: 'row.quantity !== 0 && !(isOtherDay',
        replace: 'row.quantity === 0 && !(isOtherDay',
      },
    ],
  },
  {
    name: 'a copied directory sends',
    edits: [
      {
        file: 'src/compose/brokers.ts',
        find: "mode === 'live' ? sendingNothing(created, parts.disarmed) : created;",
        replace: "mode === 'live' ? sendingNothing(created, () => null) : created;",
      },
    ],
  },
];
