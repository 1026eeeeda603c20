import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../../src/domain/outcome.ts';
import { answered, lost, orderRow, setUp, success } from './support.ts';

const waiting = (changes: Record<string, unknown> = {}) =>
  orderRow({
    ...{ id: 'GTT-7', exch_order_id: '', order_type: 'GTT_LIMIT', requested_price: '' },
    ...{ tgt_trigger_price: '1490', tgt_limit_price: '1480', status: 'SL-PENDING' },
    ...changes,
  });

const listOf = async (...rows: unknown[]) =>
  setUp({ respond: () => success(rows) }).broker.triggers!.list('caller');

describe('the triggers of the primary brokerage', () => {
  it('are the smart orders of its book, and no ordinary ones', async () => {
    const { triggers, unread } = await listOf(orderRow({ id: 'EQ-1' }), waiting());
    expect(unread).toEqual([]);
    expect(triggers).toMatchObject([
      {
        ...{ triggerId: 'GTT-7', instrument: 'NSE:INFY', status: 'waiting' },
        rawStatus: 'SL-PENDING',
        legs: [{ triggerPrice: 1490, price: 1480, brokerOrderId: null }],
      },
    ]);
  });

  it('of a pair that cancel each other have both prices', async () => {
    const pair = { order_type: 'OCO', sl_trigger_price: '1400', sl_limit_price: '1390' };
    const { triggers } = await listOf(waiting(pair));
    expect(triggers[0]!.legs).toMatchObject([
      { triggerPrice: 1400, price: 1390 },
      { triggerPrice: 1490, price: 1480 },
    ]);
  });

  it.each([
    ['waits', {}, 'waiting'],
    ['is at the exchange', { exch_order_id: '1300000002340881', status: 'PENDING' }, 'triggered'],
    ['is filled', { status: 'SUCCESS', traded_qty: 10, requested_qty: 10 }, 'triggered'],
    ['is cancelled', { status: 'CANCELLED' }, 'ended'],
    ['says CREATED', { status: 'CREATED' }, 'waiting'],
    ['waits, with an exchange id', { exch_order_id: '13' }, 'waiting'],
    ['was changed, with an exchange id', { exch_order_id: '13', status: 'MODIFIED' }, 'waiting'],
    [
      'was changed, and has filled a part',
      { exch_order_id: '13', status: 'MODIFIED', traded_qty: 3, requested_qty: 10 },
      'triggered',
    ],
    ['is cancelled, with an exchange id', { exch_order_id: '13', status: 'CANCELLED' }, 'ended'],
    // Brokers have more words for these than are known (docs/spec/statuses.md).
    ['has an unknown word', { status: 'SOMETHING NEW' }, 'waiting'],
  ])('whose row %s are %s', async (_, changes, status) => {
    expect((await listOf(waiting(changes))).triggers).toMatchObject([{ status }]);
  });

  it.each([
    ['has no side', waiting({ txn_type: '' }), 'GTT-7'],
    ['has no type, and may be one', waiting({ order_type: null }), 'GTT-7'],
    ['is no object', 7, null],
  ])('whose row %s are told as unread, and hide no other one', async (_, row, triggerId) => {
    const list = await listOf(waiting({ id: 'GTT-8' }), row);
    expect(list.triggers.map((each) => each.triggerId)).toEqual(['GTT-8']);
    expect(list.unread).toMatchObject([{ triggerId }]);
  });

  it('of an ordinary row that cannot be read are none of them', async () => {
    const list = await listOf(orderRow({ id: 'EQ-1', txn_type: '' }));
    expect(list).toEqual({ triggers: [], unread: [] });
  });

  it.each([
    ['a lost answer', lost],
    ['a failure inside a 2xx', answered(200, { status: 'failure', error: { msg: 'x' } })],
  ])('are never none after %s', async (_, reply) => {
    const read = setUp({ respond: () => reply }).broker.triggers!.list();
    await expect(read).rejects.toBeInstanceOf(BrokerError);
  });
});
