import { join } from 'node:path';
import type { Configuration } from '../config/settings.ts';
import { mayBePublic } from '../platform/http-public-addresses.ts';
import type { Log } from '../platform/log.ts';
import { eventView } from '../routes/event-views.ts';
import type { WebhookRegistry } from '../routes/webhooks.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import type { GatewayModules } from './gateway.ts';
import type { Ports } from './ports.ts';
import { tellingWebhookChanges } from './tell-changes.ts';

export interface WebhooksParts {
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly modules: Pick<GatewayModules, 'feed' | 'execution'>;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly stack: AsyncDisposableStack;
}

/** Webhooks, on connections of their own: no order waits for one. */
export function composeWebhooks(parts: WebhooksParts): WebhookRegistry {
  const { configuration, ports, modules, dataDirectory, log, stack } = parts;
  const { privateAddresses, url } = configuration.settings.webhooks;
  const secret = configuration.secrets.webhookSecret;
  const transport = ports.webhookTransport(privateAddresses);
  stack.defer(() => transport.close());
  const webhooks = createWebhooks({
    ...{ ...ports, log, transport, feed: modules.feed, render: eventView },
    path: join(dataDirectory, 'webhooks.json'),
    own: url === null || secret === null ? null : { url, secret },
  });
  stack.use(webhooks);
  const registry: WebhookRegistry = {
    list: webhooks.list,
    add: webhooks.add,
    remove: webhooks.remove,
    revive: webhooks.revive,
    mayReach: (url) => privateAddresses || mayBePublic(new URL(url).hostname),
  };
  return tellingWebhookChanges(registry, { execution: modules.execution, log });
}
