import { createAccount } from '../exchange/account.ts';
import { createOrderManagement } from '../exchange/order-management.ts';
import type { ManagedOrder } from '../exchange/managed-order.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { brokerDay } from '../kernel/ist.ts';
import { bookIds, honestView } from '../kernel/book-view.ts';
import type { Broker } from '../kernel/broker.ts';
import type { FaultSource } from '../kernel/faults.ts';
import type { BrokerInspector, HandOrder } from '../kernel/inspector.ts';
import { inspectBroker } from '../kernel/inspector.ts';
import { createLimiter } from '../kernel/limiter.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/ist.ts';
import type { SandboxRandom } from '../kernel/ports.ts';
import { forkRandom } from '../kernel/ports.ts';
import { createRequestLog } from '../kernel/request-log.ts';
import type { Route } from '../kernel/routes.ts';
import { formOf } from '../kernel/routes.ts';
import type { SandboxSettings } from '../kernel/settings.ts';
import { accountRoutes } from './account-routes.ts';
import { calculatorRoutes } from './calculator-routes.ts';
import type { TriggerInspector } from './gtt-inspector.ts';
import { gttRoutes } from './gtt-routes.ts';
import { createGttTriggers } from './gtt-triggers.ts';
import { loginRoutes } from './login-page.ts';
import { marketRoutes } from './market-routes.ts';
import { kiteStatus } from './order-rows.ts';
import { orderRoutes } from './order-routes.ts';
import type { KiteParts } from './place.ts';
import { kiteTicket } from './place.ts';
import type { SentPostback } from './postbacks.ts';
import { createPostbacks } from './postbacks.ts';
import { KiteRefusal, badInput, kiteError, kiteRefusals, kiteSuccess } from './refusal.ts';
import type { KiteSession } from './session.ts';
import { createKiteSession } from './session.ts';
import type { KiteTicker, KiteTickerInspector } from './ticker.ts';
import { createKiteTicker } from './ticker.ts';

export interface KiteInspector extends BrokerInspector, KiteTickerInspector, TriggerInspector {
  /** A request token as the login page would issue it. */
  issueRequestToken(): string;
  /** Begins a session without a browser and ends the one before. Returns the access token. */
  loginDirect(): string;
  /** The access token that is valid now, or null. */
  liveToken(): string | null;
  postbacks(): readonly SentPostback[];
}

/** The limits that Kite documents (docs/spec/kite-limits.md). */
const limits = {
  quote: [{ windowMs: 1_000, max: 1 }],
  historical: [{ windowMs: 1_000, max: 3 }],
  order: [
    { windowMs: 1_000, max: 10 },
    { windowMs: MINUTE_MS, max: 400 },
    { windowMs: DAY_MS, max: 5_000 },
  ],
  other: [{ windowMs: 1_000, max: 10 }],
};

const seed = {
  cash: 150_000_000,
  holdings: [
    ['NSE:INFY', 200, 142_000],
    ['NSE:SBIN', 500, 61_250],
    ['NSE:ITC', 1_000, 38_900],
    ['NSE:TCS', 40, 335_000],
  ],
} as const;

function sessionRoutes(apiKey: string, session: KiteSession): Route[] {
  return [
    {
      method: 'POST',
      pattern: '/session/token',
      category: 'other',
      open: true,
      run: (call) => kiteSuccess(session.exchange(formOf(call.request))),
    },
    {
      method: 'DELETE',
      pattern: '/session/token',
      category: 'other',
      open: true,
      run(call) {
        if (call.query.get('api_key') !== apiKey) throw badInput('Invalid `api_key`.');
        if (!session.end(call.query.get('access_token') ?? '')) {
          throw new KiteRefusal(403, 'TokenException', 'Invalid `access_token`.');
        }
        return kiteSuccess(true);
      },
    },
  ];
}

/** An order in the broker's own app: a market order there has the broker's protection. */
function handForm(order: HandOrder): URLSearchParams {
  const [place = '', symbol = ''] = order.instrument.split(/:(.*)/s);
  const words = { delivery: 'CNC', intraday: 'MIS', carry: 'NRML' };
  const form = new URLSearchParams({
    exchange: place,
    tradingsymbol: symbol,
    transaction_type: order.side,
    quantity: String(order.quantity),
    product: words[order.product ?? (place === 'NFO' ? 'carry' : 'delivery')],
    order_type: order.limitPaise === undefined ? 'MARKET' : 'LIMIT',
    market_protection: '-1',
  });
  if (order.limitPaise !== undefined) form.set('price', String(order.limitPaise / 100));
  return form;
}

function errorTypeOf(status: number): 'NetworkException' | 'GeneralException' {
  return status === 404 || status === 405 || status === 500
    ? 'GeneralException'
    : 'NetworkException';
}

/** The alternative broker: Kite Connect v3 over the sandbox's exchange. */
export function createKite(
  all: SandboxSettings,
  exchange: Exchange,
  random: SandboxRandom,
  source: FaultSource,
  { firstSequence = 0 }: { firstSequence?: number } = {},
): { broker: Broker; inspector: KiteInspector; ticker: KiteTicker } {
  const settings = all.kite;
  const session = createKiteSession(settings, all.clock, forkRandom(random, 'kite-tokens'));
  const account = createAccount(exchange, seed);
  const orders = createOrderManagement({
    exchange,
    account,
    random: forkRandom(random, 'kite-steps'),
    stepMs: all.orderStepMs ?? [15, 60],
    // 15 to 19 digits, as at Kite: 19 digits do not fit into a JavaScript number.
    newOrderId(sequence, at) {
      const number = String(firstSequence + sequence);
      return `${brokerDay(at).replaceAll('-', '').slice(2)}${number.padStart(sequence % 2 ? 9 : 13, '0')}`;
    },
  });
  const parts: KiteParts = { exchange, account, orders };
  const triggers = createGttTriggers(parts, settings, 100_001 + firstSequence);
  const sent: SentPostback[] = [];
  const log = createRequestLog();
  const limiter = createLimiter(all.enforceLimits === false ? {} : limits);
  orders.onChange(
    createPostbacks({
      settings,
      clock: all.clock,
      random: forkRandom(random, 'kite-postbacks'),
      source,
      delayMs: all.postbackMs ?? [40, 400],
      post: (request) => all.post(request),
      sent,
    }),
  );
  const broker: Broker = {
    name: 'kite',
    origin: settings.origin,
    log,
    routes: [
      ...loginRoutes(settings, session),
      ...sessionRoutes(settings.apiKey, session),
      ...marketRoutes(exchange),
      ...orderRoutes(parts, settings),
      ...accountRoutes(parts, settings),
      ...calculatorRoutes(parts),
      ...gttRoutes(parts, triggers),
    ],
    admit: (category, at) => limiter.admit(category, at),
    authorize(request) {
      const live = session.liveToken();
      const expected = `token ${settings.apiKey}:${live}`;
      if (live !== null && request.headers['authorization'] === expected) return null;
      return kiteError(403, 'TokenException', 'Incorrect `api_key` or `access_token`.');
    },
    refusal: (error) =>
      error instanceof KiteRefusal ? kiteError(error.status, error.errorType, error.message) : null,
    errorReply: (status, message) => kiteError(status, errorTypeOf(status), message),
    tooMany: () => kiteError(429, 'NetworkException', 'Too many requests'),
    lyingReply: () => ({ ...kiteError(200, 'GeneralException', 'Something went wrong.') }),
    refusals: kiteRefusals,
    bookIds: () => bookIds(orders.visible(honestView)),
    killTokens: () => session.kill(),
  };
  function byHand(order: HandOrder): ManagedOrder {
    // The app sends an after-market order when the market is closed.
    const variety = exchange.calendar.acceptsAfterMarket(all.clock.now()) ? 'amo' : 'regular';
    const ticket = kiteTicket(parts, variety, handForm(order), 'row');
    return orders.place({ ...ticket, placedBy: 'hand', receipt: null, lateMs: 0 });
  }
  const ofTicker = { settings, clock: all.clock, session, exchange, orders, source };
  const ticker = createKiteTicker(ofTicker);
  const inspector: KiteInspector = {
    ...inspectBroker({
      orders,
      account,
      log,
      now: () => all.clock.now(),
      statusOf: kiteStatus,
      placeByHand: byHand,
      killTokens: () => session.kill(),
    }),
    issueRequestToken: () => session.issueRequestToken(),
    loginDirect: () => session.loginDirect(),
    liveToken: () => session.liveToken(),
    postbacks: () => sent,
    tickerClients: ticker.tickerClients,
    tickerConnections: ticker.tickerConnections,
    ...triggers.inspector,
  };
  return { broker, inspector, ticker };
}
