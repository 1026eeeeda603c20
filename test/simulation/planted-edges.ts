/** Mistakes about what holds back a way out; see `PlantedBug`. */
export const BUGS_ABOUT_WAYS_OUT = [
  {
    name: 'cancels and exits are behind the breaker of placing',
    edits: [
      {
        file: 'src/adapters/alt/trading.ts',
        find: "if (purpose === 'way_out') return placing.blocked(true);",
        replace: "if (purpose === 'way_out') return placing.blocked();",
      },
    ],
  },
  {
    name: 'a leg of an exit leaves for shares that orders of the gateway have taken since',
    edits: [
      {
        file: 'src/execution/submit/last-look.ts',
        find: 'checked.isLeg && freeToReduce(',
        replace: 'freeToReduce(',
      },
      {
        file: 'src/execution/submit/last-look.ts',
        find: ' < order.terms.quantity) {',
        replace: ' < -Infinity) {',
      },
    ],
  },
  {
    name: 'a refused order that the book lists as rejected engages the kill switch',
    edits: [
      {
        file: 'src/execution/reconcile/apply-match.ts',
        find: "if (was !== 'not_sent' && isRejectedUnfilled(row)) return;",
        replace: '',
      },
    ],
  },
  {
    name: 'a 429 holds back cancels for as long as it asks',
    edits: [
      {
        file: 'src/platform/call-limits.ts',
        find: 'const LONGEST_PAUSE_OF_A_WAY_OUT_MS = 10_000;',
        replace: 'const LONGEST_PAUSE_OF_A_WAY_OUT_MS = 300_000;',
      },
    ],
  },
  {
    name: 'a journal that was deleted is not missed at the start',
    edits: [
      {
        file: 'src/execution/journal/journal-mark.ts',
        find: 'if (found < marked) {',
        replace: 'if (found < 0) {',
      },
    ],
  },
  {
    name: 'orders that open a position go out on a disk that is nearly full',
    edits: [
      {
        file: 'src/execution/submit/brakes.ts',
        find: "return state.disk.isLow ? { code: 'disk_full', reason: DISK_FULL } : null;",
        replace: 'return null;',
      },
    ],
  },
  {
    name: 'a cancel that was acknowledged and came to nothing is not sent again',
    edits: [
      {
        file: 'src/execution/submit/kept-cancels.ts',
        find: 'return open && !(isCancelByGateway(order) && unrecognisedSinceOf(order) !== null);',
        replace: 'return false;',
      },
    ],
  },
  {
    name: 'a cancel whose answer was lost is not sent again',
    edits: [
      {
        file: 'src/execution/submit/kept-cancels.ts',
        find: 'return isCancelWanted(order) || open;',
        replace: 'return isCancelWanted(order);',
      },
    ],
  },
  {
    name: 'a cancel that the disk does not take is not sent',
    edits: [
      {
        file: 'src/execution/submit/send-amendment.ts',
        find: 'if (changes === null && error instanceof CommitError) return null;',
        replace: '',
      },
    ],
  },
  {
    name: 'a kill switch that the disk does not take does not hold',
    edits: [
      {
        file: 'src/execution/submit/kill-switch.ts',
        find: 'if (!(error instanceof CommitError) || !command.engaged) throw error;',
        replace: 'if (error !== undefined) throw error;',
      },
    ],
  },
  {
    name: 'a row of another instrument is bound to an order when a person names it',
    edits: [
      {
        file: 'src/execution/reconcile/resolve.ts',
        find: 'if (isAlike) return;',
        replace: 'if (isAlike || isWholeRow(row)) return;',
      },
    ],
  },
  {
    name: 'a closing of a key sells again what has filled since its plan',
    edits: [
      {
        file: 'src/execution/exits/what-is-held.ts',
        find: 'return exit.quantity - Math.max(sold, filledSince(state, exit));',
        replace: 'return exit.quantity - Math.max(sold, filledSince(state, exit) * 0);',
      },
    ],
  },
  {
    name: 'a cancel of many goes by no book that the disk does not take',
    edits: [
      {
        file: 'src/execution/cancel-all/fix-set.ts',
        find: 'poller.readUnwritten(clock.elapsed()), late',
        replace: 'poller.read(clock.elapsed()), late',
      },
    ],
  },
  {
    name: 'a cancel of many is told as not done on a disk that takes nothing',
    edits: [
      {
        file: 'src/router/cancel-all.ts',
        find: '({ isUnwritten }) => isUnwritten !== true',
        replace: '({ isUnwritten }) => isUnwritten !== false',
      },
    ],
  },
  {
    name: 'a trade after the end of an order is not told by the row that the book has no more',
    edits: [
      {
        file: 'src/execution/reconcile/book-trades.ts',
        find: 'ended ??= byExchangeId(gone.ofEnded());',
        replace: 'ended ??= byExchangeId([]);',
      },
    ],
  },
];
