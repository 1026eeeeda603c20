import type { Outcome, Tell } from './run-record.ts';
import { INSTRUMENT, orders, placeByGateway, type RunParts, watchBook } from './run-parts.ts';

const QUANTITY = 10;

/** One order through the gateway: at Kite once somebody is logged in there, on paper before. */
export async function runBuy(parts: RunParts, tell: Tell): Promise<Outcome> {
  using book = watchBook(parts.sandbox, QUANTITY, tell);
  const order = { instrument: INSTRUMENT, quantity: QUANTITY };
  const placed = await placeByGateway(parts, order, parts.newKey(), tell);
  const atKite = book.rows('gateway');
  const isThere = atKite.some(({ orderId }) => orderId === placed.brokerOrderId);
  if (placed.broker === 'paper') {
    return {
      isTrue: atKite.length === 0,
      counts: { script: null, gateway: atKite.length },
      text: `The order is ${placed.status} on paper, since nobody is logged in at Kite; Kite has none of it.`,
    };
  }
  return {
    isTrue: isThere && atKite.length === 1,
    counts: { script: null, gateway: atKite.length },
    text: `Kite’s order book has ${orders(atKite.length)} for this request.`,
  };
}
