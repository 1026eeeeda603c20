import type { Clock } from '../platform/clock.ts';
import type { SendResult } from '../platform/messenger.ts';
import { type ElapsedMs, plus } from '../units/branded.ts';

/** What a command asks before it does something. */
export interface Question {
  /** What would be done; without how to confirm it. */
  readonly text: string;
  /** Does it; resolves with the answer. `messageId` is that of the confirming message. */
  readonly act: (messageId: number) => Promise<string>;
}

/** A command that asks before it does something. */
export interface AskingCommand {
  /** `words` come after its name, in lower case. Resolves with a text where there is nothing to ask. */
  ask(words: readonly string[]): Promise<Question | string>;
}

/** Asks before a command does something, and lets one message confirm it, once (docs/reminder.md, "Commands"). */
export interface Confirmation {
  /** The question, and a function to call once it has been sent: only then can it be confirmed. */
  ask(question: Question): { readonly text: string; readonly asked: (result: SendResult) => void };
  /** Forgets a question that was asked before. */
  forget(): void;
  /** `messageId` is that of the confirming message, which must come after the question. */
  confirm(messageId: number): Promise<string>;
}

const CONFIRM_WITHIN_MS = 60_000;

interface Asked {
  readonly question: Question;
  readonly messageId: number;
  readonly until: ElapsedMs;
}

/** `command` is the name of it, such as `/kill`. */
export function createConfirmation(command: string, clock: Clock): Confirmation {
  let open: Asked | null = null;
  return {
    ask(question) {
      open = null;
      return {
        text: `${question.text}\nTo confirm, send within a minute:\n${command} confirm`,
        asked(result) {
          if (result.kind !== 'sent') return;
          const until = plus(clock.elapsed(), CONFIRM_WITHIN_MS);
          open = { question, messageId: result.messageId, until };
        },
      };
    },
    forget: () => void (open = null),
    async confirm(messageId) {
      const asked = open;
      open = null;
      if (asked === null || clock.elapsed() > asked.until || messageId < asked.messageId) {
        return (
          'Nothing was done: there is no question to confirm, or it is older than a minute. Send ' +
          `${command} first.`
        );
      }
      return asked.question.act(messageId);
    },
  };
}
