import { answerOf, type Published } from './answered-fields.ts';
import { describeFields } from './describe-fields.ts';
import type { Json } from './field-paths.ts';

/** The shape of Kite Connect's list of GTTs, with values of our own. */
const TRIGGERS: Json = [
  {
    id: 112127,
    user_id: 'AB1234',
    parent_trigger: null,
    type: 'single',
    created_at: '2026-11-06 10:02:12',
    updated_at: '2026-11-06 10:03:13',
    expires_at: '2027-11-06 10:04:14',
    status: 'triggered',
    condition: {
      exchange: 'NSE',
      last_price: 1502.3,
      tradingsymbol: 'INFY',
      trigger_values: [1495],
      instrument_token: 408065,
    },
    orders: [
      {
        exchange: 'NSE',
        tradingsymbol: 'INFY',
        product: 'CNC',
        order_type: 'LIMIT',
        transaction_type: 'BUY',
        quantity: 5,
        price: 1496.5,
        result: {
          account_id: 'AB1234',
          exchange: 'NSE',
          tradingsymbol: 'INFY',
          validity: 'DAY',
          product: 'CNC',
          order_type: 'LIMIT',
          transaction_type: 'BUY',
          quantity: 6,
          price: 1497.5,
          meta: '{}',
          timestamp: '2026-11-06 10:05:15',
          triggered_at: 1494.5,
          order_result: {
            status: 'failed',
            order_id: '261106000000007',
            rejection_reason: 'Your order was refused',
          },
        },
      },
    ],
    meta: {},
  },
];

/** Another value that such a row can have: of most fields any is. */
const another: Published['another'] = (path) => {
  if (path.endsWith('transaction_type')) return 'SELL';
  if (path === '[].condition.exchange') return 'BSE';
  return path === '[].status' ? 'cancelled' : null;
};

describeFields({
  what: 'the alternative broker’s list of GTTs',
  page: 'docs/alt-broker.md',
  published: [
    {
      name: 'gtt',
      path: /^\/gtt\/triggers$/,
      reply: TRIGGERS,
      ask: async (rig) => {
        await rig.time.advance(1_000);
        return answerOf(rig, '/api/v1/triggers?broker=alt');
      },
      another,
    },
  ],
});
