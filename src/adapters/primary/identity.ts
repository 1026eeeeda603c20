import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import type { PrimaryClient } from './client.ts';
import { accountOf } from './portfolio-mapping.ts';

export interface IdentityParts {
  readonly client: Pick<PrimaryClient, 'profile'>;
  readonly accessToken: () => string | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** After a profile that could not be read: reads of the book must not double the broker's calls. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Whose token it is: `user_id` of the profile, which is read once for each token. Another field of it
 * is not comparable with that, so it names no account. Resolves with null while it is not known, and never rejects.
 */
export function createIdentity(parts: IdentityParts): () => Promise<string | null> {
  const { client, accessToken, clock, log } = parts;
  let known: { readonly token: string; readonly userId: string } | null = null;
  let asking: { readonly token: string; readonly answer: Promise<string | null> } | null = null;
  let failedAt = -Infinity;

  async function ask(token: string): Promise<string | null> {
    try {
      const userId = accountOf(await client.profile());
      // A token may have been replaced while the broker was being asked.
      if (accessToken() !== token) return null;
      known = { token, userId };
      return userId;
    } catch (error) {
      failedAt = clock.elapsed();
      log.warn('the user of the primary brokerage is not known', { reason: messageOf(error) });
      return null;
    } finally {
      asking = null;
    }
  }

  return () => {
    const token = accessToken();
    if (token === null) return Promise.resolve(null);
    if (known?.token === token) return Promise.resolve(known.userId);
    if (asking?.token === token) return asking.answer;
    if (clock.elapsed() - failedAt < AGAIN_AFTER_MS) return Promise.resolve(null);
    const answer = ask(token);
    asking = { token, answer };
    return answer;
  };
}
