import { createAccount } from '../exchange/account.ts';
import { createOrderManagement } from '../exchange/order-management.ts';
import type { ManagedOrder } from '../exchange/managed-order.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { bookIds, honestView } from '../kernel/book-view.ts';
import type { Broker } from '../kernel/broker.ts';
import type { BrokerInspector, HandOrder } from '../kernel/inspector.ts';
import { inspectBroker } from '../kernel/inspector.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/ist.ts';
import { createLimiter } from '../kernel/limiter.ts';
import type { SandboxRandom } from '../kernel/ports.ts';
import { forkRandom } from '../kernel/ports.ts';
import { createRequestLog } from '../kernel/request-log.ts';
import type { SandboxSettings } from '../kernel/settings.ts';
import { jsonReply } from '../kernel/wire.ts';
import { accountRoutes } from './account-routes.ts';
import { chainRoutes } from './chain-routes.ts';
import { marketRoutes } from './market-routes.ts';
import { primaryStatus } from './order-rows.ts';
import { orderRoutes } from './order-routes.ts';
import type { PrimaryParts } from './place.ts';
import { primaryTicket } from './place.ts';
import { PrimaryRefusal, primaryRefusals } from './refusal.ts';
import { smartRoutes } from './smart-orders.ts';
import { createPrimarySession } from './token.ts';

export interface PrimaryInspector extends BrokerInspector {
  /** The access token that is valid now, or null. */
  liveToken(): string | null;
}

/** Limits: docs/spec/primary-brokerage.md, "Limits". */
const limits = {
  everything: [{ windowMs: 1_000, max: 100 }],
  order: [{ windowMs: 1_000, max: 10 }],
  reading: [
    { windowMs: 1_000, max: 15 },
    { windowMs: DAY_MS, max: 100_000 },
  ],
  quote: [
    { windowMs: 1_000, max: 5 },
    { windowMs: DAY_MS, max: 100_000 },
  ],
  data: [
    { windowMs: 1_000, max: 5 },
    { windowMs: DAY_MS, max: 100_000 },
  ],
  token: [{ windowMs: MINUTE_MS, max: 1 }],
};

const seed = {
  cash: 120_000_000,
  holdings: [
    ['NSE:RELIANCE', 150, 131_000],
    ['NSE:HDFCBANK', 300, 87_500],
    ['NSE:TATASTEEL', 2_000, 14_800],
  ],
} as const;

function handBody(exchange: Exchange, order: HandOrder): Record<string, unknown> {
  const instrument = exchange.listing.byKey(order.instrument);
  if (!instrument) throw new Error(`the sandbox has no instrument ${order.instrument}`);
  const words = { delivery: 'CNC', intraday: 'INTRADAY', carry: 'MARGIN' };
  const isOption = instrument.kind === 'option';
  return {
    txn_type: order.side,
    exchange: instrument.primary.exchange,
    segment: instrument.primary.segment,
    product: words[order.product ?? (isOption ? 'carry' : 'delivery')],
    order_type: order.limitPaise === undefined ? 'MARKET' : 'LIMIT',
    validity: 'DAY',
    security_id: instrument.primary.securityId,
    qty: order.quantity,
    algo_id: '99999',
    // The app sends an after-market order when the market is closed.
    is_amo: exchange.calendar.acceptsAfterMarket(exchange.clock.now()),
    ...(order.limitPaise === undefined ? {} : { limit_price: order.limitPaise / 100 }),
  };
}

const errorTypes: Record<number, string> = {
  400: 'DataException',
  404: 'NotFoundException',
  405: 'MethodNotAllowedException',
  500: 'GeneralException',
  503: 'ServiceUnavailableException',
  504: 'GatewayTimeoutException',
};

/** The primary brokerage over the sandbox's exchange. */
export function createPrimary(
  all: SandboxSettings,
  exchange: Exchange,
  random: SandboxRandom,
): { broker: Broker; inspector: PrimaryInspector } {
  const settings = all.primary;
  const session = createPrimarySession(settings, all.clock, forkRandom(random, 'primary-tokens'));
  const account = createAccount(exchange, seed);
  const orders = createOrderManagement({
    exchange,
    account,
    random: forkRandom(random, 'primary-steps'),
    stepMs: all.orderStepMs ?? [15, 60],
    newOrderId(sequence, _at, ticket) {
      const kind = ticket.instrument.kind === 'option' ? 'DRV' : 'EQ';
      return `${ticket.trigger ? 'GTT' : kind}-${28_131_000 + sequence}`;
    },
  });
  const parts: PrimaryParts = { exchange, account, orders };
  const log = createRequestLog();
  const limiter = createLimiter(all.enforceLimits === false ? {} : limits);
  const errorReply: Broker['errorReply'] = (status, message) =>
    jsonReply(status, {
      status: 'error',
      message,
      error_type: errorTypes[status] ?? 'NetworkException',
    });
  const broker: Broker = {
    name: 'primary',
    origin: settings.origin,
    log,
    routes: [
      session.route,
      ...marketRoutes(exchange, settings),
      ...chainRoutes(exchange),
      ...orderRoutes(parts, settings),
      ...smartRoutes(parts),
      ...accountRoutes(parts, settings),
    ],
    // Both limits count the request, whichever of them it exceeds.
    admit(category, at) {
      const within = limiter.admit('everything', at);
      return limiter.admit(category, at) && within;
    },
    authorize: (request, route) => session.authorize(request, route.category),
    refusal: (error) =>
      error instanceof PrimaryRefusal ? jsonReply(error.status, error.body) : null,
    errorReply,
    tooMany: () => jsonReply(429, { error: 'Rate limit exceeded', success: false }),
    lyingReply: () =>
      jsonReply(200, {
        status: 'failure',
        error: { msg: 'no order number in rs response' },
      }),
    refusals: primaryRefusals,
    bookIds: () => bookIds(orders.visible(honestView)),
    killTokens: () => session.kill(),
  };
  const placeByHand = (order: HandOrder): ManagedOrder =>
    orders.place({
      ...primaryTicket(parts, handBody(exchange, order)),
      placedBy: 'hand',
      receipt: null,
      lateMs: 0,
    });
  const inspector: PrimaryInspector = {
    ...inspectBroker({
      orders,
      account,
      log,
      now: () => all.clock.now(),
      statusOf: primaryStatus,
      placeByHand,
      killTokens: () => session.kill(),
    }),
    liveToken: () => session.liveToken(),
  };
  return { broker, inspector };
}
