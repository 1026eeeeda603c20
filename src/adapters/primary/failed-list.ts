import { BrokerError } from '../../domain/outcome.ts';
import type { UnreadPortfolioRow } from '../../domain/portfolio.ts';
import { segmentOf } from './mapping.ts';
import { type ListedRow, PRODUCTS } from './older-positions.ts';
import { positionRow } from './schemas.ts';

/** Whether the broker could not answer now: it may, a moment later. */
export const isPassingFailure = (error: unknown): error is BrokerError =>
  error instanceof BrokerError &&
  error.failure.kind === 'http' &&
  (error.failure.status === 429 || error.failure.status >= 500);

/** Asks once more where the broker could not answer. After a 429 the limiter holds the second call back. */
export async function askedTwice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isPassingFailure(error)) throw error;
    return await ask();
  }
}

/**
 * Whether a list has only what was asked for. One that has rows of another product or segment may be of a broker that
 * ignores the question: alone, such a list does not tell which product a row is of.
 */
export const isListOf = (segment: string, given: readonly ListedRow[]): boolean =>
  given.every(({ row, product }) => {
    const read = positionRow.safeParse(row).data;
    const own = read?.product?.toUpperCase() ?? '';
    const of = segmentOf(read?.segment ?? null) ?? segmentOf(segment);
    return (!PRODUCTS.has(own) || own === product) && of === segmentOf(segment);
  });

/** What stands for a list of shares that could not be read: any position of its product, and of no other. */
export const anyOf = (product: string, { message }: BrokerError): UnreadPortfolioRow => ({
  ...{ list: 'positions', instrument: null, product, quantity: null },
  reason: `the list of ${product} positions could not be read: ${message}`,
});
