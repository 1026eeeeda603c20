import { BrokerError } from '../../domain/failure.ts';
import { parentExchange, type Instrument, type InstrumentLookup } from '../../domain/instrument.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { scripCodes } from './scrip-codes.ts';

const ASIDE_MS = 5 * 60_000;

/** Which code to ask for an instrument under, by what the broker has lately called bad. */
export interface CodeBook {
  /** Null where the broker has no id for it, or every code has been set aside. */
  codeOf(instrument: Instrument): string | null;
  /** The broker called it bad: it is not asked for again for five minutes. */
  setAside(code: string): void;
}

export interface CodeBookParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly instruments: InstrumentLookup;
}

export function createCodeBook({ clock, log, instruments }: CodeBookParts): CodeBook {
  /** Until when a code is left out, in elapsed ms. */
  const aside = new Map<string, number>();

  function isAside(code: string): boolean {
    const until = aside.get(code);
    if (until === undefined) return false;
    if (until > clock.elapsed()) return true;
    aside.delete(code);
    return false;
  }

  /** A share of the same number would be quoted in its place: a wrong price is worse than none. */
  function isOfShare({ exchange, securityId }: Instrument): boolean {
    return instruments.bySecurityId(parentExchange(exchange), securityId!, 'EQUITY') !== null;
  }

  return {
    codeOf(instrument) {
      const [first, ...others] = scripCodes(instrument);
      if (first === undefined) return null;
      if (!isAside(first)) return first;
      const second = others.find((code) => !isAside(code));
      return second === undefined || isOfShare(instrument) ? null : second;
    },
    setAside(code) {
      aside.set(code, clock.elapsed() + ASIDE_MS);
      log.info('the broker does not know a scrip code; it is left out for five minutes', {
        broker: 'primary',
        instrument: code,
      });
    },
  };
}

/** The one refusal that says that a code is bad: every other failure says nothing about codes. */
export function namesBadCode(error: unknown): boolean {
  return (
    error instanceof BrokerError &&
    error.failure.kind === 'http' &&
    error.failure.status === 400 &&
    /invalid scrip[ -]?codes?/i.test(error.failure.message)
  );
}
