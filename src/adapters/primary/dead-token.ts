import { BrokerError } from '../../domain/outcome.ts';
import type { Log } from '../../platform/log.ts';
import type { Connection } from './connection.ts';
import { saysTokenIsDead } from './refusals.ts';

/** What the broker says of a token that only a person can replace, by its last answer that tells. */
export interface WatchedToken {
  /** The same connection. */
  readonly connection: Connection;
  /** What to do; null while the token is not known to be dead. */
  advice(): string | null;
}

const ADVICE =
  'the primary brokerage calls its access token dead: set a new APP_PRIMARY_ACCESS_TOKEN and start the gateway again';

export function watchToken(connection: Connection, log: Log): WatchedToken {
  let isDead = false;
  function failed(error: unknown): void {
    if (!(error instanceof BrokerError) || !saysTokenIsDead(error.failure)) return;
    if (!isDead) log.error(ADVICE, { broker: 'primary' });
    isDead = true;
  }
  return {
    connection: {
      ...connection,
      async exchange(call) {
        try {
          const data = await connection.exchange(call);
          isDead = false;
          return data;
        } catch (error) {
          failed(error);
          throw error;
        }
      },
    },
    advice: () => (isDead ? ADVICE : null),
  };
}
