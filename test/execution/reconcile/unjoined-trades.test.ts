import { describe, expect, it } from 'vitest';
import type { BrokerFill } from '../../../src/domain/broker-order.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { trade } from '../support/makers.ts';

const ENDED = { status: 'cancelled', rawStatus: 'CANCELLED', filledQuantity: null } as const;
const ID = '1100000000000001';

/**
 * The primary brokerage: a trade names no order but by the exchange's id of it, and a cancelled row need not say how much
 * has filled. `before` and `end` are the exchange's id of the row while it works, and once it has ended. 4 of 10 fill, and
 * the rest is cancelled, between two reads of the book.
 */
async function cancelled(
  { before, end }: Readonly<Record<'before' | 'end', string | null>>,
  parts: Partial<BrokerFill> = {},
) {
  const time = midday();
  const broker = lyingBroker(time, { broker: 'primary', tagging: 'never' });
  const gateway = await tradingWith(time, [broker]);
  await time.advance(2_000);
  broker.place = () => {
    broker.rows = [rowAt(time, { exchangeOrderId: before })];
    return { kind: 'acknowledged', brokerOrderId: 'b1' };
  };
  const { id } = await gateway.place();
  await time.advance(2_000);
  const seen = () => orderResponse(gateway.order(id));
  expect(seen()).toMatchObject({ status: 'working', filledQuantity: 0 });
  broker.rows = [{ ...broker.rows[0]!, ...ENDED, exchangeOrderId: end, updatedAt: time.now() }];
  broker.fills = [trade({ brokerOrderId: null, exchangeOrderId: ID, quantity: 4, ...parts })];
  gateway.execution.wake('primary');
  await time.advance(60_000);
  return { time, broker, gateway, seen };
}

describe('a cancelled order that does not tell its fills, beside a trade that names no order', () => {
  it.each([
    ['has none of these ids', null],
    ['has zeros in its place', '0'],
  ])(
    'has the fill of the exchange’s id that its row had before it ended, and now %s',
    async (_, end) => {
      const { seen } = await cancelled({ before: ID, end });
      expect(seen()).toMatchObject({ status: 'partial', filledQuantity: 4 });
    },
  );

  it('is not called unfilled where the trade may be its own, until a row explains the trade', async () => {
    const { time, broker, seen } = await cancelled({ before: null, end: null });
    expect(seen()).toMatchObject({ status: 'cancelled', filledQuantity: null });
    const other = { brokerOrderId: 'b2', instrument: 'NSE:TCS', exchangeOrderId: ID } as const;
    broker.rows = [...broker.rows, rowAt(time, other)];
    await time.advance(20_000);
    expect(seen()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
  });

  it('has the fill of its own id where its row is gone when the trade comes', async () => {
    const { time, broker, seen } = await cancelled(
      { before: ID, end: ID },
      { exchangeOrderId: '1100000000000002' },
    );
    expect(seen()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    broker.rows = [];
    broker.fills = [trade({ brokerOrderId: null, exchangeOrderId: ID, quantity: 4 })];
    await time.advance(20_000);
    expect(seen()).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it.each<[string, Partial<BrokerFill>, string | null]>([
    ['another id of the exchange', {}, '1100000000000002'],
    ['another exchange', { exchange: 'BSE' }, null],
    ['another side', { side: 'SELL' }, null],
    ['another instrument', { instrument: 'NSE:TCS' }, null],
  ])('has filled nothing where the trade has %s', async (_, parts, own) => {
    const { seen } = await cancelled({ before: own, end: own }, parts);
    expect(seen()).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
  });
});
