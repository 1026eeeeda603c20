import { join } from 'node:path';
import type { EventFeed } from '../events/event-feed.ts';
import type { EventEpochs, EventLog } from '../events/event-log.ts';
import type { Files } from '../platform/files.ts';
import { messageOf } from '../platform/values.ts';
import { openAlertFile } from './alert-file.ts';
import { createAlerts } from './alerts.ts';
import { createCommands, type CommandsParts } from './commands.ts';
import { createOrderLines } from './order-lines.ts';
import { openOrderLinesFile } from './order-lines-file.ts';

export { createTelegrafMessenger } from './telegraf-messenger.ts';

/** The chat with the user: sends alerts, tells of orders and answers commands. Disposing it ends all at once. */
export function createChat(
  parts: CommandsParts & {
    readonly events: EventLog & EventEpochs;
    readonly feed: EventFeed;
    /** Whether orders are told, a line for each. */
    readonly orderLines: boolean;
    readonly files: Files;
    readonly dataDirectory: string;
  },
): AsyncDisposable {
  const path = join(parts.dataDirectory, 'alerts.json');
  const alerts = createAlerts({ ...parts, file: openAlertFile({ ...parts, path }) });
  const commands = createCommands(parts);
  const lines = openLines(parts);
  return {
    async [Symbol.asyncDispose]() {
      const all = [alerts, commands, ...(lines === null ? [] : [lines])];
      await Promise.all(all.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

/** Where lines are switched off, their position goes: they begin anew once they are switched on. */
function openLines(parts: Parameters<typeof createChat>[0]): AsyncDisposable | null {
  const path = join(parts.dataDirectory, 'order-lines.json');
  if (parts.orderLines) {
    return createOrderLines({ ...parts, file: openOrderLinesFile({ ...parts, path }) });
  }
  try {
    parts.files.remove(path);
  } catch (error) {
    parts.log.warn('a file of the data directory cannot be removed', {
      ...{ path, reason: messageOf(error) },
    });
  }
  return null;
}
