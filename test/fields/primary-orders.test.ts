import { answerOf, dataOf, type Published } from './answered-fields.ts';
import { describeFields } from './describe-fields.ts';
import { ORDER_BOOK, TRADE_BOOK } from './primary-order-replies.ts';

/** Another value that such a row can have: of most fields any is. */
const another: Published['another'] = (path) => {
  if (path.endsWith('txn_type')) return 'SELL';
  if (path.endsWith('.exchange')) return 'BSE';
  if (path.endsWith('off_mkt_flag')) return 'true';
  if (path.endsWith('segment')) return 'DERIVATIVE';
  return path.endsWith('status') ? 'FAILED' : null;
};

const published: readonly Published[] = [
  {
    name: 'orders',
    path: /^\/order-book$/,
    reply: ORDER_BOOK,
    ask: async (rig) => {
      // A book that was read in the same instant would serve.
      await rig.time.advance(200);
      return dataOf(rig, '/api/v1/orders?broker=primary');
    },
    another,
  },
  {
    name: 'trade-book',
    path: /^\/trade-book$/,
    reply: TRADE_BOOK,
    ask: async (rig) => {
      await rig.time.advance(1_000);
      return answerOf(rig, '/api/v1/trades?broker=primary');
    },
    another,
  },
];

describeFields({
  what: 'the primary brokerage’s orders',
  page: 'docs/primary-brokerage.md',
  published,
});
