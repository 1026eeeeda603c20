import type { RowStatus } from '../../domain/order-status.ts';
import type { NumberReading } from './schemas.ts';

/** What a status means, with the partly filled but working one told apart: it claims a fill. */
type StatusClass = 'working' | 'partly' | 'filled' | 'partial' | 'cancelled' | 'rejected';

/** The fifteen statuses, then the aliases that are still accepted. */
const CLASSES: ReadonlyMap<string, StatusClass> = new Map(
  (
    [
      ['QUEUED', 'working'],
      ['O-PENDING', 'working'],
      ['SL-PENDING', 'working'],
      ['PROCESSING', 'working'],
      ['INITIATED', 'working'],
      ['MODIFIED', 'working'],
      ['PENDING', 'working'],
      ['PARTIALLY FILLED', 'partly'],
      ['SUCCESS', 'filled'],
      ['PARTIALLY FILLED - CANCELLED', 'partial'],
      ['PARTIALLY FILLED - EXPIRED', 'partial'],
      ['CANCELLED', 'cancelled'],
      ['EXPIRED', 'cancelled'],
      ['FAILED', 'rejected'],
      ['ABORTED', 'rejected'],
      ['OPEN', 'working'],
      ['PARTIALLY_EXECUTED', 'partly'],
      ['COMPLETE', 'filled'],
      ['PF-CANCELLED', 'partial'],
      ['PFC', 'partial'],
      ['PF-EXPIRED', 'partial'],
      ['REJECTED', 'rejected'],
      ['RJ', 'rejected'],
    ] as const
  ).map(([name, meaning]) => [normalise(name), meaning]),
);

/** A smart order is acknowledged with this one; read as unknown it would be cancelled after a while. */
const SMART_CLASSES: ReadonlyMap<string, StatusClass> = new Map([['CREATED', 'working']]);

export interface StatusReading {
  readonly status: RowStatus;
  /** Null while unknown; never 0 by default. At most the quantity asked for. */
  readonly filledQuantity: number | null;
}

/**
 * Reads a row's status together with its quantities, which overrule it
 * (docs/spec/primary-brokerage.md, "States and transitions"). `extraTerminal` are statuses that the
 * operator has declared final; a status of the table stays what the table says.
 */
export function readStatus(
  raw: string,
  requested: number,
  traded: NumberReading,
  extraTerminal: readonly string[],
  /** The row is a smart order's. */
  smart = false,
): StatusReading {
  const name = normalise(raw);
  const known = CLASSES.get(name) ?? (smart ? SMART_CLASSES.get(name) : undefined);
  if (typeof traded === 'number' && requested > 0 && traded >= requested) {
    return { status: 'filled', filledQuantity: requested };
  }
  if (name !== '' && !known && extraTerminal.some((extra) => normalise(extra) === name)) {
    // It ended, and how is not known: without a quantity its fill is not known either.
    return ended('cancelled', requested, traded, null);
  }
  switch (known) {
    case 'filled':
      // Fully executed, by its name; a smaller quantity beside it contradicts that. A smart order may
      // mean by it that its trigger was hit, so there only a quantity says what filled.
      return {
        status: 'filled',
        filledQuantity: traded === null && requested > 0 && !smart ? requested : null,
      };
    case 'cancelled':
    case 'rejected':
      return ended(known, requested, traded, 0);
    case 'partial':
      return { status: 'partial', filledQuantity: positive(requested, traded) };
    case 'partly':
      return { status: 'working', filledQuantity: positive(requested, traded) };
    case 'working':
    case undefined:
      return {
        // Of a smart order few words are known. One that is read as unknown would be cancelled after a
        // while: a stop that nobody has taken away must not go for that.
        status: known ?? (smart ? 'working' : 'unrecognised'),
        filledQuantity: traded === 0 ? 0 : positive(requested, traded),
      };
  }
}

/** A final status that claims no fill: a traded quantity makes it a partial one. */
function ended(
  status: 'cancelled' | 'rejected',
  requested: number,
  traded: NumberReading,
  whenSilent: 0 | null,
): StatusReading {
  if (traded === null) return { status, filledQuantity: whenSilent };
  if (traded === 0) return { status, filledQuantity: 0 };
  if (traded === 'unreadable') return { status, filledQuantity: null };
  return { status: 'partial', filledQuantity: positive(requested, traded) };
}

/** A fill that is there; unknown where none is said, or where more traded than nothing asked for. */
function positive(requested: number, traded: NumberReading): number | null {
  return typeof traded === 'number' && traded > 0 && requested > 0 ? traded : null;
}

/** Case, underscores and the spacing of dashes carry no meaning. */
function normalise(status: string): string {
  return status
    .toUpperCase()
    .replace(/[\s_\-–—]+/g, ' ')
    .trim();
}
