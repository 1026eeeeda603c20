import { BrokerError } from '../../domain/outcome.ts';
import {
  parentExchange,
  type BrokerInstruments,
  type Instrument,
} from '../../domain/instrument.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { scripCodes } from './scrip-codes.ts';
import { plus, type ElapsedMs } from '../../units/branded.ts';

const ASIDE_MS = 5 * 60_000;

/** Which scrip code to use for an instrument, without those that the broker has lately refused. */
export interface CodeBook {
  /** Null where the broker has no id for the instrument, or has refused every code of it. */
  codeOf(instrument: Instrument): string | null;
  /** The broker refused the code: the gateway leaves it out for five minutes. */
  setAside(code: string): void;
}

export interface CodeBookParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly instruments: BrokerInstruments;
}

export function createCodeBook({ clock, log, instruments }: CodeBookParts): CodeBook {
  /** Until when a code is left out. */
  const aside = new Map<string, ElapsedMs>();

  function isAside(code: string): boolean {
    const until = aside.get(code);
    if (until === undefined) return false;
    if (until > clock.elapsed()) return true;
    aside.delete(code);
    return false;
  }

  /**
   * This code would return the quote of a share with the same number. A wrong price is worse than
   * none.
   */
  function isOfShare({ exchange, securityId }: Instrument): boolean {
    if (securityId === null) return false;
    return instruments.bySecurityId(parentExchange(exchange), securityId, 'EQUITY') !== null;
  }

  return {
    codeOf(listed) {
      const instrument = instruments.own(listed);
      const [first, ...others] = scripCodes(instrument);
      if (first === undefined) return null;
      if (!isAside(first)) return first;
      const second = others.find((code) => !isAside(code));
      return second === undefined || isOfShare(instrument) ? null : second;
    },
    setAside(code) {
      aside.set(code, plus(clock.elapsed(), ASIDE_MS));
      log.info(
        'the broker does not know a scrip code: the gateway leaves it out for five minutes',
        {
          broker: 'primary',
          instrument: code,
        },
      );
    },
  };
}

/** The one refusal that names a bad code. Every other failure says nothing about codes. */
export function namesBadCode(error: unknown): boolean {
  return (
    error instanceof BrokerError &&
    error.failure.kind === 'http' &&
    error.failure.status === 400 &&
    /invalid scrip[ -]?codes?/i.test(error.failure.message)
  );
}
