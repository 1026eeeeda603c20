import { describe, expect, it } from 'vitest';
import { rehearse } from './support/rehearsal.ts';

const SALE = { instrument: 'NSE:ITC', side: 'SELL', quantity: 20, product: 'intraday' } as const;

/** The row of a sale that rests, placed in the broker's own app. */
function rowOf(broker: 'kite' | 'primary', form?: string) {
  const rehearsal = rehearse();
  rehearsal.sandbox.exchange.setPrice('NSE:ITC', 40_000);
  rehearsal.sandbox[broker].placeByHand({ ...SALE, limitPaise: 41_000 });
  rehearsal.clock.advance(5_000);
  rehearsal.sandbox.faults.add({
    ...{ broker, kind: 'spelled_rows' },
    ...(form === undefined ? {} : { params: { form } }),
  });
  const { json } =
    broker === 'kite' ? rehearsal.kite('GET', '/orders') : rehearsal.primary('GET', '/order-book');
  return json.data[0];
}

describe('rows of orders placed elsewhere in other words', () => {
  it('are in lower case and with spaces, at Kite', () => {
    expect(rowOf('kite')).toMatchObject({
      ...{ tradingsymbol: ' itc ', exchange: ' nse ', product: ' mis ' },
      ...{ transaction_type: ' sell ', quantity: 20, pending_quantity: 20, status: 'OPEN' },
    });
  });

  it('have zeros before the security id at the primary brokerage', () => {
    const { security_id: id, txn_type: side } = rowOf('primary');
    expect(id).toMatch(/^ 00\d+ $/);
    expect(side).toBe(' sell ');
  });

  it('have quantities that contradict one another', () => {
    expect(rowOf('kite', 'nothing')).toMatchObject({ quantity: 0, pending_quantity: 0 });
    expect(rowOf('kite', 'less')).toMatchObject({ quantity: 1, pending_quantity: 20 });
    expect(rowOf('primary', 'nothing')).toMatchObject({ requested_qty: 0 });
  });
});
