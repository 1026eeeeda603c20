import { BrokerError } from '../../domain/failure.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Position } from '../../domain/portfolio.ts';
import type { Log } from '../../platform/log.ts';
import type { PrimaryClient } from './client.ts';
import type { DerivativeAccess } from './derivative-access.ts';
import { isObject, isRefusedQuery } from './errors.ts';
import { mapPositions, positionList } from './portfolio-mapping.ts';
import { saysTokenIsDead } from './token-failure.ts';

export interface PositionsParts {
  readonly client: PrimaryClient;
  readonly lookup: InstrumentLookup;
  readonly access: DerivativeAccess;
  readonly log: Log;
}

/** Both products of a segment, or why there are none. */
type SegmentReading =
  | { readonly kind: 'rows'; readonly positions: readonly Position[] }
  /** The broker does not serve the question: it refused both products. */
  | { readonly kind: 'refused'; readonly refusal: Error };

/**
 * All positions of the account (docs/spec/portfolio.md): one call for each segment and product, since
 * the broker tells no more at a time. Only where it refuses both products of shares is it asked as its
 * older form was, without parameters. A refusal of derivatives is taken for "none" only where none
 * can be hidden by it.
 */
export function createPositions(parts: PositionsParts): () => Promise<readonly Position[]> {
  const { client, lookup, access, log } = parts;
  /** Once true it stays: a derivative that was there must not vanish behind a refusal. */
  let seenDerivatives = false;
  let told = false;

  async function ask(segment: string, product: string): Promise<readonly Position[]> {
    const query = { segment, product: product.toLowerCase() };
    return mapPositions(positionList(await client.positions(query)), product, lookup);
  }

  async function read(
    segment: string,
    products: readonly [string, string],
    isRefusal: (error: unknown) => error is BrokerError,
  ): Promise<SegmentReading> {
    const positions: Position[] = [];
    const refusals: Error[] = [];
    // One after the other, because a half-open breaker lets a single call through.
    for (const product of products) {
      try {
        positions.push(...(await ask(segment, product)));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusals.push(error);
      }
    }
    const [first] = refusals;
    if (first === undefined) return { kind: 'rows', positions };
    // One that is refused alone is a failure: what it would have told is not known.
    if (refusals.length < products.length) throw first;
    return { kind: 'refused', refusal: first };
  }

  /** What the broker says of the account decides; where it says nothing, what is known of its day. */
  async function mayHide(refusal: Error): Promise<boolean> {
    if (seenDerivatives) return true;
    const granted = await access.granted();
    if (granted !== null) return granted;
    if (!isRefusedQuery(refusal)) return true;
    const rows = await client.orderBook();
    return rows.some((row) => isObject(row) && /^deriv/i.test(String(row.segment)));
  }

  async function derivatives(): Promise<readonly Position[]> {
    const reading = await read('derivative', ['MARGIN', 'INTRADAY'], isRefusedSegment);
    if (reading.kind === 'rows') {
      seenDerivatives ||= reading.positions.length > 0;
      return reading.positions;
    }
    if (await mayHide(reading.refusal)) throw reading.refusal;
    if (!told) {
      log.info('the broker refuses to tell derivative positions: the account trades none', {
        broker: 'primary',
      });
      told = true;
    }
    return [];
  }

  return async () => {
    const shares = await read('equity', ['CNC', 'INTRADAY'], isRefusedQuery);
    if (shares.kind === 'rows') return [...shares.positions, ...(await derivatives())];
    return mapPositions(positionList(await client.positions(null)), null, lookup);
  };
}

/** An account that may not trade a segment can be told so in the way of a forbidden page. */
function isRefusedSegment(error: unknown): error is BrokerError {
  if (isRefusedQuery(error)) return true;
  if (!(error instanceof BrokerError) || error.failure.kind !== 'http') return false;
  const { status, ownWords } = error.failure;
  return status === 403 && ownWords === true && !saysTokenIsDead(error.failure);
}
