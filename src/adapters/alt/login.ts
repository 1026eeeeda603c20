import { BrokerError } from '../../domain/outcome.ts';
import type { LoginBroker } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { type KiteAnswer, parseAnswer, permit } from './calls.ts';
import type { KiteClient, KiteSettings } from './client.ts';
import { saysTokenIsDead } from './errors.ts';
import type { RateLimitQueue, RateLimitQueues } from './rate-limits.ts';
import { parseAs, session } from './schemas.ts';
import { profile } from './schemas-portfolio.ts';

export interface LoginParts {
  readonly client: KiteClient;
  readonly queues: RateLimitQueues;
  readonly clock: Clock;
  readonly settings: KiteSettings;
}

/**
 * The login (docs/spec/login.md). It has no breaker: a person waits for it, and each of its calls
 * is made by hand or at most once a minute.
 */
export function createAltLogin({ client, queues, clock, settings }: LoginParts): LoginBroker {
  async function call<T>(
    queue: RateLimitQueue,
    send: () => Promise<KiteAnswer>,
    parse: (data: unknown, answer: KiteAnswer) => T,
  ): Promise<T> {
    await permit(queue);
    const answer = await send();
    return parseAnswer(answer, (data) => parse(data, answer));
  }

  return {
    broker: 'alt',

    loginUrl(state) {
      const url = new URL(settings.loginUrl);
      url.searchParams.set('api_key', settings.apiKey);
      url.searchParams.set('v', '3');
      url.searchParams.set('redirect_params', new URLSearchParams({ state }).toString());
      return url.href;
    },

    exchange: (requestToken) =>
      call(
        queues.session,
        () => client.exchange(requestToken),
        (data, answer) => {
          const granted = parseAs(session, data);
          return {
            accessToken: granted.access_token,
            userId: granted.user_id,
            obtainedAt: clock.now(),
            ...clockAhead(answer),
          };
        },
      ),

    async verify(accessToken) {
      try {
        return await call(
          queues.account,
          () => client.profile(accessToken),
          (data) => ({ userId: parseAs(profile, data).user_id }),
        );
      } catch (error) {
        if (error instanceof BrokerError && saysTokenIsDead(error.failure)) return null;
        throw error;
      }
    },

    async end(accessToken) {
      try {
        await call(
          queues.session,
          () => client.end(accessToken),
          () => undefined,
        );
      } catch (error) {
        // The session had already ended, as the caller asked.
        if (error instanceof BrokerError && saysTokenIsDead(error.failure)) return;
        throw error;
      }
    },

    explainRefusal: explainLoginRefusal,
  };
}

/**
 * Explains Kite's refusal of a login to the person who set the gateway up; null where it is not
 * known.
 */
export function explainLoginRefusal(message: string): string | null {
  if (/checksum/i.test(message)) {
    return (
      `The broker refused the checksum: APP_ALT_BROKER_API_SECRET does not belong to ` +
      `APP_ALT_BROKER_API_KEY. Compare both with the broker's developer console.`
    );
  }
  if (/api_key/i.test(message)) {
    return (
      `The broker does not know APP_ALT_BROKER_API_KEY (${message}). ` +
      `Compare it with the broker's developer console.`
    );
  }
  return null;
}

function clockAhead(answer: KiteAnswer): { clockAheadMs?: number } {
  if (answer.kind !== 'success' || answer.clockAheadMs === undefined) return {};
  return { clockAheadMs: answer.clockAheadMs };
}
