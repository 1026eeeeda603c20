import { GatewayProblem } from '../domain/problem.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import { deliver } from '../platform/delivery.ts';
import type { Log } from '../platform/log.ts';
import type { IncomingMessage, Messenger } from '../platform/messenger.ts';
import { messageOf } from '../platform/values.ts';
import type { Session } from '../session/session.ts';
import { type AskingGateway, createAskingCommands } from './asking-commands.ts';
import { HELP, loginAnswer, ordersAnswer, positionsAnswer, statusAnswer } from './answers.ts';
import { messagesOf } from './words.ts';
import { plus } from '../units/branded.ts';

export interface CommandsParts {
  readonly gateway: AskingGateway;
  /** The session of the broker with a daily login; null where none is set up. */
  readonly session: Pick<Session, 'current' | 'check'> | null;
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly loginUrl: () => string;
  /** The name of the broker with the login, after "the". */
  readonly loginTitle: string;
}

/** The most commands that wait; further ones are dropped, so that nobody can queue endless work. */
const MOST_WAITING = 20;
/** An answer that could not be sent for this long is dropped. */
const ANSWER_WITHIN_MS = 120_000;

/** Answers the user's commands (docs/reminder.md, "Commands"), one after the other. */
export function createCommands(parts: CommandsParts): AsyncDisposable {
  const { gateway, session, messenger, clock, log, loginUrl, loginTitle } = parts;
  const stop = new AbortController();
  const asking = createAskingCommands(parts, stop.signal);
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  function take(message: IncomingMessage): void {
    if (!message.text.startsWith('/')) return;
    if (waiting >= MOST_WAITING) {
      log.warn('a command by Telegram was dropped: too many wait');
      return;
    }
    waiting += 1;
    last = last.then(() => run(message)).finally(() => void (waiting -= 1));
  }

  async function run({ text, messageId }: IncomingMessage): Promise<void> {
    if (stop.signal.aborted) return;
    const [name = '', ...rest] = text.trim().toLowerCase().split(/\s+/);
    try {
      const answer = asking.has(name)
        ? await asking.run(name, rest, messageId)
        : await answerTo(name);
      if (answer !== null) await say(answer);
    } catch (error) {
      await say(failureText(name, error));
      if (error instanceof GatewayProblem) return;
      const reason = messageOf(error);
      log.error('a command by Telegram failed', { kind: name.slice(0, 32), reason });
    }
  }

  async function answerTo(name: string): Promise<string> {
    switch (name) {
      case '/status':
        return statusAnswer({
          session: (await session?.check()) ?? null,
          loginTitle,
          brokers: gateway.getBrokers(),
          killSwitch: gateway.getKillSwitch(),
          now: clock.now(),
        });
      case '/login':
        return loginAnswer(session?.current() ?? null, { loginUrl: loginUrl(), loginTitle });
      case '/positions':
        return positionsAnswer(await gateway.getPositions());
      case '/orders':
        return ordersAnswer(await gateway.getOrders());
      case '/unkill':
        return 'The kill switch can be released only by HTTP: POST /api/v1/kill-switch';
      case '/start':
      case '/help':
        return HELP;
      default:
        return `There is no such command.\n${HELP}`;
    }
  }

  async function say(text: string): Promise<void> {
    const until = plus(clock.elapsed(), ANSWER_WITHIN_MS);
    const wanted = (): boolean => clock.elapsed() < until;
    for (const message of messagesOf([text])) {
      const sent = await deliver(parts, message, { signal: stop.signal, wanted });
      if (sent.kind === 'refused') log.error('an answer was refused', { reason: sent.reason });
    }
  }

  const stopListening = messenger.listen(take);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await stopListening();
    },
  };
}

/** A failure is reported as one, so that nobody takes it for "there are none". */
function failureText(name: string, error: unknown): string {
  const why =
    error instanceof GatewayProblem
      ? error.fields.detail
      : 'the gateway failed; its log has ' + 'the details';
  switch (name) {
    case '/positions':
      return `The positions could not be read: ${why}\nThat does not mean that there are none.`;
    case '/orders':
      return `The orders could not be read: ${why}\nThat does not mean that there are none.`;
    case '/kill':
      return `The kill switch was NOT engaged: ${why}`;
    case '/exit':
    case '/closeall':
    case '/cancelall':
      if (error instanceof GatewayProblem) return `Nothing was begun: ${why}`;
      return (
        `It is not known whether anything was begun: ${why}. Look at /positions and /orders, and in the ` +
        "broker's app."
      );
    default:
      return `That did not work: ${why}`;
  }
}
