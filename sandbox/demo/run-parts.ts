import type { BrokerOrder } from '../kernel/inspector.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import type { Sandbox } from '../kernel/sandbox.ts';
import type { GatewayCalls, GatewayOrder, OrderToPlace } from './gateway-calls.ts';
import type { KeptGateway } from './keep-running.ts';
import { type Fetch, SCRIPT_AGENT } from './naive-script.ts';
import type { Tell } from './run-record.ts';
import { pause, untilAnswered, type Watch } from './until-answered.ts';

/** What the runs of the demo work with. */
export interface RunParts {
  readonly clock: SandboxClock;
  readonly fetch: Fetch;
  /** Kite's own books, and its faults. */
  readonly sandbox: Pick<Sandbox, 'kite' | 'faults'>;
  readonly kite: { readonly origin: string; readonly apiKey: string };
  readonly gateway: GatewayCalls;
  readonly process: Pick<KeptGateway, 'kill' | 'listening'>;
  /** How long a caller waits for an answer, in ms. */
  readonly timeoutMs: number;
  /** An idempotency key that nobody has used. */
  readonly newKey: () => string;
}

/** The run cannot begin, or did not come to a count: in a sentence that says what to do. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
}

export const SYMBOL = 'INFY';
export const INSTRUMENT = `NSE:${SYMBOL}`;

export async function mustBeLoggedIn({ gateway }: Pick<RunParts, 'gateway'>): Promise<void> {
  if (await gateway.isLoggedIn()) return;
  throw new RunFailed(`Nobody is logged in at Kite. Log in at ${gateway.loginUrl} first.`);
}

/** Who sent an order, by the request as Kite received it. Null for one that was placed in Kite's own app. */
export function senderOf({ receipt }: BrokerOrder): 'script' | 'gateway' | null {
  if (receipt === null) return null;
  return receipt.headers['user-agent'] === SCRIPT_AGENT ? 'script' : 'gateway';
}

/** Kite's order book since a moment, as Kite itself has it, whatever the gateway knows of it. */
export interface BookWatch extends Disposable {
  /** Orders of this quantity that were placed since, by who sent them. */
  rows(sender: 'script' | 'gateway'): readonly BrokerOrder[];
}

/** Tells each order of this quantity at the instant at which Kite accepts it; `also` is called then. */
export function watchBook(
  { kite }: Pick<Sandbox, 'kite'>,
  quantity: number,
  tell: Tell,
  also: (order: BrokerOrder) => void = () => undefined,
): BookWatch {
  const before = new Set(kite.orders().map(({ orderId }) => orderId));
  const isOfRun = (order: BrokerOrder): boolean =>
    order.instrument === INSTRUMENT && order.quantity === quantity && !before.has(order.orderId);
  const stop = kite.onOrder((order) => {
    const sender = senderOf(order);
    if (sender === null || !isOfRun(order)) return;
    tell(sender, 'order book', `Kite accepts order ${order.orderId}: BUY ${quantity} ${SYMBOL}`);
    also(order);
  });
  return {
    rows: (sender) => kite.orders().filter((order) => isOfRun(order) && senderOf(order) === sender),
    [Symbol.dispose]: stop,
  };
}

/** Lines for the requests of one side. */
export function watchRequests(
  tell: Tell,
  side: 'script' | 'gateway',
  texts: { readonly first: string; readonly again: string },
  timeoutMs: number,
): Watch {
  let isAway = false;
  return {
    sends(attempt) {
      if (attempt === 1) tell(side, 'sends', texts.first);
      // While the server is away every attempt fails in the same way: the first repetition is told.
      else if (attempt === 2 || !isAway) tell(side, 'sends', texts.again);
    },
    hearsNothing(why) {
      if (why === 'time_out') {
        isAway = false;
        tell(side, 'is told', `nothing within ${timeoutMs / 1_000} s`);
      } else if (!isAway) {
        isAway = true;
        tell(
          side,
          'is told',
          'nothing: the connection is lost, and the order may be at Kite or not',
        );
      }
    },
  };
}

const LOOK_EVERY_MS = 250;
/** How often an order is read again: a minute while its outcome is not known, five seconds while it has yet to fill. */
const MOST_LOOKS: Readonly<Record<string, number>> = {
  ...{ accepted: 240, sending: 240, uncertain: 240 },
  working: 20,
};

/**
 * A program of a trader that uses the gateway: it places under an idempotency key, repeats under the same key what was not
 * answered, and then reads the order until its outcome is known.
 */
export async function placeByGateway(
  { gateway, clock, timeoutMs }: Pick<RunParts, 'gateway' | 'clock' | 'timeoutMs'>,
  order: OrderToPlace,
  key: string,
  tell: Tell,
): Promise<GatewayOrder> {
  const texts = {
    first: `BUY ${order.quantity} ${SYMBOL} to the gateway, Idempotency-Key ${key}`,
    again: 'the same request to the gateway, under the same key',
  };
  let known = await untilAnswered(
    (signal) => gateway.place(order, key, signal),
    { clock, timeoutMs },
    watchRequests(tell, 'gateway', texts, timeoutMs),
  );
  tell('gateway', 'is told', answerText(known));
  for (let look = 0; look < (MOST_LOOKS[known.status] ?? 0); look += 1) {
    await pause(clock, LOOK_EVERY_MS);
    const before = known.status;
    known = await gateway.order(known.id);
    if (known.status !== before) tell('gateway', 'is told', answerText(known));
  }
  if (known.brokerOrderId === null) {
    throw new RunFailed(`The order ${known.id} is ${known.status}, and no broker has it.`);
  }
  return known;
}

function answerText({ status, broker, brokerOrderId, boundBy }: GatewayOrder): string {
  if (status === 'uncertain') {
    return 'uncertain: not known yet whether Kite has the order; do not send another one';
  }
  const where = brokerOrderId === null ? `at ${broker}` : `order ${brokerOrderId} at ${broker}`;
  return boundBy === 'tag'
    ? `${status}: ${where}, found in the order book by the tag that the gateway had sent`
    : `${status}: ${where}`;
}

export const orders = (count: number): string => (count === 1 ? 'one order' : `${count} orders`);
