import { BrokerError } from '../../domain/outcome.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Reader } from '../../domain/ports.ts';
import type { Log } from '../../platform/log.ts';
import type { RowsRead } from '../kit/unread-rows.ts';
import type { PrimaryClient } from './client.ts';
import type { DerivativeAccess } from './derivative-access.ts';
import { isObject, isRefusedQuery } from './envelope.ts';
import { saysTokenIsDead } from './refusals.ts';
import { mapPositions } from './portfolio-mapping.ts';

export interface PositionsParts {
  readonly client: PrimaryClient;
  readonly lookup: InstrumentLookup;
  readonly access: DerivativeAccess;
  readonly log: Log;
  /** Callers are told all that a row has; `watch` when absent. */
  readonly reader?: Reader;
}

export type PositionsRead = RowsRead<Position, UnreadPortfolioRow>;

/** The positions of a segment in both products, or the reason why there are none. */
type SegmentReading =
  | ({ readonly kind: 'rows' } & PositionsRead)
  /** The broker does not serve this segment: it refused both products. */
  | { readonly kind: 'refused'; readonly refusal: Error };

/**
 * All positions of the account (docs/spec/portfolio.md): one call for each segment and product,
 * since the broker answers no more in one. Only where it refuses both products of shares, the
 * gateway uses the older form, without parameters. A refusal of derivatives is read as "none" only
 * where it cannot hide one.
 */
export function createPositions(parts: PositionsParts): () => Promise<PositionsRead> {
  const { client, lookup, access, log, reader } = parts;
  /** Stays true: a derivative that was there must not vanish behind a refusal. */
  let seenDerivatives = false;
  let told = false;

  async function ask(segment: string, product: string): Promise<PositionsRead> {
    const query = { segment, product: product.toLowerCase() };
    return mapPositions(await client.positions(query), product, lookup, reader);
  }

  async function read(
    segment: string,
    products: readonly [string, string],
    isRefusal: (error: unknown) => error is BrokerError,
  ): Promise<SegmentReading> {
    const answers: PositionsRead[] = [];
    const refusals: Error[] = [];
    // One after the other, because a half-open breaker lets only one call through.
    for (const product of products) {
      try {
        answers.push(await ask(segment, product));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusals.push(error);
      }
    }
    const [first] = refusals;
    if (first === undefined) return { kind: 'rows', ...joined(answers) };
    // If only one product is refused, its positions are unknown: that is a failure.
    if (refusals.length < products.length) throw first;
    return { kind: 'refused', refusal: first };
  }

  /** The broker's word on the account decides; without it, the orders of the day do. */
  async function mayHide(refusal: Error): Promise<boolean> {
    if (seenDerivatives) return true;
    const granted = await access.granted();
    if (granted !== null) return granted;
    if (!isRefusedQuery(refusal)) return true;
    const rows = await client.orderBook();
    return rows.some((row) => isObject(row) && /^deriv/i.test(String(row.segment)));
  }

  async function derivatives(): Promise<PositionsRead> {
    const reading = await read('derivative', ['MARGIN', 'INTRADAY'], isRefusedSegment);
    if (reading.kind === 'rows') {
      seenDerivatives ||= reading.rows.length + reading.unread.length > 0;
      return reading;
    }
    if (await mayHide(reading.refusal)) throw reading.refusal;
    if (!told) {
      log.info('the broker refuses to list derivative positions: the account trades none', {
        broker: 'primary',
      });
      told = true;
    }
    return { rows: [], unread: [] };
  }

  return async () => {
    const shares = await read('equity', ['CNC', 'INTRADAY'], isRefusedQuery);
    if (shares.kind === 'rows') return joined([shares, await derivatives()]);
    return mapPositions(await client.positions(null), null, lookup, reader);
  };
}

const joined = (answers: readonly PositionsRead[]): PositionsRead => ({
  rows: answers.flatMap(({ rows }) => rows),
  unread: answers.flatMap(({ unread }) => unread),
});

/** The broker can answer 403, with its own error, to an account that may not trade the segment. */
function isRefusedSegment(error: unknown): error is BrokerError {
  if (isRefusedQuery(error)) return true;
  if (!(error instanceof BrokerError) || error.failure.kind !== 'http') return false;
  const { status, ownWords } = error.failure;
  return status === 403 && ownWords === true && !saysTokenIsDead(error.failure);
}
