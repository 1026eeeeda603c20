import type { Configuration } from '../config/settings.ts';
import { mcpRoutes } from '../mcp/mcp-routes.ts';
import type { Log } from '../platform/log.ts';
import type { RouteParts } from '../routes/all-routes.ts';
import type { GatewayModules } from './gateway.ts';
import { loginUrlOf } from './own-address.ts';
import type { Ports } from './ports.ts';

export interface AssistantsParts {
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly modules: GatewayModules;
  readonly log: Log;
  /** The port that the gateway listens on. */
  readonly port: () => number;
}

/** The route of assistants, over the other routes. */
export function composeAssistants(parts: AssistantsParts): NonNullable<RouteParts['further']> {
  const { configuration, ports, modules, log, port } = parts;
  const { server, assistants } = configuration.settings;
  const { gateway, login } = modules;
  return (routes) =>
    mcpRoutes(routes, {
      ...{ gateway, clock: ports.clock, scheduler: ports.scheduler, log },
      trading: assistants.trading,
      loginUrl: () => (login.session ? loginUrlOf(server, port()) : null),
    });
}
