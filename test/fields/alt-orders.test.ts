import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loggedInRig } from '../path/walk.ts';
import type { Rig } from '../support/rig.ts';
import {
  altering,
  answerOf,
  dataOf,
  NOTHING_LOST,
  type Published,
  reportOn,
  scripted,
} from './answered-fields.ts';
import { unansweredFields } from './field-paths.ts';
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

const script = scripted();
let rig: Rig;
beforeAll(async () => {
  rig = await loggedInRig({ alter: altering(script, (data) => ({ status: 'success', data })) });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe('a field of the alternative broker’s orders', () => {
  const listed = unansweredFields('docs/alt-broker.md');

  it.each(published)('is answered, or its page says why not: $name', async (one) => {
    expect(await reportOn(rig, script, one, listed)).toEqual(NOTHING_LOST);
  });
});
