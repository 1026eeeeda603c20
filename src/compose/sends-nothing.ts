import { lacksSession, notSent } from '../domain/outcome.ts';
import type { Broker, Trading, TriggerPort, Triggers } from '../domain/ports.ts';

/**
 * A broker to which nothing is sent while `why` names a reason: whatever asks, a caller or work that the journal goes on
 * with. Its reads go on.
 */
export function sendingNothing(broker: Broker, why: () => string | null): Broker {
  const { trading, triggers } = broker;
  // What is armed at its start is never disarmed while it runs.
  if (why() === null) return broker;
  return over(broker, {
    ...(trading === undefined ? {} : { trading: quietTrading(trading, why) }),
    ...(triggers === undefined ? {} : { triggers: quietTriggers(triggers, why) }),
  });
}

function quietTrading(trading: Trading, why: () => string | null): Trading {
  const kept = () => keptBack(why());
  return over(trading, {
    blocked(purpose) {
      const blocked = trading.blocked(purpose);
      // Without a session nothing can be read either, and whoever asks what is missing has to hear it.
      return lacksSession(blocked) ? blocked : (kept() ?? blocked);
    },
    permit: async (waitMs, purpose) => kept() ?? trading.permit(waitMs, purpose),
    place: async (attempt) => kept() ?? trading.place(attempt),
    cancel: async (attempt) => kept() ?? trading.cancel(attempt),
    modify: async (attempt) => kept() ?? trading.modify(attempt),
  });
}

function quietTriggers(triggers: Triggers, why: () => string | null): Triggers {
  const { calls } = triggers;
  if (calls === undefined) return triggers;
  const kept = () => keptBack(why());
  const quiet: TriggerPort = {
    place: async (attempt) => kept() ?? calls.place(attempt),
    modify: async (id, attempt) => kept() ?? calls.modify(id, attempt),
    remove: async (id) => kept() ?? calls.remove(id),
  };
  return over(triggers, { calls: quiet });
}

/** Not a missing session: then the books would not be read either. */
const keptBack = (reason: string | null) => (reason === null ? null : notSent('held_back', reason));

/** A copy in which some members are others; getters stay getters. */
function over<T extends object>(original: T, changes: Partial<T>): T {
  const copy: T = Object.create(
    Object.getPrototypeOf(original),
    Object.getOwnPropertyDescriptors(original),
  );
  return Object.defineProperties(copy, Object.getOwnPropertyDescriptors(changes));
}
