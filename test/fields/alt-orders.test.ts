import { answerOf, dataOf, type Published } from './answered-fields.ts';
import { describeFields } from './describe-fields.ts';
import { ORDERS, TRADES } from './kite-order-replies.ts';

/** Another value that such a row can have: of most fields any is. */
const another: Published['another'] = (path) => {
  if (path.endsWith('transaction_type')) return 'SELL';
  if (path.endsWith('parent_order_id')) return '261106000000009';
  return path.endsWith('status') ? 'REJECTED' : null;
};

const published: readonly Published[] = [
  {
    name: 'orders',
    path: /^\/orders$/,
    reply: ORDERS,
    ask: async (rig) => {
      // A book that was read in the same instant would serve.
      await rig.time.advance(200);
      return dataOf(rig, '/api/v1/orders?broker=alt');
    },
    another,
  },
  {
    name: 'trades',
    path: /^\/trades$/,
    reply: TRADES,
    ask: async (rig) => {
      await rig.time.advance(1_000);
      return answerOf(rig, '/api/v1/trades?broker=alt');
    },
    another,
  },
];

describeFields({
  what: 'the alternative broker’s orders',
  page: 'docs/alt-broker.md',
  published,
});
