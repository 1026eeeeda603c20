import type { BrokerInstance } from '../domain/broker.ts';
import type { SignIns } from '../callers/sign-ins.ts';
import type { ProblemFields } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import { type ArmingCalls, armRoute } from './arm.ts';
import { basketRoutes } from './basket.ts';
import { brokerRoutes } from './brokers.ts';
import { cancelAllRoutes } from './cancel-all.ts';
import { calendarRoutes } from './calendar.ts';
import { candleRoutes } from './candles.ts';
import { contractNoteRoutes } from './contract-note.ts';
import type { Route } from './define-route.ts';
import { closeAllRoutes } from './close-all.ts';
import { type DashboardFiles, dashboardRoutes } from './dashboard.ts';
import { docsRoutes } from './docs.ts';
import type { EventReaders } from './event-readers.ts';
import { eventRoutes } from './events.ts';
import { exitRoutes } from './exits.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { instrumentRoutes } from './instruments.ts';
import { type KeyRegistry, keyRoutes } from './keys.ts';
import { keyPositionRoutes } from './key-positions.ts';
import { killSwitchRoutes } from './kill-switch.ts';
import { limitRoutes } from './limits.ts';
import { loginRoutes, type LoginSession } from './login.ts';
import { marginRoutes } from './margins.ts';
import { createDocument } from './openapi.ts';
import { type MetricsText, metricsRoutes } from './metrics.ts';
import { optionChainRoutes } from './option-chain.ts';
import { orderByIdRoutes } from './order-by-id.ts';
import { orderHistoryRoute } from './order-history.ts';
import { orderRoutes } from './orders.ts';
import { overviewRoute } from './overview.ts';
import { portfolioRoutes } from './portfolio.ts';
import { postbackRoute } from './postback.ts';
import { quoteRoutes } from './quotes.ts';
import { createRouteInputs } from './order-schemas.ts';
import { orderTimesRoutes } from './order-times.ts';
import { reportRoutes } from './reports.ts';
import { tradeRoutes } from './trades.ts';
import { type HookRegistry, hookRoutes } from './hooks.ts';
import { signInRoutes } from './sign-ins.ts';
import { signalRoutes, type Signals } from './signals.ts';
import { sessionRoutes } from './session.ts';
import type { PriceReaders } from './price-readers.ts';
import { streamRoutes } from './stream.ts';
import type { StreamTickets } from './stream-tickets.ts';
import { type WebhookRegistry, webhookRoutes } from './webhooks.ts';
import { triggerByIdRoutes } from './trigger-by-id.ts';
import { triggerRoutes } from './triggers.ts';

export interface RouteParts {
  readonly gateway: Gateway;
  /** The session of the broker with a daily login; null where none is set up. */
  readonly session: LoginSession | null;
  /** The answer of routes that need a login when there is none. */
  readonly noLogin: ProblemFields;
  /** The configured broker instances. */
  readonly brokers: readonly Pick<BrokerInstance, 'name' | 'mode'>[];
  readonly keys: KeyRegistry;
  readonly arming: ArmingCalls;
  readonly clock: Clock;
  readonly publicUrl: string | null;
  readonly ready: () => Readiness;
  readonly metrics: MetricsText;
  readonly events: EventReaders;
  readonly priceReaders: PriceReaders;
  readonly tickets: StreamTickets;
  readonly webhooks: WebhookRegistry;
  readonly hooks: HookRegistry;
  readonly signals: Signals;
  readonly signIns: SignIns;
  /** The files of the dashboard's page, as they are built. */
  readonly dashboard: DashboardFiles;
  /** Routes of other entry points, which use those of this folder. */
  readonly further?: (routes: readonly Route[]) => readonly Route[];
}

/** Every route of the main listener, in the order of the OpenAPI document. */
export function allRoutes(parts: RouteParts): readonly Route[] {
  const { gateway, session, noLogin, clock, publicUrl, ready } = parts;
  const brokers = parts.brokers.map(({ name }) => name);
  const inputs = createRouteInputs(brokers);
  const own: readonly Route[] = [
    ...loginRoutes({ session, noLogin, publicUrl }),
    ...sessionRoutes(session, noLogin),
    postbackRoute(gateway),
    ...quoteRoutes(gateway, inputs),
    ...streamRoutes(parts.priceReaders, parts.tickets),
    ...candleRoutes(gateway, clock, inputs),
    ...optionChainRoutes(gateway, inputs),
    ...instrumentRoutes(gateway),
    ...calendarRoutes(clock),
    ...portfolioRoutes(gateway, inputs),
    ...triggerRoutes(gateway, inputs),
    ...triggerByIdRoutes(gateway, inputs),
    ...marginRoutes(gateway, inputs),
    ...contractNoteRoutes(gateway, inputs),
    ...reportRoutes(gateway, parts.keys, inputs),
    ...orderRoutes(gateway, inputs, () => parts.events.feed.newest()),
    ...basketRoutes(gateway, inputs),
    ...tradeRoutes(gateway, inputs),
    ...cancelAllRoutes(gateway, inputs),
    ...orderByIdRoutes(gateway, inputs),
    orderHistoryRoute(gateway, inputs),
    ...orderTimesRoutes(gateway, inputs),
    ...exitRoutes(gateway, clock, inputs),
    ...closeAllRoutes(gateway, clock, inputs),
    ...killSwitchRoutes(gateway, parts.keys),
    armRoute(parts.arming),
    ...eventRoutes(parts.events, async (text) => (await gateway.getInstrument(text)).name),
    ...webhookRoutes(parts.webhooks),
    ...hookRoutes(parts.hooks),
    ...signalRoutes(parts.signals),
    ...keyRoutes(parts.keys, parts.brokers, inputs),
    ...keyPositionRoutes(gateway, parts.keys, inputs),
    overviewRoute(gateway, session, parts, inputs),
    ...brokerRoutes(gateway),
    ...limitRoutes(gateway, inputs),
    ...healthRoutes(ready, gateway),
    ...metricsRoutes(parts.metrics),
    ...docsRoutes(() => document()),
    ...signInRoutes(parts.signIns),
    ...dashboardRoutes(parts.dashboard),
  ];
  const routes = [...own, ...(parts.further?.(own) ?? [])];
  const document = createDocument(() => routes, { publicUrl, brokers });
  return routes;
}
