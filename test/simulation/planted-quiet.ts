/**
 * Bugs that break nothing at once: what is sent is a little wrong, or something is not done later; see
 * `PlantedBug`.
 */
export const QUIET_BUGS = [
  {
    name: 'orders of this data directory that its journal does not know are taken for those of others',
    edits: [
      {
        file: 'src/execution/reconcile/unknown-tags.ts',
        find: "tagMark !== '' &&",
        replace: "tagMark === '' &&",
      },
    ],
  },
  {
    name: 'an exit that may be an order which the journal has lost is sent again',
    edits: [
      {
        file: 'src/execution/submit/brakes.ts',
        find: "const twin = brake?.code === 'kill_switch' ? known.lostTwin() : null;",
        replace: "const twin = brake?.code === 'disk_full' ? known.lostTwin() : null;",
      },
    ],
  },
  {
    name: 'nobody is told that a book with open orders cannot be read',
    edits: [
      {
        file: 'src/execution/reconcile/unread-book.ts',
        find: 'if (unread === null || isTold) return;',
        replace: 'if (unread === null || !isTold) return;',
      },
    ],
  },
  {
    name: 'a row without a tag is an order as soon as one read shows it',
    edits: [
      {
        file: 'src/execution/reconcile/matching.ts',
        find: "    if (placing.attempt.state.kind !== 'uncertain') return match;",
        replace: "    if (placing.attempt.state.kind !== 'sending') return match;",
      },
    ],
  },
  {
    name: 'the tag of an order is followed to another id on whole rows alone',
    edits: [
      {
        file: 'src/execution/reconcile/misacknowledged.ts',
        find: '  followUnreadTags(read);',
        replace: '  if (!observation.tagged) followUnreadTags(read);',
      },
    ],
  },
  {
    name: 'a limit price rounded on the wire',
    edits: [
      {
        file: 'src/adapters/alt/request.ts',
        find: '...(terms.price === null ? {} : { price: terms.price }),',
        replace: '...(terms.price === null ? {} : { price: Math.round(terms.price) }),',
      },
    ],
  },
  {
    name: 'the product is always INTRADAY',
    edits: [
      {
        file: 'src/adapters/primary/request.ts',
        find: `segment: place.segment,
      product: terms.product,`,
        replace: `segment: place.segment,
      product: 'INTRADAY',`,
      },
    ],
  },
  {
    name: 'an average price that is not weighted',
    edits: [
      {
        file: 'src/execution/order/fills.ts',
        find: "averagePrice: weightedAverage(own), fillPriceSource: 'trades'",
        replace:
          "averagePrice: plainAverage(own.map(({ price }) => price)), fillPriceSource: 'trades'",
      },
    ],
  },
  {
    name: 'slices go on after an uncertain one',
    edits: [
      {
        file: 'src/execution/submit/slices.ts',
        find: "if (brokerOrderIdOf(order) === null || status === 'rejected') {",
        replace:
          "if ((brokerOrderIdOf(order) === null && status !== 'uncertain') || status === 'rejected') {",
      },
    ],
  },
  {
    name: 'recovery leaves cancels as sending',
    edits: [
      {
        file: 'src/execution/reconcile/recovery.ts',
        find: "if (attempt.state.kind !== 'sending') continue;",
        replace: "if (attempt.state.kind !== 'sending' || attempt.kind === 'cancel') continue;",
      },
    ],
  },
  {
    name: 'a kept cancel is forgotten when the order is bound',
    edits: [
      {
        file: 'src/execution/order/transitions.ts',
        find: `cancelWanted: isCancelWanted(order),
    unrecognisedSince: null,`,
        replace: `cancelWanted: order.state.kind !== 'uncertain' && isCancelWanted(order),
    unrecognisedSince: null,`,
      },
    ],
  },
  {
    name: 'a kept cancel is forgotten when the order is called not placed',
    edits: [
      {
        file: 'src/execution/order/transitions.ts',
        find: 'isCancelWanted(order) ? { cancelWanted: true } : {};',
        replace: 'isCancelWanted(order) ? {} : {};',
      },
    ],
  },
  {
    name: 'a cancel that went to another row is taken for one of the order',
    edits: [
      {
        file: 'src/execution/reconcile/take-back.ts',
        find: "return kind === 'cancel' && state.kind !== 'not_sent' && state.kind !== 'refused';",
        replace: "return kind === 'cancel' && state.kind === 'sending';",
      },
      // Otherwise it is kept, and goes to the order's own row once that is known.
      {
        file: 'src/execution/submit/kept-cancels.ts',
        find: 'return open && !(isCancelByGateway(order) && unrecognisedSinceOf(order) !== null);',
        replace: 'return false;',
      },
    ],
  },
  {
    name: 'trades that were not read are taken for none',
    edits: [
      {
        file: 'src/execution/reconcile/book-content.ts',
        find: `reason: messageOf(error) });
      return null;`,
        replace: `reason: messageOf(error) });
      return [];`,
      },
    ],
  },
  {
    name: 'rows of orders placed elsewhere may be missing from a complete book',
    edits: [
      {
        file: 'src/execution/reconcile/book-memory.ts',
        find: 'if (observed?.leaving !== false || isOfOtherAccount(observed, account)) return false;',
        replace: `if (observed?.leaving !== false || isOfOtherAccount(observed, account)) return false;
    if (observed.orderId === null) return false;`,
      },
    ],
  },
  {
    name: 'an outcome that did not reach the disk is not written again',
    edits: [
      {
        file: 'src/execution/journal/commit-retry.ts',
        find: `scheduler.after(RETRY_MS, () => void retry(decide));
        return null;`,
        replace: 'return null;',
      },
    ],
  },
  {
    name: 'the kill switch lets a quantity grow',
    edits: [
      {
        file: 'src/execution/submit/amended-terms.ts',
        find: 'if ((changes.quantity ?? lowest) > lowest) {',
        replace: 'if ((changes.quantity ?? lowest) > lowest) return null;\n  if (lowest < 0) {',
      },
    ],
  },
  {
    name: 'under the kill switch, a price whose change may not have been made counts as the present one',
    edits: [
      {
        file: 'src/execution/submit/amended-terms.ts',
        find: 'return possibleTerms(toChange).every((terms) =>',
        replace: 'return possibleTerms(toChange).some((terms) =>',
      },
    ],
  },
  {
    name: 'a row of another price is the order that was acknowledged with its id, whoever else was sent with that price',
    edits: [
      {
        file: 'src/execution/reconcile/misacknowledged.ts',
        find: 'hasTermsOf(own.attempt, row, own.order, marketAsLimit)',
        replace: 'true',
      },
    ],
  },
];
