import type { Log } from '../platform/log.ts';
import type { IncomingMessage } from '../platform/messenger.ts';
import { type Scheduler, sleep } from '../platform/clock.ts';
import { fieldOf } from '../platform/values.ts';
import type { BotClient, CallOptions } from './bot-client.ts';

export interface PollingParts {
  readonly client: BotClient;
  readonly chatId: string;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Seconds for which the service may hold a poll open; our own deadline is a little later. */
const HELD_SECONDS = 50;
const POLL_DEADLINE_MS = (HELD_SECONDS + 15) * 1_000;
const CALL_DEADLINE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A wrong token, or another program that polls the same bot: a person must correct that. */
const REFUSED_PAUSE_MS = 300_000;
const STRANGERS_KEPT = 100;
/** Ten polls of the most updates that one poll answers: a repeat comes sooner than that. */
const HANDLED_KEPT = 1_000;

type Update = Parameters<BotClient['bot']['handleUpdate']>[0];

/**
 * Long polling by telegraf's client in our own loop: telegraf's loop cannot be stopped while it
 * waits during an outage, and keeps the process alive meanwhile.
 */
export function startPolling(
  parts: PollingParts,
  take: (message: IncomingMessage) => void,
): () => Promise<void> {
  const { client, chatId, scheduler, log } = parts;
  const { bot } = client;
  const { telegram } = bot;
  const stop = new AbortController();
  const strangers = new Set<string>();
  const updates = createUpdateReader(bot, log);

  bot.on('text', (context) => {
    const { text, message_id: messageId, chat } = context.message;
    if (String(chat.id) === chatId) take({ text: addressed(text, context.me), messageId });
    else ignore(String(chat.id));
  });

  /** The bot does not answer other chats; the owner finds a new chat's id in the log. */
  function ignore(chat: string): void {
    if (strangers.has(chat) || strangers.size >= STRANGERS_KEPT) return;
    strangers.add(chat);
    log.warn('a message from another chat than APP_TELEGRAM_CHAT_ID was ignored', {
      setting: 'APP_TELEGRAM_CHAT_ID',
      caller: chat,
    });
  }

  /**
   * Reads the bot's name and removes a webhook, because with a webhook updates cannot be polled.
   */
  async function introduce(given: CallOptions): Promise<void> {
    if (bot.botInfo) return;
    const info = await telegram.callApi('getMe', {}, given);
    await telegram.callApi('deleteWebhook', { drop_pending_updates: false }, given);
    bot.botInfo = info;
  }

  const poll = (given: CallOptions): Promise<readonly Update[]> =>
    telegram.callApi(
      'getUpdates',
      { offset: updates.offset(), timeout: HELD_SECONDS, allowed_updates: ['message'] },
      given,
    );

  async function turn() {
    if (!bot.botInfo) {
      const introduced = await client.call(introduce, CALL_DEADLINE_MS, stop.signal);
      if (introduced.kind !== 'done') return introduced;
    }
    return client.call(poll, POLL_DEADLINE_MS, stop.signal);
  }

  async function loop(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    let away = false;
    while (!stop.signal.aborted) {
      const polled = await turn();
      if (stop.signal.aborted) return;
      if (
        polled.kind === 'done' &&
        Array.isArray(polled.value) &&
        (await updates.handle(polled.value))
      ) {
        if (away) log.info('the gateway reads commands by Telegram again');
        [pause, away] = [FIRST_PAUSE_MS, false];
        continue;
      }
      const reason = polled.kind === 'done' ? 'its answer could not be read' : polled.reason;
      if (!away)
        log.warn('commands by Telegram cannot be read; the gateway will try again', { reason });
      away = true;
      const wait =
        polled.kind === 'refused'
          ? REFUSED_PAUSE_MS
          : polled.kind === 'away'
            ? (polled.retryAfterMs ?? pause)
            : pause;
      await sleep(scheduler, wait, stop.signal);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  const running = loop().catch((error: unknown) => {
    const reason = error instanceof Error ? error.name : 'unknown';
    log.error(
      'the gateway no longer reads commands by Telegram: correct the setting, then ' + 'restart',
      { reason },
    );
  });
  return () => {
    stop.abort();
    return running;
  };
}

interface UpdateReader {
  /** The id of the first update that the next poll asks for. */
  offset(): number;
  /**
   * Handles each update once, and passes over what is no update. False when an answer brought
   * something and nothing of it was new: the service would give the same answer again at once.
   */
  handle(updates: readonly unknown[]): Promise<boolean>;
}

function createUpdateReader(bot: BotClient['bot'], log: Log): UpdateReader {
  /** Oldest first. Ids may start again at a lower number, so a low id alone is no repeat. */
  const handled = new Set<number>();
  let offset = 0;

  function remember(id: number): void {
    offset = id + 1;
    handled.add(id);
    const [oldest] = handled;
    if (handled.size > HANDLED_KEPT && oldest !== undefined) handled.delete(oldest);
  }

  async function handleOne(update: Update): Promise<void> {
    try {
      await bot.handleUpdate(update);
    } catch (error) {
      log.error('a message by Telegram could not be handled, and was passed over', {
        kind: error instanceof Error ? error.name : typeof error,
      });
    }
  }

  return {
    offset: () => offset,
    async handle(updates) {
      let isNew = updates.length === 0;
      for (const update of updates) {
        if (!isUpdate(update) || handled.has(update.update_id)) continue;
        isNew = true;
        remember(update.update_id);
        await handleOne(update);
      }
      return isNew;
    },
  };
}

function isUpdate(value: unknown): value is Update {
  const id = fieldOf(value, 'update_id');
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;
}

/** In a group, `/status@our_bot` is for our bot, and a command that names another bot is not. */
function addressed(text: string, me: string): string {
  const named = /^(\/\w+)@(\w+)/.exec(text);
  if (!named?.[1]) return text;
  return named[2]?.toLowerCase() === me.toLowerCase() ? named[1] + text.slice(named[0].length) : '';
}
