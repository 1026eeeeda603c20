import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import { brokerRoutes } from './brokers.ts';
import { candleRoutes } from './candles.ts';
import type { Route } from './define-route.ts';
import { docsRoutes } from './docs.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { instrumentRoutes } from './instruments.ts';
import { killSwitchRoutes } from './kill-switch.ts';
import { limitRoutes } from './limits.ts';
import type { LoginSession } from './login-session.ts';
import { loginRoutes } from './login.ts';
import { marginRoutes } from './margins.ts';
import { createDocument } from './openapi.ts';
import { optionChainRoutes } from './option-chain.ts';
import { orderByIdRoutes } from './order-by-id.ts';
import { orderRoutes } from './orders.ts';
import { portfolioRoutes } from './portfolio.ts';
import { postbackRoute } from './postback.ts';
import { quoteRoutes } from './quotes.ts';
import { sessionRoutes } from './session.ts';

export interface RouteParts {
  readonly gateway: Gateway;
  /** Null when no alternative broker is configured. */
  readonly session: LoginSession | null;
  readonly clock: Clock;
  readonly publicUrl: string | null;
  readonly ready: () => Readiness;
}

/** Every route of the main listener, in the order of the document. */
export function allRoutes(parts: RouteParts): readonly Route[] {
  const { gateway, session, clock, publicUrl, ready } = parts;
  const routes: readonly Route[] = [
    ...loginRoutes({ session, publicUrl }),
    ...sessionRoutes(session),
    postbackRoute(gateway),
    ...quoteRoutes(gateway),
    ...candleRoutes(gateway, clock),
    ...optionChainRoutes(gateway),
    ...instrumentRoutes(gateway),
    ...portfolioRoutes(gateway),
    ...marginRoutes(gateway),
    ...orderRoutes(gateway),
    ...orderByIdRoutes(gateway),
    ...killSwitchRoutes(gateway),
    ...brokerRoutes(gateway),
    ...limitRoutes(gateway),
    ...healthRoutes(ready, gateway),
    ...docsRoutes(() => document()),
  ];
  const document = createDocument(() => routes, publicUrl);
  return routes;
}
