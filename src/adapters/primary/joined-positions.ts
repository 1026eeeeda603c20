import type { Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { RowsRead } from '../kit/unread-rows.ts';

/**
 * The answers to the questions about each product as one. A row that two answers have is one position: a broker that
 * ignores the product answers each question with all of them. Rows that differ stay (docs/exits.md, "comes twice").
 */
export function joinedPositions(
  answers: readonly RowsRead<Position, UnreadPortfolioRow>[],
): RowsRead<Position, UnreadPortfolioRow> {
  return {
    rows: distinct(answers, ({ rows }) => rows),
    unread: distinct(answers, ({ unread }) => unread),
  };
}

/** Those of each answer that no answer before it has, with the same figures. */
function distinct<Row extends Figures>(
  answers: readonly RowsRead<Position, UnreadPortfolioRow>[],
  rowsOf: (answer: RowsRead<Position, UnreadPortfolioRow>) => readonly Row[],
): readonly Row[] {
  const before = new Set<string>();
  return answers.flatMap((answer) => {
    const fresh = rowsOf(answer).filter((row) => !before.has(figuresOf(row)));
    for (const row of rowsOf(answer)) before.add(figuresOf(row));
    return fresh;
  });
}

type Figures = Pick<UnreadPortfolioRow, 'instrument' | 'product' | 'quantity'> &
  Partial<Pick<Position, 'buyQuantity' | 'sellQuantity'> & Pick<UnreadPortfolioRow, 'reason'>>;

const figuresOf = ({ instrument, product, quantity, buyQuantity, sellQuantity, reason }: Figures) =>
  JSON.stringify([instrument, product, quantity, buyQuantity, sellQuantity, reason]);
