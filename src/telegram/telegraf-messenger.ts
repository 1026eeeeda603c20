import { fieldOf } from '../platform/values.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import { createBotClient, type BotParts } from './bot-client.ts';
import { startPolling } from './polling.ts';

const SEND_DEADLINE_MS = 10_000;

/** One Telegram chat, by telegraf. Contacts the service only when it is called. */
export async function createTelegrafMessenger(
  parts: BotParts & { readonly log: Log },
): Promise<Messenger> {
  const { chatId, scheduler, log } = parts;
  const client = await createBotClient(parts);

  return {
    async send(text, options = {}) {
      const called = await client.call(
        (given) =>
          client.bot.telegram.callApi(
            'sendMessage',
            // Plain text, because brokers' texts could contain markup. No preview, because the
            // service would fetch the login's address.
            { chat_id: chatId, text, link_preview_options: { is_disabled: true } },
            given,
          ),
        SEND_DEADLINE_MS,
        options.signal,
      );
      if (called.kind !== 'done') return called;
      const messageId = fieldOf(called.value, 'message_id');
      if (typeof messageId === 'number') return { kind: 'sent', messageId };
      return { kind: 'away', reason: 'its answer could not be read', retryAfterMs: null };
    },
    listen: (take) => startPolling({ client, chatId, scheduler, log }, take),
  };
}
