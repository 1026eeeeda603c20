import type { BrokerOrder } from '../../src/domain/broker-order.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { OrderModification, OrderTerms, PlaceAttempt } from '../../src/domain/order.ts';
import type { BrokerUnderTest } from './under-test.ts';

let attempts = 0;

/** Buys 10 at the market for delivery, unless told otherwise; each with a tag of its own. */
export function attemptFor(instrument: Instrument, terms: Partial<OrderTerms> = {}): PlaceAttempt {
  attempts += 1;
  return {
    attemptId: `attempt-${attempts}`,
    instrument,
    tag: `Contract${String(attempts).padStart(12, '0')}`,
    terms: {
      instrument: instrument.name,
      side: 'BUY',
      quantity: 10,
      orderType: terms.price === undefined ? 'MARKET' : 'LIMIT',
      product: 'CNC',
      validity: 'DAY',
      price: null,
      triggerPrice: null,
      amo: false,
      ...terms,
    },
  };
}

/** Rupees: so far below ₹1,500 that nobody sells, and inside the circuit. */
export const AWAY = 1_470;
export const FURTHER_AWAY = 1_460;

/** Places, lets the broker work for `afterMs`, and gives the id; throws unless it is acknowledged. */
export async function placed(
  under: BrokerUnderTest,
  attempt: PlaceAttempt,
  afterMs = 3_000,
): Promise<string> {
  const outcome = await under.time.settle(under.trading.place(attempt));
  if (outcome.kind !== 'acknowledged') throw new Error(`not placed: ${outcome.reason}`);
  await under.time.advance(afterMs);
  return outcome.brokerOrderId;
}

export async function rowOf(under: BrokerUnderTest, brokerOrderId: string): Promise<BrokerOrder> {
  const rows = await under.time.settle(under.trading.orderBook());
  const row = rows.find((each) => each.brokerOrderId === brokerOrderId);
  if (!row) throw new Error(`the book has no order ${brokerOrderId}`);
  return row;
}

export const cancelOf = (under: BrokerUnderTest, row: BrokerOrder) =>
  under.time.settle(
    under.trading.cancel({
      attemptId: `cancel-${row.brokerOrderId}`,
      brokerOrderId: row.brokerOrderId,
      instrument: under.infosys,
      brokerOrderType: row.orderType,
    }),
  );

export const modifyOf = (
  under: BrokerUnderTest,
  { brokerOrderId }: BrokerOrder,
  terms: OrderTerms,
  changes: Partial<OrderModification>,
) =>
  under.time.settle(
    under.trading.modify({
      attemptId: `modify-${brokerOrderId}`,
      brokerOrderId,
      instrument: under.infosys,
      terms,
      changes: {
        quantity: null,
        price: null,
        triggerPrice: null,
        orderType: null,
        validity: null,
        ...changes,
      },
    }),
  );
