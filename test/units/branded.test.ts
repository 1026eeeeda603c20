import { describe, expect, it } from 'vitest';
import { istDay, tradingDay } from '../../src/domain/ist.ts';
import { instrumentName } from '../../src/domain/instrument.ts';
import { externalId } from '../../src/domain/broker-order.ts';
import { createState, required } from '../../src/execution/journal/state.ts';
import {
  epochMs,
  type AttemptId,
  type BrokerOrderId,
  type OrderId,
  type TradingDay,
} from '../../src/units/branded.ts';

const orderId: OrderId = 'ord_1';
const attemptId: AttemptId = 'att_1';
const brokerOrderId: BrokerOrderId = '260105000000001';
const day = tradingDay(epochMs(Date.parse('2026-01-06T05:59:00+05:30')));
const name = instrumentName('NSE', 'INFY');

/** Each line is an error of the compiler, or `npm run types` fails. */
function mixedUp() {
  const { orders, attempts, ordersOfDay } = createState();
  return [
    // @ts-expect-error: a broker's id of an order is not ours
    (): OrderId => brokerOrderId,
    // @ts-expect-error: our id of an order is not the broker's
    (): BrokerOrderId => orderId,
    // @ts-expect-error: an attempt is not an order
    (): OrderId => attemptId,
    // @ts-expect-error: a day is not an order
    (): OrderId => day,
    // @ts-expect-error: an instrument is not a day
    (): TradingDay => name,
    // @ts-expect-error: the broker's day begins at 06:00, the calendar's at 00:00
    (): TradingDay => istDay(epochMs(0)),
    // @ts-expect-error: an order of ours is not external
    () => externalId('alt', orderId),
    // @ts-expect-error: orders are found by our id
    () => orders.get(brokerOrderId),
    // @ts-expect-error: attempts are found by their own id
    () => required(attempts, orderId, 'attempt'),
    // @ts-expect-error: days are days
    () => ordersOfDay.get(orderId),
  ];
}

describe('names of one kind', () => {
  it('are texts at run time, and not mixed up by the compiler', () => {
    expect(mixedUp()).toHaveLength(10);
    expect([day, name].map((each) => typeof each)).toEqual(['string', 'string']);
    expect(day).toBe('2026-01-05');
  });

  it('are read from plain text', () => {
    const read: OrderId = String(orderId);
    expect(createState().orders.get(read)).toBeUndefined();
  });
});
