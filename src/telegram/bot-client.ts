import type { Telegraf } from 'telegraf';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { Secret } from '../platform/secret.ts';
import { ELSEWHERE, failureOf, type Failure } from './failures.ts';
import { LONG_AGO, plus } from '../units/branded.ts';

export interface BotParts {
  readonly token: Secret;
  /** The only chat that the bot writes to and reads. */
  readonly chatId: string;
  /** The only address that the bot contacts, without a slash at the end. */
  readonly apiRoot: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** The options of one call; telegraf's own type knows the signals of another package only. */
export type CallOptions = NonNullable<Parameters<Telegraf['telegram']['callApi']>[2]>;

export interface BotClient {
  readonly bot: Telegraf;
  /** Makes one call with our own deadline. Never rejects. */
  call<T>(
    run: (options: CallOptions) => Promise<T>,
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<Called<T>>;
}
export type Called<T> = { readonly kind: 'done'; readonly value: T } | Failure;

/** Loads telegraf, only when the settings need it. */
export async function createBotClient(parts: BotParts): Promise<BotClient> {
  const { clock, scheduler } = parts;
  const token = parts.token.reveal();
  const { Telegraf: Bot } = await import('telegraf');
  const bot = new Bot(token, { telegram: { apiRoot: `${parts.apiRoot}/` } });
  const { origin } = new URL(parts.apiRoot);
  // The client follows redirects, and the token is in the path. It calls this for each address;
  // null means the runtime's default agent.
  const onlyOurs = (url: { protocol: string; host: string }): undefined => {
    if (`${url.protocol}//${url.host}` !== origin) throw new Error(ELSEWHERE);
  };
  Object.assign(bot.telegram.options, { agent: onlyOurs });
  bot.catch(() => undefined);
  /** Elapsed ms before which the service accepts no message. */
  let quietUntil = LONG_AGO;

  return {
    bot,
    async call(run, deadlineMs, signal) {
      const quiet = quietUntil - clock.elapsed();
      if (quiet > 0) {
        return { kind: 'away', reason: 'it asked to wait', retryAfterMs: Math.ceil(quiet) };
      }
      if (signal?.aborted) return { kind: 'away', reason: 'stopping', retryAfterMs: null };
      const deadline = new AbortController();
      const abort = (): void => deadline.abort();
      const cancel = scheduler.after(deadlineMs, abort);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return { kind: 'done', value: await run({ signal: deadline.signal as never }) };
      } catch (error) {
        const failure = failureOf(error, token);
        if (failure.kind === 'away' && failure.retryAfterMs !== null) {
          quietUntil = plus(clock.elapsed(), failure.retryAfterMs);
        }
        return failure;
      } finally {
        cancel();
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}
