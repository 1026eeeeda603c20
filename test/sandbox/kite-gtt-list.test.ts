import { describe, expect, it } from 'vitest';
import {
  fridayMorning,
  rehearse,
  type Rehearsal,
  type RehearsalOptions,
} from './support/rehearsal.ts';

const FORM = {
  type: 'single',
  condition: JSON.stringify({
    ...{ exchange: 'NSE', tradingsymbol: 'INFY', trigger_values: [1450], last_price: 1500 },
  }),
  orders: JSON.stringify([
    ...[
      { transaction_type: 'SELL', order_type: 'LIMIT', product: 'CNC', quantity: 4, price: 1449.5 },
    ],
  ]),
};

function begin(options?: RehearsalOptions): Rehearsal {
  const rehearsal = rehearse(options);
  rehearsal.sandbox.exchange.setPrice('NSE:INFY', 150_000);
  return rehearsal;
}

const place = ({ kite }: Rehearsal): string =>
  String(kite('POST', '/gtt/triggers', FORM).json.data.trigger_id);

const listed = ({ kite }: Rehearsal): [number, string][] =>
  kite('GET', '/gtt/triggers').json.data.map((row: { id: number; status: string }) => [
    ...[row.id, row.status],
  ]);

describe('the list of triggers', () => {
  it('lacks a trigger whose row is late, until it is shown', () => {
    const rehearsal = begin();
    const match = { method: 'POST', path: '/gtt/triggers' };
    rehearsal.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'late_rows', match, times: 1, params: { delayMs: 30_000 } },
    });
    const id = place(rehearsal);
    expect(listed(rehearsal)).toEqual([]);
    rehearsal.clock.advance(30_000);
    expect(listed(rehearsal)).toEqual([[Number(id), 'active']]);
  });

  it('shows each trigger as it was, where it is an old one', () => {
    const rehearsal = begin();
    const id = place(rehearsal);
    rehearsal.clock.advance(20_000);
    rehearsal.kite('DELETE', `/gtt/triggers/${id}`);
    const match = { method: 'GET', path: '/gtt/triggers' };
    const stale = { broker: 'kite', kind: 'stale_book', match, times: 1 } as const;
    rehearsal.sandbox.faults.add({ ...stale, params: { ageMs: 10_000 } });
    expect(listed(rehearsal)).toEqual([[Number(id), 'active']]);
    expect(listed(rehearsal)).toEqual([[Number(id), 'deleted']]);
  });

  it('may be short of rows, and have rows that cannot be read', () => {
    const rehearsal = begin();
    place(rehearsal);
    const match = { method: 'GET', path: '/gtt/triggers' };
    const rule = { broker: 'kite', match, times: 1 } as const;
    rehearsal.sandbox.faults.add({ ...rule, kind: 'truncated_book', params: { drop: 1 } });
    expect(listed(rehearsal)).toEqual([]);
    rehearsal.sandbox.faults.add({ ...rule, kind: 'bad_row', params: { form: 1 } });
    expect(listed(rehearsal)).toEqual([[null, 'active']]);
  });

  it('has what was deleted no more, where the broker forgets it', () => {
    const rehearsal = begin({ kite: { forgetsTriggers: true } });
    const id = place(rehearsal);
    rehearsal.kite('DELETE', `/gtt/triggers/${id}`);
    expect(listed(rehearsal)).toEqual([]);
    expect(rehearsal.sandbox.kite.trigger(id)?.status).toBe('deleted');
  });
});

describe('a checker', () => {
  it('hears of each trigger, and fires, hides and deletes them as a person would', () => {
    const rehearsal = begin();
    const { kite } = rehearsal.sandbox;
    const heard: string[] = [];
    kite.onTrigger(({ id, placedBy }) => void heard.push(`${id} ${placedBy}`));
    const id = place(rehearsal);
    const other = kite.placeTriggerByHand({
      ...{ instrument: 'NSE:INFY', type: 'single', triggers: [1400], lastPrice: 1500 },
      orders: kite.trigger(id)?.orders ?? [],
    });
    expect(heard).toEqual([`${id} api`, `${other.id} hand`]);
    kite.hideTrigger(other.id, 5_000);
    expect(listed(rehearsal)).toEqual([[Number(id), 'active']]);
    rehearsal.clock.advance(5_000);
    kite.deleteTriggerByHand(other.id);
    kite.fireTrigger(id, 0);
    // What is over stays as it is.
    kite.deleteTriggerByHand(id);
    kite.fireTrigger(other.id, 0);
    expect(kite.trigger(id)).toMatchObject({
      ...{ status: 'triggered', updatedAt: fridayMorning + 5_000 },
      orderIds: [kite.orders()[0]?.orderId],
    });
    expect(kite.orders()).toMatchObject([{ placedBy: 'hand', quantity: 4 }]);
    expect(kite.triggers().map(({ status }) => status)).toEqual(['triggered', 'deleted']);
  });
});
