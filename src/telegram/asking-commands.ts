import type { Clock } from '../platform/clock.ts';
import type { Messenger } from '../platform/messenger.ts';
import type { Gateway } from '../router/gateway.ts';
import { createCancelAllCommand } from './cancel-all-command.ts';
import { createCloseAllCommand } from './close-all-command.ts';
import { type AskingCommand, createConfirmation } from './confirmation.ts';
import { createExitCommand } from './exit-command.ts';
import { createKillCommand } from './kill-command.ts';

export type AskingGateway = Pick<
  Gateway,
  | 'getKillSwitch'
  | 'setKillSwitch'
  | 'getBrokers'
  | 'getPositions'
  | 'getHoldings'
  | 'getInstrument'
  | 'getOrders'
  | 'startExit'
  | 'closeAll'
  | 'cancelAll'
  | 'getTriggers'
>;

/** Commands that ask before they do something: what each of them covers is said in the question. */
export interface AskingCommands {
  has(name: string): boolean;
  /**
   * Sends the question, or does what an earlier one was about; resolves with the answer, null once a question
   * was sent. `words` come after the name, in lower case.
   */
  run(name: string, words: readonly string[], messageId: number): Promise<string | null>;
}

export function createAskingCommands(
  { gateway, clock, messenger }: AskingCommandsParts,
  signal: AbortSignal,
): AskingCommands {
  const commands = new Map<string, AskingCommand>([
    ['/kill', createKillCommand(gateway)],
    ['/exit', createExitCommand(gateway, clock)],
    ['/closeall', createCloseAllCommand(gateway, clock)],
    ['/cancelall', createCancelAllCommand(gateway, clock)],
  ]);
  const entries = new Map(
    [...commands].map(([name, command]) => {
      return [name, { command, confirmation: createConfirmation(name, clock) }] as const;
    }),
  );
  return {
    has: (name) => entries.has(name),
    async run(name, words, messageId) {
      const entry = entries.get(name);
      if (!entry) throw new Error(`${name} asks nothing`);
      const { command, confirmation } = entry;
      if (words.length === 1 && words[0] === 'confirm') return confirmation.confirm(messageId);
      // A question that was asked before must not be confirmed by the answer to this one.
      confirmation.forget();
      const question = await command.ask(words);
      if (typeof question === 'string') return question;
      const { text, asked } = confirmation.ask(question);
      asked(await messenger.send(text, { signal }));
      return null;
    },
  };
}

export interface AskingCommandsParts {
  readonly gateway: AskingGateway;
  readonly clock: Clock;
  readonly messenger: Messenger;
}
