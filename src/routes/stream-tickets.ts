import type { Caller } from '../callers/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import { sha256 } from '../platform/secret.ts';
import { type ElapsedMs, type EpochMs, plus } from '../units/branded.ts';

/** How long a ticket may be used, ms. */
export const TICKET_MS = 30_000;
/** Tickets of one key that were not used yet: a further one takes the place of the oldest. */
const MOST_OF_KEY = 64;

/**
 * Tickets that stand for a key once, in the address of a stream: addresses are kept by browsers, proxies and
 * logs, where a key must not be (docs/streaming.md, "Keys").
 */
export interface StreamTickets {
  /** `holds`: whether the key that asks is still valid. */
  issue(caller: Caller, holds: () => boolean): { readonly ticket: string; readonly until: EpochMs };
  /** Null for a ticket that is used up, too old or none, and where its key is no longer valid. */
  redeem(ticket: string): { readonly caller: Caller; readonly holds: () => boolean } | null;
}

interface Issued {
  readonly caller: Caller;
  readonly holds: () => boolean;
  readonly until: ElapsedMs;
}

export function createStreamTickets({
  clock,
  ids,
}: {
  readonly clock: Clock;
  readonly ids: Ids;
}): StreamTickets {
  /** By hash, so that how long a comparison takes tells nothing about a ticket. */
  const issued = new Map<string, Issued>();

  function take(hash: string): Issued | null {
    const found = issued.get(hash) ?? null;
    issued.delete(hash);
    return found !== null && clock.elapsed() < found.until ? found : null;
  }

  return {
    issue(caller, holds) {
      const now = clock.elapsed();
      // Without a timer for each: a timer would keep the process alive after an orderly stop.
      for (const [hash, { until }] of issued) if (until <= now) issued.delete(hash);
      const own = [...issued].filter(([, each]) => each.caller.id === caller.id);
      const [oldest] = own;
      if (oldest && own.length >= MOST_OF_KEY) take(oldest[0]);
      const ticket = `tkt_${ids.secret(32)}`;
      const hash = sha256(ticket);
      issued.set(hash, { caller, holds, until: plus(now, TICKET_MS) });
      return { ticket, until: plus(clock.now(), TICKET_MS) };
    },
    redeem(ticket) {
      const found = take(sha256(ticket));
      return found?.holds() ? found : null;
    },
  };
}
