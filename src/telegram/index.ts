import { join } from 'node:path';
import type { EventLog } from '../events/event-log.ts';
import type { Files } from '../platform/files.ts';
import { openAlertFile } from './alert-file.ts';
import { createAlerts } from './alerts.ts';
import { createCommands, type CommandsParts } from './commands.ts';

export { createTelegrafMessenger } from './telegraf-messenger.ts';

/** The chat with the user: sends alerts and answers commands. Disposing it ends both at once. */
export function createChat(
  parts: CommandsParts & {
    readonly events: EventLog;
    readonly files: Files;
    readonly dataDirectory: string;
  },
): AsyncDisposable {
  const path = join(parts.dataDirectory, 'alerts.json');
  const alerts = createAlerts({ ...parts, file: openAlertFile({ ...parts, path }) });
  const commands = createCommands(parts);
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([alerts[Symbol.asyncDispose](), commands[Symbol.asyncDispose]()]);
    },
  };
}
