import { closeOf } from '../domain/market-hours.ts';
import { hidden, shown } from './configuration-error.ts';
import type { Readers } from './readers.ts';
import type { ReminderSettings, SquareOffSettings, TelegramSettings } from './settings.ts';
import type { Sources } from './sources.ts';

const TOKEN = 'APP_TELEGRAM_BOT_TOKEN';
const CHAT = 'APP_TELEGRAM_CHAT_ID';
/** The token is part of every call's path, so no other characters are allowed. */
const TOKEN_FORM = /^\d{1,20}:[A-Za-z0-9_-]{10,100}$/;

/** Null without token and chat: nothing is then sent or scheduled. One of the two alone is a mistake. */
export function readTelegram(read: Readers, sources: Sources): TelegramSettings | null {
  const chatId = read.text(CHAT, /^-?\d{1,20}$/, 'the number of a chat');
  const apiRoot = read.url(
    'APP_TELEGRAM_API_ROOT',
    'an http or https address without user, query or fragment',
  );
  const orderLines = read.flag('APP_TELEGRAM_ORDER_LINES', true);
  const dayReport = read.flag('APP_TELEGRAM_DAY_REPORT', true);
  const token = sources.get(TOKEN);
  if (token !== null && !TOKEN_FORM.test(token)) {
    read.refuse(TOKEN, hidden(token), 'a token as BotFather gives it, digits:text');
  }
  const hasChat = sources.get(CHAT) !== null;
  if (token === null && hasChat) {
    read.refuse(TOKEN, 'nothing', `the bot's token, since ${CHAT} is set`);
  }
  if (token !== null && !hasChat) {
    read.refuse(CHAT, 'nothing', `the number of a chat, since ${TOKEN} is set`);
  }
  if (chatId === null) return null;
  return { chatId, apiRoot: apiRoot ?? 'https://api.telegram.org', orderLines, dayReport };
}

/**
 * Before 06:00 a login would die at 06:00 (docs/spec/token.md); after 15:15 the last of the day's
 * three reminders would come when the market has closed.
 */
export function readReminder(read: Readers): ReminderSettings {
  const at = read.text(
    'APP_REMINDER_AT',
    /^(0[6-9]|1[0-4]):[0-5]\d$|^15:(0\d|1[0-5])$/,
    'a time of day HH:MM in India from 06:00 to 15:15',
  );
  return {
    at: at ?? '09:00',
    days: read.choice('APP_REMINDER_DAYS', ['daily', 'trading'] as const, 'daily'),
  };
}

const SQUARE_OFF = 'APP_SQUARE_OFF_TIMES';
/** Brokers' times vary (docs/reminder.md): these are the earlier ones that are told of. */
const USUAL_SQUARE_OFF = ['NSE=15:10', 'BSE=15:10', 'NFO=15:20', 'BFO=15:20'];

export function readSquareOff(read: Readers): SquareOffSettings {
  const takes =
    'none, or a comma-separated list such as NSE=15:10,NFO=15:20: each of NSE, BSE, NFO, BFO, CDS, BCD ' +
    'and MCX at most once, with a time from 09:30 to its close';
  const listed = read.list(
    SQUARE_OFF,
    /^(none|(NSE|BSE|NFO|BFO|CDS|BCD|MCX)=([01]\d|2[0-3]):[0-5]\d)$/i,
    takes,
  );
  const pairs = (listed ?? USUAL_SQUARE_OFF).map((pair) => pair.toUpperCase());
  const isNone = pairs.includes('NONE');
  const times = new Map<string, string>();
  let isWrong = isNone && pairs.length > 1;
  for (const pair of isNone ? [] : pairs) {
    const [exchange = '', time = ''] = pair.split('=');
    isWrong ||= times.has(exchange) || time < '09:30' || time > closeOf(exchange);
    times.set(exchange, time);
  }
  if (isWrong) read.refuse(SQUARE_OFF, shown(pairs.join(',')), takes);
  const minutes = { from: 1, to: 60, decimals: 0, unit: 'minutes' };
  return { times, minutesBefore: read.number('APP_SQUARE_OFF_REMINDER_MINUTES', minutes, 15) };
}
