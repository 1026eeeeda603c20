import type { EventType } from '../events/event-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import { messageOf } from '../platform/values.ts';
import { deliverEvents, type DeliveryParts, type Held } from './deliveries.ts';
import {
  OF_SETTINGS,
  type OwnWebhook,
  SECRET_PREFIX,
  type WebhookRecord,
  withOwnWebhook,
} from './webhook.ts';
import { openWebhookStore } from './webhook-store.ts';

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
  /**
   * Null where there are as many as there may be. It begins with what happens from now on. Like the two below, it
   * fails with FileWriteError where the disk does not take the change; then nothing has changed.
   */
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
const SECRET_BYTES = 32;

/** Throws FileError, as `openWebhookStore` does. */
export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { clock, ids, feed, log, own } = parts;
  const store = openWebhookStore(parts, (kept) => withOwnWebhook(kept, own));
  const { find } = store;
  const running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  let isOver = false;

  function start(record: WebhookRecord): void {
    if (record.parkedAt !== null) return;
    const stop = new AbortController();
    const held: Held = {
      record: () => find(record.id) ?? record,
      change: (changes, now) => store.note(record.id, changes, now),
    };
    const before = running.get(record.id)?.done ?? Promise.resolve();
    const done = before.then(() => deliverEvents(held, parts, stop.signal));
    running.set(record.id, { stop, done });
  }

  function begin(record: WebhookRecord): void {
    store.save([...store.all(), record]);
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

  for (const record of store.all()) start(record);
  const isMissing = own !== null && find(OF_SETTINGS) === undefined;
  const added = isMissing ? addOwn(own) : Promise.resolve();
  added.catch((error: unknown) => {
    log.error('the webhook of the settings could not be added; restart the gateway', {
      reason: messageOf(error),
    });
  });

  return {
    list: store.all,
    async add({ url, types, by }) {
      const cursor = await feed.newest();
      // Others may have been added meanwhile.
      if (store.all().filter((each) => each.id !== OF_SETTINGS).length >= MOST_WEBHOOKS)
        return null;
      const id = `wh_${ids.uuid7(clock.now())}`;
      const secret =
        SECRET_PREFIX + Buffer.from(ids.secret(SECRET_BYTES), 'hex').toString('base64');
      const record = newRecord({ id, url, secret, cursor, by }, clock, types);
      begin(record);
      return record;
    },
    remove(id) {
      const record = find(id);
      if (record === undefined || id === OF_SETTINGS) return null;
      store.save(store.all().filter((each) => each !== record));
      running.get(id)?.stop.abort();
      return record;
    },
    revive(id) {
      const record = find(id);
      if (record === undefined) return null;
      if (record.parkedAt !== null) {
        store.save(store.changed(id, { parkedAt: null, failing: null }));
        start({ ...record, parkedAt: null });
      }
      return find(id) ?? null;
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await added.catch(() => undefined);
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      store.close();
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
