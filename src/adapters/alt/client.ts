import type { BrokerFailure } from '../../domain/failure.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import { saysTokenIsDead } from './errors.ts';
import type { Lane, Lanes } from './pace.ts';
import { readReply, type Expected, type KiteAnswer } from './reply.ts';
import { createSdks, type Sdk, type SdkParams } from './sdk.ts';
import { createWire } from './sdk-transport.ts';

export interface KiteSettings {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiRoot: string;
  readonly loginUrl: string;
}

export interface KiteClientParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Log;
  readonly lanes: Lanes;
  readonly onDeadToken: (accessToken: string) => void;
  readonly settings: KiteSettings;
}

/**
 * The broker's calls in the broker's words, one function each. Each sends at most one request, once,
 * and never rejects: whatever way the SDK settles in, the answer is read from the reply as it came.
 * Limits and breakers are the caller's.
 */
export interface KiteClient {
  placeOrder(token: string, variety: string, params: SdkParams): Promise<KiteAnswer>;
  modifyOrder(
    token: string,
    variety: string,
    orderId: string,
    params: SdkParams,
  ): Promise<KiteAnswer>;
  cancelOrder(token: string, variety: string, orderId: string): Promise<KiteAnswer>;
  orders(token: string): Promise<KiteAnswer>;
  trades(token: string): Promise<KiteAnswer>;
  positions(token: string): Promise<KiteAnswer>;
  holdings(token: string): Promise<KiteAnswer>;
  equityMargins(token: string): Promise<KiteAnswer>;
  profile(token: string): Promise<KiteAnswer>;
  /** Keys are `<EXCH>:<TRADINGSYMBOL>`. */
  quotes(token: string, keys: readonly string[]): Promise<KiteAnswer>;
  lastPrices(token: string, keys: readonly string[]): Promise<KiteAnswer>;
  /** Times are IST wall times, `yyyy-mm-dd hh:mm:ss`. */
  historical(
    token: string,
    instrumentToken: number,
    interval: string,
    from: string,
    to: string,
  ): Promise<KiteAnswer>;
  /** The data is the CSV text. */
  instruments(token: string): Promise<KiteAnswer>;
  exchange(requestToken: string): Promise<KiteAnswer>;
  end(token: string): Promise<KiteAnswer>;
}

interface Call {
  readonly lane: Lane;
  readonly token: string | null;
  readonly expected?: Expected;
  readonly run: (sdk: Sdk) => Promise<unknown>;
  /** What must not show in a message, besides the token and the secret. */
  readonly secret?: string;
}

export function createKiteClient(parts: KiteClientParts): KiteClient {
  const { transport, clock, log, lanes, settings } = parts;
  const sdks = createSdks(settings);

  async function call({ lane, token, expected, run, secret }: Call): Promise<KiteAnswer> {
    const wire = createWire(transport, { deadlineMs: lane.deadlineMs, fresh: lane.fresh });
    try {
      await sdks.use(token, wire, run);
    } catch {
      // The SDK rejects and resolves alike with things that are no answer; the reply decides.
    }
    const answer = readReply(wire.reply(), clock.now(), expected);
    if (answer.kind === 'success') return answer;
    const failure = presentable(answer.failure, [settings.apiSecret, token, secret]);
    if (failure.kind === 'http' && failure.status === 429) {
      lane.limiter.pause(failure.retryAfterMs ?? 1_000);
    }
    if (token !== null && saysTokenIsDead(failure)) reportDead(token);
    return { kind: 'failure', failure };
  }

  /** What the listener does with it must not change what became of the call. */
  function reportDead(token: string): void {
    try {
      parts.onDeadToken(token);
    } catch (error) {
      log.error('a dead token could not be reported', { broker: 'alt', reason: String(error) });
    }
  }

  const { orders, account, quotes, historical, instruments, session } = lanes;
  return {
    placeOrder: (token, variety, params) =>
      // The SDK writes into the parameters that it is given, so it gets a copy.
      call({ lane: orders, token, run: (sdk) => sdk.placeOrder(variety, { ...params }) }),
    modifyOrder: (token, variety, orderId, params) =>
      call({ lane: orders, token, run: (sdk) => sdk.modifyOrder(variety, orderId, { ...params }) }),
    cancelOrder: (token, variety, orderId) =>
      call({ lane: orders, token, run: (sdk) => sdk.cancelOrder(variety, orderId) }),
    orders: (token) => call({ lane: account, token, run: (sdk) => sdk.getOrders() }),
    trades: (token) => call({ lane: account, token, run: (sdk) => sdk.getTrades() }),
    positions: (token) => call({ lane: account, token, run: (sdk) => sdk.getPositions() }),
    holdings: (token) => call({ lane: account, token, run: (sdk) => sdk.getHoldings() }),
    equityMargins: (token) =>
      call({ lane: account, token, run: (sdk) => sdk.getMargins('equity') }),
    profile: (token) => call({ lane: account, token, run: (sdk) => sdk.getProfile() }),
    quotes: (token, keys) => call({ lane: quotes, token, run: (sdk) => sdk.getQuote([...keys]) }),
    lastPrices: (token, keys) => call({ lane: quotes, token, run: (sdk) => sdk.getLTP([...keys]) }),
    historical: (token, instrumentToken, interval, from, to) =>
      call({
        lane: historical,
        token,
        run: (sdk) => sdk.getHistoricalData(instrumentToken, interval, from, to),
      }),
    instruments: (token) =>
      call({ lane: instruments, token, expected: 'csv', run: (sdk) => sdk.getInstruments() }),
    exchange: (requestToken) =>
      call({
        lane: session,
        token: null,
        secret: requestToken,
        run: (sdk) => sdk.generateSession(requestToken, settings.apiSecret),
      }),
    end: (token) => call({ lane: session, token, run: (sdk) => sdk.invalidateAccessToken(token) }),
  };
}

const LONGEST_MESSAGE = 300;

/**
 * A proxy or a server can echo what it was sent, at any length; messages go to logs and callers.
 * Secrets are taken out before the text is cut, which could leave a part of one.
 */
function presentable(
  failure: BrokerFailure,
  secrets: readonly (string | null | undefined)[],
): BrokerFailure {
  let message = failure.message;
  for (const secret of secrets) {
    if (secret) message = message.replaceAll(secret, '[secret]');
  }
  if (message.length > LONGEST_MESSAGE) message = `${message.slice(0, LONGEST_MESSAGE)}…`;
  return { ...failure, message };
}
