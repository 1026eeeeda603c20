import { tradingDay } from '../../domain/ist.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { sleep, type Cancel, type Scheduler } from '../../platform/scheduler.ts';
import type { Generation } from './token-request.ts';

/**
 * The token in use where the gateway can make one (docs/spec/primary-brokerage.md, "Token"). The one
 * from the settings comes first, until the broker calls it dead; then generated ones, one for each of
 * the broker's days. After a refusal nothing is generated any more: five wrong codes lock the account.
 */
export interface TokenKeeper {
  /** The token to send now, looked at without waiting; asking for one that is not there has it made. */
  current(): string | null;
  /** The same for a call that can wait for a new one, at most `waitMs`. */
  fresh(waitMs: number): Promise<string | null>;
  /** The broker has called this token dead. */
  died(token: string): void;
  /** Why there is no token, for people. */
  absence(): string;
  /**
   * Has the day's token made once its day has begun, whether anybody asks or not: an order does not
   * wait for one, and the day's first would find none. Goes on until it is cancelled.
   */
  keep(): Cancel;
}

export interface TokenKeeperParts {
  /** From the settings; null or empty when there is none. */
  readonly configured: () => string | null;
  /** Never rejects. */
  readonly generate: () => Promise<Generation>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Told of each token that was generated. */
  readonly onToken: () => void;
}

const LIFETIME_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 60_000;
/** What was not answered may have been counted as a wrong code: nobody watches how often. */
const TRIES = 4;
const THEN_EVERY_MS = 3_600_000;

export function createTokenKeeper(parts: TokenKeeperParts): TokenKeeper {
  const { configured, clock, scheduler, log } = parts;
  let deadSetting: string | null = null;
  let generated: { token: string; day: string; until: number } | null = null;
  let refusal: string | null = null;
  let obstacle: string | null = null;
  let underWay: Promise<void> | null = null;
  /** Answers without a token since there was one. */
  let failures = 0;

  function setting(): string | null {
    const token = configured();
    return token && token !== deadSetting ? token : null;
  }

  function usable(): string | null {
    const token = setting();
    if (token) return token;
    return generated && clock.now() < generated.until ? generated.token : null;
  }

  /** A generated token of an earlier day would die within this one, perhaps in the middle of it. */
  function due(): boolean {
    if (refusal !== null || setting()) return false;
    return usable() === null || generated!.day !== tradingDay(clock.now());
  }

  /** Never twice at once; how often, the broker's limit says. Never rejects. */
  function renew(): Promise<void> {
    underWay ??= parts
      .generate()
      .then(take)
      .catch((error: unknown) => {
        log.error('making an access token failed', { broker: 'primary', reason: String(error) });
      })
      .finally(() => {
        underWay = null;
      });
    return underWay;
  }

  function take(made: Generation): void {
    switch (made.kind) {
      case 'token':
        generated = {
          token: made.token,
          day: tradingDay(clock.now()),
          until: clock.now() + LIFETIME_MS,
        };
        obstacle = null;
        failures = 0;
        log.info('the broker gave a new access token', { broker: 'primary' });
        return parts.onToken();
      case 'refused':
        refusal = made.reason;
        return log.error(
          'the broker refused to give an access token: it is not asked again before a restart',
          { broker: 'primary', reason: made.reason },
        );
      case 'later':
        obstacle = made.reason;
        failures += 1;
        return log.warn('the broker gave no access token: it is asked again later', {
          broker: 'primary',
          reason: made.reason,
        });
      case 'too_soon':
        obstacle ??= 'it was asked for one a moment ago';
    }
  }

  function current(): string | null {
    const token = usable();
    if (token === null && due()) void renew();
    return token;
  }

  // The first need is the start: whoever looks finds a session, or learns why there is none.
  current();

  return {
    current,
    async fresh(waitMs) {
      if (due()) {
        const over = new AbortController();
        await Promise.race([renew(), sleep(scheduler, waitMs, over.signal)]);
        over.abort();
      }
      return usable();
    },
    died(token) {
      if (token === setting()) deadSetting = token;
      else if (token === generated?.token) generated = null;
      else return;
      log.warn('the broker calls the access token dead', { broker: 'primary' });
      current();
    },
    absence() {
      if (refusal !== null) return `the broker refused to give an access token: ${refusal}`;
      const why = obstacle === null ? '' : `: ${obstacle}`;
      return `there is no access token for the primary brokerage yet${why}`;
    },
    keep() {
      let cancel: Cancel;
      const look = (): void => {
        if (due()) void renew();
        cancel = scheduler.after(failures < TRIES ? LOOK_EVERY_MS : THEN_EVERY_MS, look);
      };
      look();
      return () => cancel();
    },
  };
}
