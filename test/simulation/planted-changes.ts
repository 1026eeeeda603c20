/** Mistakes about changes of which it is open whether they were made, and cancels that are not on disk. */
export const BUGS_ABOUT_CHANGES = [
  {
    name: 'a change that was lost long ago is made by the next one of another field',
    edits: [
      {
        file: 'src/execution/order/possible-terms.ts',
        find: 'const lagging = open.filter((each) => mayLag(toChange.asOf, repeatedUntil(toChange, each)));',
        replace: 'const lagging = open;',
      },
      {
        file: 'src/execution/order/possible-terms.ts',
        find: ': lagging.slice(Math.max(accepted, 0));',
        replace: ': lagging.slice(Math.min(accepted, -1));',
      },
      {
        file: 'src/execution/order/possible-terms.ts',
        find: '...[fieldOf(present), ...(isBraked ? [fieldOf(row)] : [])],',
        replace: '...(values.length > 0 ? [] : [fieldOf(present), fieldOf(row)]),',
      },
    ],
  },
  {
    name: 'a row that shows by chance what was asked for last hides what was accepted before it',
    edits: [
      {
        file: 'src/execution/order/possible-terms.ts',
        find: ': lagging.slice(Math.max(accepted, 0));',
        replace: ': lagging.slice(accepted + 1);',
      },
    ],
  },
  {
    name: 'a limit values an order at the lowest price that it may have',
    edits: [
      {
        file: 'src/execution/submit/change-limits.ts',
        find: 'value(other) > value(one) ? other : one',
        replace: 'value(other) < value(one) ? other : one',
      },
    ],
  },
  {
    name: "the time of a row is compared with this computer's clock alone",
    edits: [
      {
        file: 'src/execution/order/accepted-terms.ts',
        find: '(state.brokerAt ?? -Infinity)',
        replace: '-Infinity',
      },
    ],
  },
  {
    name: 'a cancel that the disk did not take is forgotten once its second try is refused for a moment',
    edits: [
      {
        file: 'src/execution/submit/decide-unwritten.ts',
        find: "if (!isCancelWanted(order)) unit.move(orderId, { type: 'want_cancel' });",
        replace: "if (isCancelWanted(order)) unit.move(orderId, { type: 'want_cancel' });",
      },
    ],
  },
];
