import type { Caller } from '../callers/caller.ts';
import { type Cancel, type Clock, type Scheduler } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import { sha256 } from '../platform/secret.ts';
import { type EpochMs, plus } from '../units/branded.ts';

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
  readonly forget: Cancel;
}

export function createStreamTickets(parts: {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
}): StreamTickets {
  /** By hash, so that how long a comparison takes tells nothing about a ticket. */
  const issued = new Map<string, Issued>();

  function take(hash: string): Issued | null {
    const found = issued.get(hash) ?? null;
    found?.forget();
    issued.delete(hash);
    return found;
  }

  return {
    issue(caller, holds) {
      const own = [...issued].filter(([, each]) => each.caller.id === caller.id);
      const [oldest] = own;
      if (oldest && own.length >= MOST_OF_KEY) take(oldest[0]);
      const ticket = `tkt_${parts.ids.secret(32)}`;
      const hash = sha256(ticket);
      const forget = parts.scheduler.after(TICKET_MS, () => issued.delete(hash));
      issued.set(hash, { caller, holds, forget });
      return { ticket, until: plus(parts.clock.now(), TICKET_MS) };
    },
    redeem(ticket) {
      const found = take(sha256(ticket));
      return found?.holds() ? found : null;
    },
  };
}
