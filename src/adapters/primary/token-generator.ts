import { tradingDay } from '../../domain/ist.ts';
import { type Cancel, type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Generation } from './token-request.ts';
import { type EpochMs, plus, type TradingDay } from '../../units/branded.ts';

/**
 * The token in use where the gateway can generate one (docs/spec/primary-brokerage.md, "Token").
 * The token of the settings comes first, until the broker calls it dead; then generated ones, one
 * for each of the broker's days. After a refusal the gateway generates no more: five wrong codes
 * lock the account.
 */
export interface TokenGenerator {
  /** The token to send now, without waiting. When there is none, this starts generating one. */
  current(): string | null;
  /** The same, for a call that can wait at most `waitMs` for a new token. */
  fresh(waitMs: number): Promise<string | null>;
  /** Reports that the broker has called this token dead. */
  died(token: string): void;
  /** Why there is no token, as a text for people. */
  absence(): string;
  /**
   * Generates the token of each day once the day has begun: orders do not wait for a token, so the
   * first order of the day would find none. Runs until cancelled.
   */
  keep(): Cancel;
}

export interface TokenGeneratorParts {
  /** From the settings; null or empty when there is none. */
  readonly configured: () => string | null;
  /** Never rejects. */
  readonly generate: () => Promise<Generation>;
  /** See BrokerPorts.sessionHeldBack; no reason when absent. */
  readonly heldBack?: () => string | null;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Called after each token that was generated. */
  readonly onToken: () => void;
}

const LIFETIME_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 60_000;
/** How soon after it may generate again keep() does. */
const LOOK_WHILE_HELD_BACK_MS = 1_000;
/** The most tries in a row: a request without a reply may have counted as a wrong code. */
const TRIES = 4;
const THEN_EVERY_MS = 3_600_000;

export function createTokenGenerator(parts: TokenGeneratorParts): TokenGenerator {
  const { configured, clock, scheduler, log, heldBack = () => null } = parts;
  const generated = createGeneratedToken(parts);
  let deadSetting: string | null = null;

  function setting(): string | null {
    const token = configured();
    return token && token !== deadSetting ? token : null;
  }

  const usable = (): string | null => setting() ?? generated.token();

  /** Whether the token is due: one from an earlier day would die during this one. */
  function due(): boolean {
    // A new token ends the previous one, which another gateway may be using.
    if (generated.refusal() !== null || setting() || heldBack() !== null) return false;
    return generated.token() === null || generated.day() !== tradingDay(clock.now());
  }

  function current(): string | null {
    const token = usable();
    if (token === null && due()) void generated.renew();
    return token;
  }

  // Start at once where that is allowed, so that the first caller finds a session, or the reason why there is none.
  current();

  return {
    current,
    async fresh(waitMs) {
      if (due()) {
        const over = new AbortController();
        await Promise.race([generated.renew(), sleep(scheduler, waitMs, over.signal)]);
        over.abort();
      }
      return usable();
    },
    died(token) {
      if (token === setting()) deadSetting = token;
      else if (!generated.drop(token)) return;
      log.warn('the broker calls the access token dead', { broker: 'primary' });
      current();
    },
    absence() {
      const refusal = generated.refusal();
      if (refusal !== null) return `the broker refused to give an access token: ${refusal}`;
      const obstacle = heldBack() ?? generated.obstacle();
      const why = obstacle === null ? '' : `: ${obstacle}`;
      return `there is no access token for the primary brokerage yet${why}`;
    },
    keep() {
      let cancel: Cancel;
      const look = (): void => {
        if (due()) void generated.renew();
        const retrying = generated.failures() < TRIES;
        const later = retrying ? LOOK_EVERY_MS : THEN_EVERY_MS;
        cancel = scheduler.after(heldBack() === null ? later : LOOK_WHILE_HELD_BACK_MS, look);
      };
      look();
      return () => cancel();
    },
  };
}

/** The last token that was generated, and what came of the requests for it. */
interface GeneratedToken {
  /** Null when there is none, or it has expired. */
  token(): string | null;
  /** The trading day on which the last token was generated; null when there is none. */
  day(): string | null;
  /** Why no more tokens are generated, or null. */
  refusal(): string | null;
  /** Why the last request brought no token, or null. */
  obstacle(): string | null;
  /** Failures since the last token. */
  failures(): number;
  /** Forgets this token; false when it is not the last one. */
  drop(token: string): boolean;
  /**
   * Generates a token. Runs at most once at a time; the broker's limit bounds how often. Never
   * rejects.
   */
  renew(): Promise<void>;
}

function createGeneratedToken({
  generate,
  clock,
  log,
  onToken,
}: TokenGeneratorParts): GeneratedToken {
  let last: { token: string; day: TradingDay; until: EpochMs } | null = null;
  let refusal: string | null = null;
  let obstacle: string | null = null;
  let underWay: Promise<void> | null = null;
  let failures = 0;

  function take(made: Generation): void {
    switch (made.kind) {
      case 'token':
        last = {
          token: made.token,
          day: tradingDay(clock.now()),
          until: plus(clock.now(), LIFETIME_MS),
        };
        obstacle = null;
        failures = 0;
        log.info('the broker gave a new access token', { broker: 'primary' });
        return onToken();
      case 'refused':
        refusal = made.reason;
        return log.error(
          'the broker refused to give an access token: check the credentials, then restart the gateway',
          { broker: 'primary', reason: made.reason },
        );
      case 'later':
        obstacle = made.reason;
        failures += 1;
        return log.warn('the broker gave no access token: the gateway asks again later', {
          broker: 'primary',
          reason: made.reason,
        });
      case 'too_soon':
        obstacle ??= 'the gateway asked for one a moment ago';
    }
  }

  return {
    token: () => (last && clock.now() < last.until ? last.token : null),
    day: () => last?.day ?? null,
    refusal: () => refusal,
    obstacle: () => obstacle,
    failures: () => failures,
    drop(token) {
      if (token !== last?.token) return false;
      last = null;
      return true;
    },
    renew() {
      underWay ??= generate()
        .then(take)
        .catch((error: unknown) => {
          log.error('generating an access token failed', {
            broker: 'primary',
            reason: String(error),
          });
        })
        .finally(() => {
          underWay = null;
        });
      return underWay;
    },
  };
}
