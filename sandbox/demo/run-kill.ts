import type { Outcome, Tell } from './run-record.ts';
import {
  INSTRUMENT,
  mustBeLoggedIn,
  orders,
  placeByGateway,
  type RunParts,
  watchBook,
} from './run-parts.ts';

const QUANTITY = 3;

/**
 * Kills the gateway at the instant at which Kite accepts its order, so that Kite's answer reaches nobody. It starts again on
 * the same data directory, and what it knows then is compared with what it knew, and with Kite's own order book.
 */
export async function runKill(parts: RunParts, tell: Tell): Promise<Outcome> {
  await mustBeLoggedIn(parts);
  const { sandbox, gateway, process } = parts;
  const before = await idsAt(parts);
  tell('demo', 'note', `Before: the gateway knows ${orders(before.size)}, at Kite and on paper.`);
  let isKilled = false;
  using book = watchBook(sandbox, QUANTITY, tell, () => {
    if (isKilled) return;
    isKilled = true;
    process.kill();
    tell('demo', 'note', 'The gateway is killed with SIGKILL, before Kite’s answer reaches it.');
    void process.listening().then(() => tell('demo', 'note', 'The gateway listens again.'));
  });
  const order = { instrument: INSTRUMENT, quantity: QUANTITY, mode: 'live' } as const;
  const placed = await placeByGateway(parts, order, parts.newKey(), tell);
  const after = await idsAt(parts);
  const lost = [...before].filter((id) => !after.has(id));
  const unknown = sandbox.kite.orders().filter(({ orderId }) => !after.has(orderId));
  const rows = book.rows('gateway');
  tell('gateway', 'order book', `${orders(rows.length)} at Kite for this request`);
  tell('demo', 'note', `After: the gateway knows ${orders(after.size)}.`);
  const isSame = rows.length === 1 && rows[0]?.orderId === placed.brokerOrderId;
  const isKept = lost.length === 0 && unknown.length === 0;
  return {
    isTrue: isKilled && isSame && isKept && (await gateway.isLoggedIn()),
    counts: { script: null, gateway: rows.length },
    text:
      `The gateway was killed and came back. Of ${orders(before.size)} from before it has lost ${lost.length}, ` +
      `and Kite has ${orders(rows.length)} for the request that it was killed in.`,
  };
}

/** The brokers' ids of all orders that the gateway knows, paper orders too. */
async function idsAt({ gateway }: Pick<RunParts, 'gateway'>): Promise<ReadonlySet<string>> {
  const [atKite, onPaper] = await Promise.all([gateway.orders('alt'), gateway.orders('paper')]);
  return new Set([...atKite, ...onPaper].map(({ id, brokerOrderId }) => brokerOrderId ?? id));
}
