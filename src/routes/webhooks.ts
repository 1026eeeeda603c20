import { z } from 'zod';
import { at, atOrNull, text } from './answer-parts.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { EVENT_TYPES, type EventType } from '../events/event-log.ts';
import type { EpochMs } from '../units/branded.ts';
import { istIso } from '../domain/ist.ts';
import { defineRoute, enveloped, isoOrNull, json, type Route, success } from './define-route.ts';

/** The id of the webhook that the settings name: requests neither add nor delete it. */
const OF_SETTINGS = 'wh_settings';

/** One webhook, as its registry has it. */
export interface WebhookView {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly types: readonly EventType[] | null;
  readonly createdAt: EpochMs;
  readonly createdBy: string;
  readonly delivered: { readonly id: string; readonly at: EpochMs } | null;
  readonly failing: {
    readonly since: EpochMs;
    readonly times: number;
    readonly reason: string;
  } | null;
  readonly parkedAt: EpochMs | null;
  readonly hasGap: boolean;
}

/** What the routes need of webhooks. */
export interface WebhookRegistry {
  list(): readonly WebhookView[];
  /** Null where there are as many as there may be. */
  add(request: {
    readonly url: string;
    readonly types: readonly EventType[] | null;
    readonly by: string;
  }): Promise<WebhookView | null>;
  /** Null where there is no such one. `by` is the id of the key that asks. */
  remove(id: string, by: string): WebhookView | null;
  revive(id: string, by: string): WebhookView | null;
  /** False for an address that the settings do not allow, as far as the text alone tells. */
  mayReach(url: string): boolean;
}

const url = z
  .string()
  .max(2_000, 'takes at most 2,000 characters')
  .refine((text) => isAddress(text), 'takes an http or https address without user and fragment')
  .meta({
    description:
      'Where each event is posted; it must be of the public internet unless a setting allows more',
    example: 'https://hooks.example.com/orders',
  });

const body = z
  .strictObject({
    url,
    types: z
      .array(z.enum(EVENT_TYPES))
      .min(1, 'takes at least one type')
      .nullish()
      .meta({ description: 'Events of these types alone; all when absent' }),
  })
  .meta({
    id: 'WebhookRequest',
    example: { url: 'https://hooks.example.com/orders', types: ['order.fill'] },
  });

const webhookSchema = z
  .object({
    id: text('The id of the webhook; `wh_settings` is the one of the settings'),
    url: text('The address to which events are posted'),
    types: z.array(z.enum(EVENT_TYPES)).nullable().meta({ description: 'Null for all' }),
    state: z.enum(['working', 'failing', 'parked']).meta({
      description:
        '`parked`: given up after a day without success, or after an answer 410; revive it',
    }),
    reason: z.string().nullable().meta({ description: 'Why the last request failed' }),
    failures: z.int().meta({ description: 'Requests that failed since the last success' }),
    failingSince: atOrNull('When the first of them failed; null while it works'),
    parkedAt: atOrNull('Since when nothing is posted any more; null unless it is parked'),
    lastEventId: z.string().nullable().meta({ description: 'The last event that was taken' }),
    lastDeliveredAt: atOrNull('When an event was last taken; null before the first'),
    hasGap: z.boolean().meta({
      description: 'Whether events grew too old to be sent while it was failing or parked',
    }),
    createdAt: at('When the webhook was made'),
    createdBy: z.string().meta({ description: 'The id of a key, or `settings`' }),
  })
  .meta({ id: 'Webhook' });

const params = z.strictObject({
  id: z
    .string()
    .regex(/^wh_(?:[0-9a-f-]{36}|settings)$/, 'takes the id of a webhook')
    .meta({
      description: 'The id of the webhook',
      example: 'wh_0193576c-2f00-7000-8000-000000000000',
    }),
});

const secret = z.string().meta({
  description: 'Shown once: the receiver checks the signature with it (docs/events.md)',
});

/** Addresses to which events are posted (docs/events.md, "Webhooks"). */
export function webhookRoutes(webhooks: WebhookRegistry): readonly Route[] {
  const common = { scope: 'admin', tag: 'Events' } as const;
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/api/v1/webhooks',
      operationId: 'getWebhooks',
      summary: 'The webhooks, and how each does',
      problems: [],
      replies: { 200: { description: 'Webhooks', schema: enveloped(z.array(webhookSchema)) } },
      handler: () => json(200, success(webhooks.list().map(view))),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/v1/webhooks',
      operationId: 'addWebhook',
      summary: 'Adds an address to which events are posted from now on',
      body,
      problems: ['journal_unavailable'],
      replies: {
        201: {
          description: 'The webhook, with its secret',
          schema: enveloped(webhookSchema.extend({ secret })),
          headers: ['Location'],
        },
      },
      handler: async ({ body: { url: to, types = null }, caller }) => {
        if (!webhooks.mayReach(to)) {
          const message =
            'is an address of this computer or its network: take a public one, or set ' +
            'APP_WEBHOOK_PRIVATE_ADDRESSES=true';
          throw invalid('body.url', message);
        }
        const made = await webhooks.add({ url: to, types, by: caller.id });
        if (made === null)
          throw invalid('body', 'there are ten webhooks already: delete one of them');
        const data = { ...view(made), secret: made.secret };
        return json(201, success(data), { Location: '/api/v1/webhooks' });
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/api/v1/webhooks/{id}',
      operationId: 'deleteWebhook',
      summary: 'Deletes a webhook: nothing more is posted there',
      description: 'The webhook of the settings goes with its settings alone.',
      params,
      problems: ['unknown_webhook', 'journal_unavailable'],
      replies: { 200: { description: 'The webhook, as it was', schema: enveloped(webhookSchema) } },
      handler: ({ params: { id }, caller }) => {
        if (id === OF_SETTINGS) {
          const message =
            'is the webhook of APP_WEBHOOK_URL: remove that setting and restart the gateway';
          throw invalid('params.id', message);
        }
        const found = webhooks.remove(id, caller.id);
        if (found === null) throw unknown(id);
        return json(200, success(view(found)));
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/v1/webhooks/{id}/revive',
      operationId: 'reviveWebhook',
      summary: 'Tries a parked webhook again, from the event at which it stopped',
      params,
      problems: ['unknown_webhook', 'journal_unavailable'],
      replies: { 200: { description: 'The webhook', schema: enveloped(webhookSchema) } },
      handler: ({ params: { id }, caller }) => {
        const found = webhooks.revive(id, caller.id);
        if (found === null) throw unknown(id);
        return json(200, success(view(found)));
      },
    }),
  ];
}

function view(webhook: WebhookView): z.output<typeof webhookSchema> {
  const { id, types, delivered, failing, parkedAt, hasGap, createdAt, createdBy } = webhook;
  return {
    ...{ id, url: webhook.url, types: types && [...types] },
    state: parkedAt !== null ? 'parked' : failing !== null ? 'failing' : 'working',
    ...{ reason: failing?.reason ?? null, failures: failing?.times ?? 0 },
    ...{ failingSince: isoOrNull(failing?.since ?? null), parkedAt: isoOrNull(parkedAt) },
    ...{ lastEventId: delivered?.id ?? null, lastDeliveredAt: isoOrNull(delivered?.at ?? null) },
    ...{ hasGap, createdAt: istIso(createdAt), createdBy },
  };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + hash === '';
}

const unknown = (id: string): GatewayProblem =>
  new GatewayProblem({
    code: 'unknown_webhook',
    detail: `There is no webhook ${id}: GET /api/v1/webhooks lists them.`,
  });

const invalid = (path: string, message: string): GatewayProblem =>
  new GatewayProblem({
    code: 'invalid_request',
    detail: `${path}: ${message}`,
    errors: [{ path, message }],
  });
