import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { type LiveBroker, refuseAfter } from './refuse-after.ts';
import { loggedInRig, orderOf, pinnedRig, place, RESTING } from './walk.ts';

async function rigOf(broker: LiveBroker): Promise<Rig> {
  const rig = await (broker === 'alt' ? loggedInRig() : pinnedRig());
  await rig.time.advance(2_000);
  return rig;
}

/** The broker's book shows nothing of the next minutes. */
const standStill = (rig: Rig, broker: LiveBroker): void => {
  rig.sandbox.faults.add({
    ...{ broker: broker === 'alt' ? 'kite' : 'primary', kind: 'hang_before' },
    match: { method: 'GET', path: broker === 'alt' ? '/orders' : '/order-book' },
  });
};

async function placedBy(rig: Rig, broker: LiveBroker, who: 'us' | 'a person'): Promise<string> {
  if (who === 'us') return (await place(rig, { ...RESTING, broker }, 'resting')).body.data.id;
  if (broker === 'alt') {
    const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '7' },
      ...{ order_type: 'LIMIT', product: 'CNC', validity: 'DAY', price: '1465' },
    });
    return `alt:${String(id)}`;
  }
  const hand = { instrument: 'NSE:INFY', side: 'BUY', quantity: 7, limitPaise: 146_500 } as const;
  return `primary:${rig.sandbox.primary.placeByHand(hand).orderId}`;
}

async function change(rig: Rig, method: 'PATCH' | 'DELETE', id: string) {
  const asked = method === 'PATCH' ? { json: { price: 1_450 } } : {};
  const headers = { 'idempotency-key': 'once' };
  const reply = await rig.call({ ...{ method, path: `/api/v1/orders/${id}`, headers }, ...asked });
  const { code = null, mayHaveExecuted = null } = reply.body;
  return { status: reply.status, code, mayHaveExecuted };
}

const OPEN_WORDS = {
  alt: ['Order accepted; insufficient margin', 'could not be confirmed', 'has been queued'],
  primary: ['order queued, margin', 'Duplicate order', 'Something went wrong'],
} as const;
const UNLISTED_WORDS = { alt: 'Declined by the order', primary: 'Declined by the order' } as const;
const KNOWN_WORDS = { alt: 'RMS:Margin Exceeds', primary: 'RMS: Margin exceeds' } as const;

const LIVE = ['alt', 'primary'] as const;
const MADE = { status: 200, code: null, mayHaveExecuted: null };

const changesSent = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => method === 'PUT' || url.endsWith('/order/modify')).length;

describe.each(LIVE)('a change that %s has made and calls refused', (broker) => {
  describe.each(['us', 'a person'] as const)('of an order placed by %s', (who) => {
    it.each([...OPEN_WORDS[broker], UNLISTED_WORDS[broker], KNOWN_WORDS[broker]])(
      'is open until the row shows it, and is not sent again: %s',
      async (words) => {
        await using rig = await rigOf(broker);
        const id = await placedBy(rig, broker, who);
        await rig.time.advance(20_000);
        refuseAfter(rig, broker, words);
        expect(await change(rig, 'PATCH', id)).toMatchObject({ status: 202, code: null });
        await rig.time.advance(15_000);
        expect((await orderOf(rig, id)).price).toBe(1_450);
        expect(await change(rig, 'PATCH', id)).toEqual(MADE);
        expect(changesSent(rig)).toBe(1);
      },
    );

    it.each([...OPEN_WORDS[broker], UNLISTED_WORDS[broker]])(
      'is open where its row cannot be read: %s',
      async (words) => {
        await using rig = await rigOf(broker);
        const id = await placedBy(rig, broker, who);
        await rig.time.advance(20_000);
        await orderOf(rig, id);
        refuseAfter(rig, broker, words);
        standStill(rig, broker);
        // A modification of an order placed elsewhere needs a read before it.
        const method = who === 'us' ? 'PATCH' : 'DELETE';
        expect(await change(rig, method, id)).toMatchObject({ status: 202, code: null });
        rig.sandbox.faults.clear();
        await rig.time.advance(60_000);
        const { price, status } = await orderOf(rig, id);
        expect(method === 'PATCH' ? price : status).toBe(method === 'PATCH' ? 1_450 : 'cancelled');
      },
    );

    it.each([...OPEN_WORDS[broker], UNLISTED_WORDS[broker], KNOWN_WORDS[broker]])(
      'is a cancel that is open until the order has ended: %s',
      async (words) => {
        await using rig = await rigOf(broker);
        const id = await placedBy(rig, broker, who);
        await rig.time.advance(20_000);
        refuseAfter(rig, broker, words);
        expect(await change(rig, 'DELETE', id)).toMatchObject({ status: 202, code: null });
        await rig.time.advance(60_000);
        expect((await orderOf(rig, id)).status).toBe('cancelled');
        expect((await change(rig, 'DELETE', id)).status).toBe(200);
      },
    );
  });
});
