import type { Gateway } from '../../src/router/gateway.ts';
import { mcpRoutes } from '../../src/mcp/mcp-routes.ts';
import { allRoutes } from '../../src/routes/all-routes.ts';
import type { Route } from '../../src/routes/define-route.ts';
import { createDocument, type OpenApiDocument } from '../../src/routes/openapi.ts';
import type { KeyRegistry } from '../../src/routes/keys.ts';

/** A part that no description of a route uses: whatever is asked of it throws. */
function unused<T extends object>(name: string): T {
  const refuse = (): never => {
    throw new Error(`the document was made with ${name}, which only answers need`);
  };
  return new Proxy({}, { get: refuse }) as T;
}

export const DOCUMENTED_BROKERS = [
  { name: 'alt', mode: 'live' },
  { name: 'primary', mode: 'live' },
  { name: 'paper', mode: 'paper' },
] as const;

/** Every route of the main listener, without a gateway behind it. */
export function routesWithoutGateway(): readonly Route[] {
  return allRoutes({
    gateway: unused<Gateway>('a gateway'),
    session: null,
    noLogin: { code: 'no_broker', detail: 'There is none.' },
    brokers: DOCUMENTED_BROKERS,
    keys: unused<KeyRegistry>('keys'),
    metrics: unused('metrics'),
    events: unused('the readers of events'),
    webhooks: unused('webhooks'),
    arming: unused('arming'),
    ...{ hooks: unused('hooks'), signals: unused('signals') },
    ...{ signIns: unused('sign-ins'), dashboard: () => null },
    priceReaders: unused('the readers of prices'),
    tickets: unused('tickets'),
    clock: unused('a clock'),
    publicUrl: null,
    further: (routes) => mcpRoutes(routes, unused('the parts of assistants')),
    ready: () => ({ ready: true, reasons: [], notices: [], isDiskLow: false, disarmed: null }),
  });
}

/** The document as `/openapi.json` answers it, with the brokers of the usual settings. */
export function gatewayDocument(): Promise<OpenApiDocument> {
  return createDocument(routesWithoutGateway, {
    publicUrl: null,
    brokers: DOCUMENTED_BROKERS.map(({ name }) => name),
  })();
}
