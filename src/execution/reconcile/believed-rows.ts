import type { Holding, Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { PortfolioRecord } from '../journal/records.ts';

interface Account {
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
  readonly unread: readonly UnreadPortfolioRow[];
}

const CONTRADICT = 'its figures contradict one another';
const NOT_WHOLE = 'its quantity is no whole number';

/**
 * An account without the rows whose quantity nobody can believe: they count as rows that cannot be read. Those are a
 * quantity that is no whole number, and figures of a position that contradict one another about whether it is long,
 * short or closed. Where they only contradict one another about how large it is, the row stays, and counts with the
 * least that its figures allow (`leastOf`).
 */
export function believedRows<Read extends Account>(read: Read): Read {
  const positions = read.positions.filter((row) => whyUnbelieved(row) === null);
  const holdings = read.holdings.filter(({ quantity }) => Number.isSafeInteger(quantity));
  const unread = [
    ...read.unread.map(believedRest),
    ...read.positions.flatMap((row) => {
      const { instrument, product, derivative } = row;
      const reason = whyUnbelieved(row);
      const contract = derivative ? { derivative } : {};
      return reason === null
        ? []
        : [
            {
              list: 'positions' as const,
              instrument,
              product,
              quantity: null,
              reason,
              ...contract,
            },
          ];
    }),
    ...read.holdings
      .filter((row) => !holdings.includes(row))
      .map(({ instrument }) => ({
        ...{ list: 'holdings' as const, instrument, product: null, quantity: null },
        reason: NOT_WHOLE,
      })),
  ];
  return { ...read, positions, holdings, unread };
}

/** Whether enough of an unread row could be read to count it as it is. */
export const isUsable = ({ list, instrument, product, quantity }: UnreadPortfolioRow): boolean =>
  instrument !== null && quantity !== null && (list === 'holdings' || product !== null);

/** What is believed of a row that could not be read whole. */
function believedRest(row: UnreadPortfolioRow): UnreadPortfolioRow {
  const { quantity, otherQuantities = [] } = row;
  const reason = quantity === null ? null : whyUnbelieved({ quantity, otherQuantities });
  if (reason === null) return row;
  const { list, instrument, product, derivative } = row;
  const contract = derivative ? { derivative } : {};
  return { list, instrument, product, quantity: null, reason, ...contract };
}

function whyUnbelieved({
  quantity,
  otherQuantities: others = [],
}: Pick<Position, 'quantity' | 'otherQuantities'>): string | null {
  if (!Number.isSafeInteger(quantity)) return NOT_WHOLE;
  const isClear = others.every(
    (other) => Number.isSafeInteger(other) && Math.sign(other) === Math.sign(quantity),
  );
  return isClear ? null : CONTRADICT;
}

type Figures = Pick<Position, 'product' | 'quantity' | 'otherQuantities'>;

/**
 * The least that the figures of a position allow to sell of it, or to buy back. A negative row of delivery shares is
 * what was sold of the holdings: there, the larger sale is the one that leaves less.
 */
export const leastOf = ({ product, quantity, otherQuantities = [] }: Figures): number =>
  product !== 'CNC' && quantity < 0
    ? Math.max(quantity, ...otherQuantities)
    : Math.min(quantity, ...otherQuantities);

/** The most that they allow. */
export const mostOf = ({ product, quantity, otherQuantities = [] }: Figures): number =>
  product !== 'CNC' && quantity < 0
    ? Math.min(quantity, ...otherQuantities)
    : Math.max(quantity, ...otherQuantities);

/** Whether figures of a position contradict one another in the last read, so that another read may tell more. */
export function isContradictory(
  portfolio: PortfolioRecord | undefined,
  { instrument, product }: Pick<Position, 'instrument' | 'product'>,
): boolean {
  const isOf = (row: Pick<UnreadPortfolioRow, 'instrument' | 'product'>): boolean =>
    row.instrument === instrument && row.product === product;
  return (
    (portfolio?.positions.some((row) => row.otherQuantities !== undefined && isOf(row)) ?? false) ||
    (portfolio?.unread?.some(
      (row) => (row.reason === CONTRADICT || row.otherQuantities !== undefined) && isOf(row),
    ) ??
      false)
  );
}
