import { z } from 'zod';
import { derivativeIn, type KnownDerivative } from '../../domain/derivatives.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RowsRead } from '../kit/unread-rows.ts';
import type { PrimaryClient } from './client.ts';
import { isObject } from './envelope.ts';
import type { ElapsedMs, EpochMs } from '../../units/branded.ts';

/** Whether a refusal to list derivatives can hide one (docs/spec/primary-brokerage.md#positions). */
export interface DerivativeAccess {
  /** Whether the list without parameters has had derivatives, for any reader: then it has all of them. */
  olderFormLists: boolean;
  /** Notes all derivatives that the broker has listed; `at` is the wall time before the read began. */
  listed(read: RowsRead<Position, UnreadPortfolioRow>, at: EpochMs): void;
  /**
   * Why the account may have a derivative that a refusal hides; null where it has none. Rejects with a BrokerError
   * where the broker cannot say it.
   */
  mayHide(refusal: DerivativeRefusal): Promise<string | null>;
}

export interface DerivativeRefusal {
  /** The list without parameters is there. */
  readonly inOlderForm: boolean;
  /** That list has rows. */
  readonly isAnswered: boolean;
  /** The broker refuses the query, and not the account. */
  readonly isPlain: boolean;
}

export interface DerivativeAccessParts {
  readonly client: PrimaryClient;
  readonly lookup: InstrumentLookup;
  readonly knownDerivative: KnownDerivative;
  readonly clock: Clock;
}

const KEPT_MS = 15 * 60_000;
const FLAGS = ['is_nse_fno_onboarded', 'is_bse_fno_onboarded'] as const;

const profile = z.record(z.string(), z.unknown()).transform((fields) => {
  const flags = FLAGS.map((name) => fields[name]);
  if (flags.includes(true)) return true;
  return flags.every((flag) => flag === false) ? false : null;
});

export function createDerivativeAccess(parts: DerivativeAccessParts): DerivativeAccess {
  const { client, lookup, clock } = parts;
  let told: { readonly granted: boolean | null; readonly at: ElapsedMs } | null = null;
  /** The newest complete list of derivatives. The journal may lack it: it keeps what was read whole with the holdings. */
  let last: (RowsRead<Position, UnreadPortfolioRow> & { readonly readAt: EpochMs }) | null = null;

  /** Whether the account may trade derivatives; null where the broker does not say. */
  async function isGranted(): Promise<boolean | null> {
    if (told && clock.elapsed() - told.at < KEPT_MS) return told.granted;
    const at = clock.elapsed();
    told = { granted: profile.safeParse(await client.profile()).data ?? null, at };
    return told.granted;
  }

  async function known(inOlderForm: boolean): Promise<string | null> {
    const expiryOf = (name: string): string | null => lookup.byName(name)?.expiry ?? null;
    const listed =
      last === null
        ? null
        : derivativeIn({ ...last, positions: last.rows }, clock.now(), { inOlderForm, expiryOf });
    return listed ?? parts.knownDerivative({ since: last?.readAt ?? null, inOlderForm });
  }

  return {
    olderFormLists: false,
    listed({ rows, unread }, at) {
      last = { rows, unread, readAt: at };
    },
    async mayHide({ inOlderForm, isAnswered, isPlain }) {
      const held = await known(inOlderForm);
      if (held !== null) return `the account may hold ${held}`;
      // A broker that takes no query at all, for shares neither, has answered about the whole account.
      if (inOlderForm && isAnswered && isPlain) return null;
      const granted = await isGranted();
      if (granted !== null) return granted ? 'the account may trade derivatives' : null;
      if (!isPlain) return 'nobody says that the account trades none';
      const rows = await client.orderBook();
      const isDerivative = (row: unknown): boolean =>
        isObject(row) && /^deriv/i.test(String(row.segment));
      return rows.some(isDerivative) ? 'its order book has orders in derivatives' : null;
    },
  };
}
