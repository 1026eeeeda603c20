import { buyNaively } from './naive-script.ts';
import type { Outcome, Tell } from './run-record.ts';
import {
  INSTRUMENT,
  mustBeLoggedIn,
  orders,
  placeByGateway,
  type RunParts,
  SYMBOL,
  watchBook,
  watchRequests,
} from './run-parts.ts';

const QUANTITY = 5;

/**
 * Kite accepts an order and never answers. A naive script and a caller of the gateway meet that at the same time, with
 * the same time-out and the same repetition. What Kite has then is counted in Kite's own order book.
 */
export async function runHangAfter(parts: RunParts, tell: Tell): Promise<Outcome> {
  await mustBeLoggedIn(parts);
  const { sandbox, kite, gateway, clock, timeoutMs, fetch } = parts;
  const accessToken = await gateway.accessToken();
  using book = watchBook(sandbox, QUANTITY, tell);
  const fault = sandbox.faults.add({
    broker: 'kite',
    kind: 'hang_after',
    match: { method: 'POST', path: '/orders/regular' },
    times: 2,
  });
  tell('demo', 'note', 'Kite accepts the next two orders, and never answers them.');
  try {
    const texts = {
      first: `BUY ${QUANTITY} ${SYMBOL} to Kite`,
      again: 'the same order to Kite again',
    };
    const watch = watchRequests(tell, 'script', texts, timeoutMs);
    const script = buyNaively(
      { symbol: SYMBOL, quantity: QUANTITY },
      { ...kite, accessToken },
      { fetch, clock, timeoutMs, watch },
    ).then((id) =>
      tell('script', 'is told', `order ${id} is placed; the script takes it for its only one`),
    );
    const order = { instrument: INSTRUMENT, quantity: QUANTITY, mode: 'live' } as const;
    const through = placeByGateway(parts, order, parts.newKey(), tell);
    const [, placed] = await Promise.all([script, through]);
    const [ofScript, ofGateway] = [book.rows('script'), book.rows('gateway')];
    const idsOf = (rows: typeof ofScript): string => rows.map(({ orderId }) => orderId).join(', ');
    tell('script', 'order book', `${orders(ofScript.length)} at Kite: ${idsOf(ofScript)}`);
    tell('gateway', 'order book', `${orders(ofGateway.length)} at Kite: ${idsOf(ofGateway)}`);
    const isSame = ofGateway.length === 1 && ofGateway[0]?.orderId === placed.brokerOrderId;
    return {
      isTrue: isSame && ofScript.length === 2,
      counts: { script: ofScript.length, gateway: ofGateway.length },
      text:
        `Each wanted to buy once. Kite has ${orders(ofScript.length)} of the naive script, ` +
        `and ${orders(ofGateway.length)} of the gateway.`,
    };
  } finally {
    // Used up in any run that came to its end: nothing is left broken by one that did not.
    sandbox.faults.remove(fault);
  }
}
