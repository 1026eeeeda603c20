import type { EventType } from '../events/event-log.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import { messageOf } from '../platform/values.ts';
import { openStateFile } from '../platform/state-file.ts';
import { deliverEvents, type DeliveryParts, type Held } from './deliveries.ts';
import {
  OF_SETTINGS,
  type OwnWebhook,
  SECRET_PREFIX,
  type WebhookFile,
  webhookFile,
  type WebhookRecord,
  withOwnWebhook,
  withoutOwnSecret,
} from './webhook.ts';

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
  /** The one that was removed; null where there is no such one, and for that of the settings. */
  remove(id: string): WebhookRecord | null;
  /** Tries a parked one again, from where it stopped; null where there is no such one. */
  revive(id: string): WebhookRecord | null;
}

export interface WebhooksParts extends DeliveryParts {
  readonly files: Files;
  readonly ids: Ids;
  /** `data/webhooks.json`, which holds their secrets. */
  readonly path: string;
  /** The webhook that the settings name; null for none. It is removed with the settings alone. */
  readonly own: OwnWebhook | null;
}

/** Besides the one of the settings. */
export const MOST_WEBHOOKS = 10;
/** A position that moves on is on disk after so long: after a crash, what was sent since is sent again. */
const KEEP_AFTER_MS = 1_000;
const SECRET_BYTES = 32;

export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { clock, scheduler, ids, feed, log, own } = parts;
  const parse = (json: unknown): WebhookFile => webhookFile.parse(json);
  const file = openStateFile({ ...parts, parse });
  const kept = withOwnWebhook(file.content()?.webhooks ?? [], own);
  let { records } = kept;
  const running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  let cancelKeep: Cancel | null = null;
  let isOver = false;

  function keep(): void {
    cancelKeep?.();
    cancelKeep = null;
    file.write({ version: 1, webhooks: withoutOwnSecret(records) });
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

  function begin(record: WebhookRecord): void {
    records = [...records, record];
    keep();
    start(record);
  }

  /** The webhook of the settings begins with what happens from now on, as every new one. */
  async function addOwn({ url, secret }: OwnWebhook): Promise<void> {
    const cursor = await feed.newest();
    if (isOver) return;
    begin(
      newRecord({ id: OF_SETTINGS, url, secret: secret.reveal(), cursor, by: 'settings' }, clock),
    );
  }

  for (const record of records) start(record);
  const added = own !== null && kept.isMissing ? addOwn(own) : Promise.resolve();
  added.catch((error: unknown) => {
    log.error('the webhook of the settings could not be added; restart the gateway', {
      reason: messageOf(error),
    });
  });

  return {
    list: () => records,
    async add({ url, types, by }) {
      if (records.filter((each) => each.id !== OF_SETTINGS).length >= MOST_WEBHOOKS) return null;
      const id = `wh_${ids.uuid7(clock.now())}`;
      const secret =
        SECRET_PREFIX + Buffer.from(ids.secret(SECRET_BYTES), 'hex').toString('base64');
      const record = newRecord({ id, url, secret, cursor: await feed.newest(), by }, clock, types);
      begin(record);
      return record;
    },
    remove(id) {
      const record = find(id);
      if (record === undefined || id === OF_SETTINGS) return null;
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
      isOver = true;
      await added.catch(() => undefined);
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      if (cancelKeep !== null) keep();
    },
  };
}

const newRecord = (
  { by, ...of }: Pick<WebhookRecord, 'id' | 'url' | 'secret' | 'cursor'> & { readonly by: string },
  clock: Clock,
  types: readonly EventType[] | null = null,
): WebhookRecord => ({
  ...{ ...of, types: types && [...types], createdAt: clock.now(), createdBy: by },
  ...{ delivered: null, failing: null, parkedAt: null, hasGap: false },
});
