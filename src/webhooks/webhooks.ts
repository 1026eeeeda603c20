import type { EventType } from '../events/event-log.ts';
import type { Cancel } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import { openStateFile } from '../platform/state-file.ts';
import { deliverEvents, type DeliveryParts, type Held } from './deliveries.ts';
import { SECRET_PREFIX, type WebhookFile, webhookFile, type WebhookRecord } from './webhook.ts';

export interface WebhookRequest {
  readonly url: string;
  /** Null for all. */
  readonly types: readonly EventType[] | null;
  /** The id of the key that asks. */
  readonly by: string;
}

/** Addresses to which every event is sent, each in order and by itself. */
export interface Webhooks extends AsyncDisposable {
  list(): readonly WebhookRecord[];
  /** Null where there are as many as there may be. It begins with what happens from now on. */
  add(request: WebhookRequest): Promise<WebhookRecord | null>;
  /** The one that was removed; null where there is no such one. */
  remove(id: string): WebhookRecord | null;
  /** Tries a parked one again, from where it stopped; null where there is no such one. */
  revive(id: string): WebhookRecord | null;
}

export interface WebhooksParts extends DeliveryParts {
  readonly files: Files;
  readonly ids: Ids;
  /** `data/webhooks.json`, which holds their secrets. */
  readonly path: string;
}

export const MOST_WEBHOOKS = 10;
/** A position that moves on is on disk after so long: after a crash, what was sent since is sent again. */
const KEEP_AFTER_MS = 1_000;
const SECRET_BYTES = 32;

export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { clock, scheduler, ids, feed } = parts;
  const parse = (json: unknown): WebhookFile => webhookFile.parse(json);
  const file = openStateFile({ ...parts, parse });
  let records: readonly WebhookRecord[] = file.content()?.webhooks ?? [];
  const running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  let cancelKeep: Cancel | null = null;

  function keep(): void {
    cancelKeep?.();
    cancelKeep = null;
    file.write({ version: 1, webhooks: [...records] });
  }

  function change(id: string, changes: Partial<WebhookRecord>, now: boolean): void {
    records = records.map((each) => (each.id === id ? { ...each, ...changes } : each));
    if (now) keep();
    else cancelKeep ??= scheduler.after(KEEP_AFTER_MS, keep);
  }

  const find = (id: string): WebhookRecord | undefined => records.find((each) => each.id === id);

  function start(record: WebhookRecord): void {
    if (record.parkedAt !== null) return;
    const stop = new AbortController();
    const held: Held = {
      record: () => find(record.id) ?? record,
      change: (changes, now) => change(record.id, changes, now),
    };
    const before = running.get(record.id)?.done ?? Promise.resolve();
    const done = before.then(() => deliverEvents(held, parts, stop.signal));
    running.set(record.id, { stop, done });
  }

  for (const record of records) start(record);

  return {
    list: () => records,
    async add({ url, types, by }) {
      if (records.length >= MOST_WEBHOOKS) return null;
      const record: WebhookRecord = {
        ...{ id: `wh_${ids.uuid7(clock.now())}`, url, types: types && [...types] },
        secret: SECRET_PREFIX + Buffer.from(ids.secret(SECRET_BYTES), 'hex').toString('base64'),
        ...{ createdAt: clock.now(), createdBy: by, cursor: await feed.newest() },
        ...{ delivered: null, failing: null, parkedAt: null, hasGap: false },
      };
      records = [...records, record];
      keep();
      start(record);
      return record;
    },
    remove(id) {
      const record = find(id);
      if (record === undefined) return null;
      running.get(id)?.stop.abort();
      records = records.filter((each) => each.id !== id);
      keep();
      return record;
    },
    revive(id) {
      const record = find(id);
      if (record === undefined) return null;
      if (record.parkedAt !== null) {
        change(id, { parkedAt: null, failing: null }, true);
        start({ ...record, parkedAt: null });
      }
      return find(id) ?? null;
    },
    async [Symbol.asyncDispose]() {
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      if (cancelKeep !== null) keep();
    },
  };
}
