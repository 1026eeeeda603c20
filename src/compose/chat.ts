import { join } from 'node:path';
import type { Configuration } from '../config/settings.ts';
import { openNodeCron } from '../platform/cron.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import { openReminderFile, type ReminderFile } from '../reminder/reminder-file.ts';
import { createDayReportMessage } from '../reminder/day-report-message.ts';
import { createReminder } from '../reminder/reminder.ts';
import { createSquareOffReminder } from '../reminder/square-off-reminder.ts';
import { createChat, createTelegrafMessenger } from '../telegram/index.ts';
import { exchangesOfToday } from './day-report.ts';
import type { GatewayModules } from './gateway.ts';
import { readLiveAccounts } from './intraday-accounts.ts';
import { loginUrlOf } from './own-address.ts';
import type { Overrides, Ports } from './ports.ts';

export interface ChatParts {
  readonly overrides: Overrides;
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly modules: GatewayModules;
  readonly dataDirectory: string;
  readonly log: Log;
  /** The port that the gateway listens on. */
  readonly port: () => number;
  readonly stack: AsyncDisposableStack;
}

/** Alerts, commands and the reminder, where there is a messenger. */
export async function composeChat(parts: ChatParts): Promise<void> {
  const { overrides, configuration, ports, modules, dataDirectory, log, stack } = parts;
  const messenger = overrides.messenger ?? (await openTelegram(configuration, ports, log));
  if (!messenger) return;
  const { settings } = configuration;
  const loginUrl = (): string => loginUrlOf(settings.server, parts.port());
  const { gateway, events, feed } = modules;
  const orderLines = settings.telegram?.orderLines ?? true;
  const { session, title } = modules.login;
  const common = { ...ports, log, messenger, loginUrl, loginTitle: title };
  stack.use(createChat({ ...common, gateway, events, feed, session, dataDirectory, orderLines }));
  const cron = await (overrides.openCron ?? openNodeCron)({ ...ports, log });
  const fileNamed = (name: string): ReminderFile =>
    openReminderFile({ files: ports.files, log, path: join(dataDirectory, name) });
  if (settings.squareOff.times.size > 0) {
    const squareOff = {
      ...{ ...common, cron, file: fileNamed('square-off.json'), settings: settings.squareOff },
      accounts: () => readLiveAccounts(modules, ports.clock),
    };
    stack.use(createSquareOffReminder(squareOff));
  }
  if (settings.telegram?.dayReport ?? true) {
    const dayReport = {
      ...{ ...common, cron, file: fileNamed('day-report.json') },
      exchanges: () => exchangesOfToday(modules, ports.clock),
      report: (day: string) => gateway.getDayReport({ day }),
    };
    stack.use(createDayReportMessage(dayReport));
  }
  if (!session) return;
  const file = fileNamed('reminder.json');
  stack.use(createReminder({ ...common, session, cron, file, settings: settings.reminder }));
}

/** Null without a bot's token and a chat: then the Telegram library is not loaded. */
async function openTelegram(
  { settings, secrets }: Configuration,
  { clock, scheduler }: Ports,
  log: Log,
): Promise<Messenger | null> {
  const token = secrets.telegramBotToken;
  if (!settings.telegram || !token) return null;
  return createTelegrafMessenger({ ...settings.telegram, token, clock, scheduler, log });
}
