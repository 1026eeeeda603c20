import { z } from 'zod';
import { EVENT_TYPES } from '../events/event-log.ts';
import { hmacSha256, type Secret } from '../platform/secret.ts';
import { epochMs } from '../units/branded.ts';

/** A webhook as the data directory keeps it (docs/events.md, "Webhooks"). */
export const webhookRecord = z.object({
  id: z.string(),
  url: z.string(),
  /** `whsec_` and base64, as Standard Webhooks has it. */
  secret: z.string(),
  /** Null for all. */
  types: z.array(z.enum(EVENT_TYPES)).nullable(),
  createdAt: z.number().transform(epochMs),
  /** The id of the key that asked for it. */
  createdBy: z.string(),
  /** Where it goes on: the id of the last event that was taken, or that it does not want. */
  cursor: z.string(),
  /** The last event that was taken; null before the first. */
  delivered: z.object({ id: z.string(), at: z.number().transform(epochMs) }).nullable(),
  /** Since when, and why, the receiver takes nothing; null while it does. */
  failing: z
    .object({
      ...{ since: z.number().transform(epochMs), times: z.number(), reason: z.string() },
      /** For how long it was tried, ms; absent in records of older versions. */
      triedMs: z.number().exactOptional(),
    })
    .nullable(),
  /** When it was given up; null while it is tried. */
  parkedAt: z.number().transform(epochMs).nullable(),
  /** Whether events were removed before they could be sent. */
  hasGap: z.boolean(),
});
export type WebhookRecord = z.output<typeof webhookRecord>;

/** The id of the webhook that the settings name (docs/events.md, "Webhooks"). */
export const OF_SETTINGS = 'wh_settings';

/** What the settings say of their webhook. */
export interface OwnWebhook {
  readonly url: string;
  readonly secret: Secret;
}

/**
 * The records that are kept of an earlier run, with the webhook of the settings as these have it now. It goes on
 * where it stopped while the address is the same. With another address it is another one: its record is still to be
 * made. The secret is never on disk: it comes from the settings.
 */
export function withOwnWebhook(
  kept: readonly WebhookRecord[],
  own: OwnWebhook | null,
): readonly WebhookRecord[] {
  return kept.flatMap((record) => {
    if (record.id !== OF_SETTINGS) return [record];
    return own?.url === record.url ? [{ ...record, secret: own.secret.reveal() }] : [];
  });
}

export const SECRET_PREFIX = 'whsec_';

/** The headers that let the receiver check a request: Standard Webhooks 1.0, symmetric. */
export function signedHeaders(
  { id, body, secret }: { readonly id: string; readonly body: string; readonly secret: string },
  atSeconds: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atSeconds));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = hmacSha256(key, `${id}.${timestamp}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
