import type { RowStatus } from '../../domain/order.ts';
import type { NumberReading } from './schemas.ts';

/** The meaning of a status. `partly` is working with a fill, and apart because it claims one. */
type StatusClass = 'working' | 'partly' | 'filled' | 'partial' | 'cancelled' | 'rejected';

/** The fifteen documented statuses, then the aliases that are still accepted. */
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

/**
 * The acknowledged status of a smart order. Read as unknown, the order would count as cancelled
 * after a while.
 */
const SMART_CLASSES: ReadonlyMap<string, StatusClass> = new Map([['CREATED', 'working']]);

export interface StatusReading {
  readonly status: RowStatus;
  /** Null while unknown, never 0 by default. At most the requested quantity. */
  readonly filledQuantity: number | null;
}

/**
 * Reads a row's status together with its quantities (docs/spec/primary-brokerage.md, "States and
 * transitions"). Whether they end an order is not decided here: the row's own requested quantity may be
 * wrong (docs/orders.md, "Figures that contradict each other"). `extraTerminal` holds statuses that
 * the operator has declared final; they do not override the table.
 */
export function readStatus(
  raw: string,
  requested: number,
  traded: NumberReading,
  extraTerminal: readonly string[],
  /** Whether the row is that of a smart order. */
  smart = false,
): StatusReading {
  const name = normalise(raw);
  const known = CLASSES.get(name) ?? (smart ? SMART_CLASSES.get(name) : undefined);
  if (name !== '' && !known && extraTerminal.some((extra) => normalise(extra) === name)) {
    // The order has ended, and how is unknown: without a quantity its fill is unknown too.
    return ended('cancelled', requested, traded, null);
  }
  switch (known) {
    case 'filled':
      if (typeof traded === 'number' && requested > 0 && traded >= requested) {
        return { status: 'filled', filledQuantity: requested };
      }
      // Fully executed, by its name; a smaller quantity beside it contradicts that. For a smart
      // order the status may mean that the trigger was hit, so there only a quantity proves a fill.
      return {
        status: 'filled',
        filledQuantity: traded === null && requested > 0 && !smart ? requested : null,
      };
    case 'cancelled':
      // Some of it may have filled before: without a quantity, the trades tell.
      return ended(known, requested, traded, null);
    case 'rejected':
      return ended(known, requested, traded, 0);
    case 'partial':
      return { status: 'partial', filledQuantity: positive(requested, traded) };
    case 'partly':
      return { status: 'working', filledQuantity: positive(requested, traded) };
    case 'working':
    case undefined:
      return {
        // Few statuses of smart orders are known. An unknown one counts as cancelled after a while,
        // which must not happen to a stop that still protects a position.
        status: known ?? (smart ? 'working' : 'unrecognised'),
        filledQuantity: traded === 0 ? 0 : positive(requested, traded),
      };
  }
}

/** A final status that claims no fill: with a traded quantity it is a partial fill. */
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

/**
 * The traded quantity; null (unknown) where the row has none, and where it is more than the requested
 * quantity, which may lag behind a modification or be what remains.
 */
function positive(requested: number, traded: NumberReading): number | null {
  return typeof traded === 'number' && traded > 0 && traded <= requested ? traded : null;
}

/** Case, underscores and spaces around dashes carry no meaning. */
function normalise(status: string): string {
  return status
    .toUpperCase()
    .replace(/[\s_\-–—]+/g, ' ')
    .trim();
}
