import { mayBePublic } from '../../src/platform/http-public-addresses.ts';
import type { Files } from '../../src/platform/files.ts';
import type { HttpReply, HttpRequest } from '../../src/platform/http.ts';
import { createIds } from '../../src/platform/ids.ts';
import { silentLog } from '../../src/platform/log.ts';
import { eventView } from '../../src/routes/event-views.ts';
import type { WebhookRegistry } from '../../src/routes/webhooks.ts';
import type { OwnWebhook } from '../../src/webhooks/webhook.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';
import type { EventBench } from './event-bench.ts';
import type { VirtualTime } from './virtual-time.ts';

export const ANSWERED: HttpReply = {
  ...{ kind: 'answered', status: 200, statusText: 'OK', headers: {}, body: '' },
};

/** Webhooks without a network: a receiver that answers what it is told to. */
export function memoryWebhooks(
  bench: EventBench,
  time: VirtualTime,
  {
    files = memoryFiles(),
    own = null,
  }: { readonly files?: Files; readonly own?: OwnWebhook | null } = {},
) {
  const received: HttpRequest[] = [];
  let answer: (request: HttpRequest) => HttpReply | Promise<HttpReply> = () => ANSWERED;
  let made = 0;
  const webhooks = createWebhooks({
    feed: bench.feed,
    transport: {
      send: (request) => {
        received.push(request);
        return Promise.resolve(answer(request));
      },
    },
    ids: createIds((count) => new Uint8Array(count).fill((made += 1))),
    ...{ render: eventView, clock: time, scheduler: time, log: silentLog, files },
    path: 'data/webhooks.json',
    own,
  });
  const { list, add, remove, revive } = webhooks;
  const mayReach = (url: string): boolean => mayBePublic(new URL(url).hostname);
  const registry: WebhookRegistry = { list, add, remove, revive, mayReach };
  return {
    ...{ webhooks, registry, files, received },
    /** What the receiver answers from now on. */
    answers: (next: typeof answer) => void (answer = next),
    ids: () => received.map(({ headers }) => headers['webhook-id']),
  };
}
