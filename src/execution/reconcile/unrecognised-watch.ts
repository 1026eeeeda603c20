import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { type ElapsedMs, type OrderId, plus } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { messageOf } from '../../platform/values.ts';
import { isinsOf } from './held.ts';
import { opposesHeld } from '../submit/reduce-only.ts';
import { decideUnrecognised, dueUnrecognised } from '../submit/decide-unrecognised.ts';

/** Cancels orders whose status has been unrecognised for too long, unless they may protect a position. */
export interface UnrecognisedWatch {
  look(): Promise<void>;
}

export interface UnrecognisedParts {
  readonly trading: Trading;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly unrecognisedMs: number };
  /** Reads the account now. Resolves with why it could not be read; null once it was. */
  readonly readAccount: (terms: OrderTerms) => Promise<string | null>;
}

/** An account that could not be read is read again after this time. */
const AGAIN_MS = 15_000;

export function createUnrecognisedWatch(parts: UnrecognisedParts): UnrecognisedWatch {
  const { trading, writer, clock, settings, instruments } = parts;
  const { state } = writer;
  /** Orders of which it was said that they are not cancelled. */
  const leftAlone = new Set<OrderId>();
  let reading: Promise<void> | null = null;
  let readAgainAt: ElapsedMs | null = null;

  const commandNow = () => ({
    ...{ broker: trading.broker, isinOf: isinsOf(instruments) },
    olderThan: plus(clock.now(), -settings.unrecognisedMs),
  });

  async function decide(unread: string | null): Promise<void> {
    for (const id of leftAlone) if (!state.watched.has(id)) leftAlone.delete(id);
    const more = { told: leftAlone, unread, at: clock.now() };
    const told = await writer.submit((now) =>
      decideUnrecognised(now, { ...commandNow(), ...more }),
    );
    for (const id of told) leftAlone.add(id);
  }

  /** The account as it is now: what was read before does not have what somebody has bought since. */
  async function readAndDecide(terms: OrderTerms): Promise<void> {
    const unread = await parts.readAccount(terms);
    readAgainAt = unread === null ? null : plus(clock.elapsed(), AGAIN_MS);
    await decide(unread);
  }

  return {
    async look() {
      const command = commandNow();
      const due = dueUnrecognised(state, command);
      if (due.length === 0) return;
      const [first] = due.filter((order) => !opposesHeld(state, order, command.isinOf));
      // Nothing is cancelled by this: what reduces a position stays.
      if (first === undefined) return decide(null);
      if (reading !== null || (readAgainAt !== null && clock.elapsed() < readAgainAt)) return;
      reading = readAndDecide(first.terms).finally(() => (reading = null));
      reading.catch((error: unknown) => {
        parts.log.error('orders of unrecognised status could not be looked at', {
          ...{ broker: trading.broker, reason: messageOf(error) },
        });
      });
    },
  };
}
