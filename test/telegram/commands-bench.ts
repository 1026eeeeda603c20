import { createLog, createPino } from '../../src/platform/log.ts';
import type { SessionState } from '../../src/session/session.ts';
import { createCommands } from '../../src/telegram/commands.ts';
import { fakeGateway } from '../routes/support/fake-gateway.ts';
import { fakeMessenger } from '../support/fake-messenger.ts';
import { VirtualTime } from '../support/virtual-time.ts';

export const LINK = 'https://gateway.example/api/altbroker/login';

/** The bot's commands with a fake gateway and a fake messenger. */
export function commandsBench() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const messenger = fakeMessenger();
  const fake = fakeGateway();
  const lines: string[] = [];
  const login: { state: SessionState } = { state: { state: 'absent' } };
  return {
    time,
    messenger,
    lines,
    gateway: fake,
    login,
    /** What the bot answers to a message. */
    async ask(text: string, messageId?: number): Promise<string | undefined> {
      const before = messenger.texts.length;
      messenger.write(text, messageId);
      await time.advance(0);
      return messenger.texts[before];
    },
    switched: () => fake.calls.filter(([name]) => name === 'setKillSwitch'),
    commands: createCommands({
      gateway: fake.gateway,
      session: { current: () => login.state, check: async () => login.state },
      messenger,
      clock: time,
      scheduler: time,
      log: createLog(createPino('debug', { write: (line: string) => void lines.push(line) })),
      loginUrl: () => LINK,
      loginTitle: 'alternative broker',
    }),
  };
}
