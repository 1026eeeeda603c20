import type { MayLeave } from '../../domain/order.ts';
import type { BrokerFailure } from '../../domain/outcome.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpReply, HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import { redact } from '../../platform/redaction.ts';
import { beginningOf } from '../kit/row-texts.ts';
import { createListParser } from '../kit/list-text.ts';
import { leaveInPlace } from '../kit/leave-in-place.ts';
import { pauseMs } from '../kit/replies.ts';
import { saysTokenIsDead } from './errors.ts';
import type { RateLimitQueue, RateLimitQueues } from './rate-limits.ts';
import { type Expected, type KiteAnswer, parseKiteJson, readReply } from './calls.ts';
import {
  createSdks,
  createWire,
  type Sdk,
  type SdkGttParams,
  type SdkParams,
  type WireOptions,
} from './sdk.ts';
import type { BrokerOrderId } from '../../units/branded.ts';

export interface KiteClientParts extends CallParts {
  readonly queues: RateLimitQueues;
}

type Answer = Promise<KiteAnswer>;
type Orders = readonly Readonly<SdkParams>[];

/**
 * The broker's calls with the broker's names, one function each. Each sends at most one request,
 * once, and never rejects: however the SDK settles, the answer is read from the reply on the wire.
 * The caller applies limits and breakers, and has checked ids and varieties, which go into paths
 * unchanged.
 */
export interface KiteClient {
  placeOrder(token: string, variety: string, params: SdkParams, leaving?: Leaving): Answer;
  modifyOrder(
    token: string,
    variety: string,
    orderId: BrokerOrderId,
    params: SdkParams,
    leaving?: Leaving,
  ): Answer;
  cancelOrder(token: string, variety: string, orderId: BrokerOrderId, params: SdkParams): Answer;
  /**
   * The data is the same object as long as the reply is the same, and so is each row of it as long as
   * its text is: the book is read every second.
   */
  orders(token: string): Answer;
  /** Every state that one order went through today, oldest first. */
  orderHistory(token: string, orderId: BrokerOrderId): Answer;
  /** As `orders`. */
  trades(token: string): Answer;
  orderTrades(token: string, orderId: BrokerOrderId): Answer;
  positions(token: string): Answer;
  holdings(token: string): Answer;
  equityMargins(token: string): Answer;
  /** Of all segments. */
  allMargins(token: string): Answer;
  profile(token: string): Answer;
  orderMargins(token: string, orders: Orders): Answer;
  /** What several orders block together, with the positions taken into account. */
  basketMargins(token: string, orders: Orders): Answer;
  /** What orders that have filled cost; each has its `order_id`, which the reply does not repeat. */
  orderCharges(token: string, orders: Orders): Answer;
  /** Keys are `<EXCH>:<TRADINGSYMBOL>`. */
  quotes(token: string, keys: readonly string[]): Answer;
  lastPrices(token: string, keys: readonly string[]): Answer;
  /** Times are IST wall times, `yyyy-mm-dd hh:mm:ss`, both inclusive. */
  historical(
    token: string,
    instrumentToken: number,
    interval: string,
    from: string,
    to: string,
  ): Answer;
  /** The data is the CSV text. */
  instruments(token: string): Answer;
  triggers(token: string): Answer;
  placeTrigger(token: string, params: SdkGttParams, leaving: Leaving): Answer;
  modifyTrigger(token: string, triggerId: string, params: SdkGttParams, leaving: Leaving): Answer;
  deleteTrigger(token: string, triggerId: string): Answer;
  exchange(requestToken: string): Answer;
  end(token: string): Answer;
}

export function createKiteClient(parts: KiteClientParts): KiteClient {
  const { queues, settings } = parts;
  const call = createCall(parts);
  const on =
    (queue: RateLimitQueues[keyof RateLimitQueues], parse?: (text: string) => unknown) =>
    (token: string, run: (sdk: Sdk) => Promise<void>, leaving: Leaving = {}): Answer =>
      call({ queue, token, run, ...(parse ? { parse } : {}), ...only(leaving) });
  const order = on(queues.orders);
  const account = on(queues.account);
  const book = on(queues.account, createListParser(parseKiteJson));
  const trades = on(queues.account, createListParser(parseKiteJson));
  const quote = on(queues.quotes);
  const candles = on(queues.historical);
  const trigger = on(queues.triggers);

  // The SDK writes into its parameters, so it gets copies.
  return {
    placeOrder: (token, variety, params, leaving) =>
      order(token, (sdk) => sdk.placeOrder(variety, { ...params }), leaving),
    modifyOrder: (token, variety, orderId, params, leaving) =>
      order(token, (sdk) => sdk.modifyOrder(variety, orderId, { ...params }), leaving),
    cancelOrder: (token, variety, orderId, params) =>
      order(token, (sdk) => sdk.cancelOrder(variety, orderId, { ...params }), { wayOut: true }),
    orders: (token) => book(token, (sdk) => sdk.getOrders()),
    orderHistory: (token, orderId) => account(token, (sdk) => sdk.getOrderHistory(orderId)),
    trades: (token) => trades(token, (sdk) => sdk.getTrades()),
    orderTrades: (token, orderId) => account(token, (sdk) => sdk.getOrderTrades(orderId)),
    positions: (token) => account(token, (sdk) => sdk.getPositions()),
    holdings: (token) => account(token, (sdk) => sdk.getHoldings()),
    equityMargins: (token) => account(token, (sdk) => sdk.getMargins('equity')),
    allMargins: (token) => account(token, (sdk) => sdk.getMargins()),
    profile: (token) => account(token, (sdk) => sdk.getProfile()),
    orderMargins: (token, orders) => account(token, (sdk) => sdk.orderMargins(copies(orders), '')),
    basketMargins: (token, orders) =>
      account(token, (sdk) => sdk.orderBasketMargins(copies(orders), true, '')),
    orderCharges: (token, orders) =>
      account(token, (sdk) => sdk.getvirtualContractNote(copies(orders))),
    quotes: (token, keys) => quote(token, (sdk) => sdk.getQuote([...keys])),
    lastPrices: (token, keys) => quote(token, (sdk) => sdk.getLTP([...keys])),
    historical: (token, instrumentToken, interval, from, to) =>
      candles(token, (sdk) =>
        sdk.getHistoricalData(instrumentToken, interval, from, to, false, true),
      ),
    instruments: (token) =>
      call({
        queue: queues.instruments,
        token,
        expected: 'csv',
        run: (sdk) => sdk.getInstruments(),
      }),
    triggers: (token) => account(token, (sdk) => sdk.getGTTs()),
    placeTrigger: (token, params, leaving) =>
      trigger(token, (sdk) => sdk.placeGTT(copyOf(params)), leaving),
    modifyTrigger: (token, triggerId, params, leaving) =>
      trigger(token, (sdk) => sdk.modifyGTT(triggerId, copyOf(params)), leaving),
    deleteTrigger: (token, triggerId) =>
      trigger(token, (sdk) => sdk.deleteGTT(triggerId), { wayOut: true }),
    exchange: (requestToken) =>
      call({
        queue: queues.session,
        token: null,
        secret: requestToken,
        run: (sdk) => sdk.generateSession(requestToken, settings.apiSecret),
      }),
    end: (token) =>
      call({ queue: queues.session, token, run: (sdk) => sdk.invalidateAccessToken(token) }),
  };
}

function copies(orders: Orders): SdkParams[] {
  return orders.map((order) => ({ ...order }));
}

function copyOf(params: SdkGttParams): SdkGttParams {
  return {
    ...params,
    trigger_values: [...params.trigger_values],
    orders: copies(params.orders),
  };
}

export interface KiteSettings {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiRoot: string;
  readonly loginUrl: string;
  /** Whether orders leave over IPv4 alone (docs/spec/kite-orders.md, "Changing"). */
  readonly ordersOverIpv4: boolean;
  /** Of orders that do not say it themselves. Null, or absent, for none. */
  readonly algoId?: string | null;
  /** Likewise, percent; -1, and absent, leave it to the broker. */
  readonly marketProtection?: number;
}

export interface CallParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDeadToken: (accessToken: string) => void;
  readonly settings: KiteSettings;
}

/** What decides whether a request leaves in the turn in which it is written. */
export interface Leaving {
  readonly mayLeave?: MayLeave;
  readonly wayOut?: boolean;
}

/** Without the other fields of an attempt. */
const only = ({ mayLeave, wayOut = false }: Leaving): Leaving =>
  mayLeave ? { mayLeave, wayOut } : { wayOut };

export interface Call extends Leaving {
  readonly queue: RateLimitQueue;
  readonly token: string | null;
  readonly expected?: Expected;
  /** Replaces `parseKiteJson`. */
  readonly parse?: (text: string) => unknown;
  readonly run: (sdk: Sdk) => Promise<void>;
  /** A text that must not appear in a message, besides the token and the secret. */
  readonly secret?: string;
}

/**
 * Makes one call through the SDK: at most one request, once. Never rejects: however the SDK
 * settles, the answer is read from the reply on the wire (docs/spec/kite-sdk.md).
 */
export function createCall(parts: CallParts): (call: Call) => Promise<KiteAnswer> {
  const { transport, clock, log, settings } = parts;
  const sdks = createSdks(settings);

  /** An error of the listener must not change the outcome of the call. */
  function reportDead(token: string): void {
    try {
      parts.onDeadToken(token);
    } catch (error) {
      log.error('a dead token could not be reported', { broker: 'alt', reason: String(error) });
    }
  }

  /** Makes the one request; null where the SDK made none. */
  async function exchange({ queue, token, run, ...leaving }: Call): Promise<HttpReply | null> {
    const { limiter, deadlineMs, fresh } = queue;
    const ipv4 = queue.addressChecked === true && settings.ordersOverIpv4;
    const onWire = async (held: Pick<WireOptions, 'mayLeave'>): Promise<HttpReply | null> => {
      const wire = createWire(transport, { deadlineMs, fresh, ...(ipv4 ? { ipv4 } : {}), ...held });
      try {
        await sdks.use(token, wire, run);
      } catch {
        // The SDK resolves and rejects with values that are no answer; the reply decides.
      }
      return wire.reply();
    };
    const priority = leaving.wayOut === true ? 'way_out' : queue.priority;
    if (!fresh) {
      // It leaves in the turn in which it got its place. That is used up now: another call of the same limit, whose
      // own place is too old, may not leave in it.
      limiter.mayLeave(priority);
      return onWire({});
    }
    return leaveInPlace(
      { limiter, priority, clock, withinMs: deadlineMs, mayLeave: leaving.mayLeave },
      (mayLeave) => onWire({ mayLeave }),
    );
  }

  return async (call) => {
    const { queue, token, expected, parse, secret } = call;
    const answer = readReply(await exchange(call), clock.now(), expected, parse);
    if (answer.kind === 'success') return answer;
    const failure = presentable(answer.failure, [settings.apiSecret, token, secret]);
    if (failure.kind === 'http' && failure.status === 429) {
      queue.limiter.pause(pauseMs(failure.retryAfterMs));
    }
    if (token !== null && saysTokenIsDead(failure)) reportDead(token);
    return { kind: 'failure', failure };
  };
}

const LONGEST_MESSAGE = 300;

/**
 * A proxy or server can repeat what it was sent, at any length, and messages go to logs and
 * callers. Secrets are removed before the text is shortened, which could otherwise leave a part of
 * one.
 */
function presentable(
  failure: BrokerFailure,
  secrets: readonly (string | null | undefined)[],
): BrokerFailure {
  let message = redact(beginningOf(failure.message), { secrets });
  if (message.length > LONGEST_MESSAGE) message = `${message.slice(0, LONGEST_MESSAGE)}…`;
  if (failure.kind !== 'http' && failure.kind !== 'error_body') return { ...failure, message };
  const code = failure.code && redact(beginningOf(failure.code), { secrets });
  return { ...failure, message, code };
}
