import { BrokerError } from '../../domain/outcome.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Reader } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { RowsRead } from '../kit/unread-rows.ts';
import type { PrimaryClient } from './client.ts';
import type { DerivativeAccess, DerivativeRefusal } from './derivative-access.ts';
import { clip, isRefusedQuery } from './envelope.ts';
import { anyOf, askedTwice, isListOf, isPassingFailure } from './failed-list.ts';
import { joinedPositions } from './joined-positions.ts';
import { type ListedRow, notListed, withoutCopies } from './older-positions.ts';
import { DERIVATIVE, EQUITY, mapPositions } from './position-mapping.ts';
import { saysTokenIsDead } from './refusals.ts';

export interface PositionsParts {
  readonly client: PrimaryClient;
  readonly lookup: InstrumentLookup;
  readonly access: DerivativeAccess;
  readonly clock: Clock;
  readonly log: Log;
  /** Callers are told all that a row has; `watch` when absent. */
  readonly reader?: Reader;
}

export type PositionsRead = RowsRead<Position, UnreadPortfolioRow>;

/** The positions of a segment in both products, or the reason why there are none. */
type SegmentReading =
  | ({ readonly kind: 'rows'; readonly given: readonly ListedRow[] } & PositionsRead)
  /** The broker does not serve this segment: it refused both products. */
  | { readonly kind: 'refused'; readonly refusal: BrokerError };

/**
 * All positions of the account (docs/spec/primary-brokerage.md#positions): one call for each segment and product,
 * since the broker answers no more in one. Only where it refuses both products of shares, the
 * gateway uses the older form, without parameters, and asks for derivatives beside it. A refusal of derivatives is
 * read as "none" only where it cannot hide one.
 */
export function createPositions(parts: PositionsParts): () => Promise<PositionsRead> {
  const { client, lookup, access, clock, log, reader } = parts;
  let told = false;

  async function read(
    segment: string,
    products: readonly [string, string],
    isRefusal: (error: unknown) => error is BrokerError,
  ): Promise<SegmentReading> {
    const given: ListedRow[] = [];
    const refusals: BrokerError[] = [];
    const failed: { readonly product: string; readonly error: BrokerError }[] = [];
    // One after the other, because a half-open breaker lets only one call through.
    for (const product of products) {
      try {
        const query = { segment, product: product.toLowerCase() };
        const rows = await askedTwice(() => client.positions(query));
        given.push(...rows.map((row) => ({ row, product })));
      } catch (error) {
        if (isRefusal(error)) refusals.push(error);
        // What is known of derivatives must not be lost (decision 0071): of them, each list counts.
        else if (segment === EQUITY && isPassingFailure(error)) failed.push({ product, error });
        else throw error;
      }
    }
    const isAlone = failed.length + refusals.length === products.length;
    if (failed[0] && (isAlone || !isListOf(segment, given))) throw failed[0].error;
    const [first] = refusals;
    if (first === undefined) {
      const own = withoutCopies(given);
      const answers = [...new Set(own.map(({ product }) => product))].map((product) => {
        const rows = own.flatMap((each) => (each.product === product ? [each.row] : []));
        return mapPositions(rows, { segment, product }, lookup, reader);
      });
      const missing = failed.map(({ product, error }) => anyOf(product, error));
      const joined = joinedPositions([...answers, { rows: [], unread: missing }]);
      return { kind: 'rows', given: own, ...joined };
    }
    // If only one product is refused, its positions are unknown: that is a failure.
    if (refusals.length < products.length) throw first;
    return { kind: 'refused', refusal: first };
  }

  const readDerivatives = (): Promise<SegmentReading> =>
    read(DERIVATIVE, ['MARGIN', 'INTRADAY'], isRefusedSegment);

  /** Rejects where a refusal may hide derivatives. */
  async function mustHaveNone(
    refusal: BrokerError,
    answered: Pick<DerivativeRefusal, 'inOlderForm' | 'isAnswered'>,
  ): Promise<void> {
    const why = await access.mayHide({ ...answered, isPlain: isRefusedQuery(refusal) });
    if (why !== null) throw explained(refusal, why);
    if (told) return;
    told = true;
    log.info('the broker refuses to list derivative positions: the account is taken to have none', {
      broker: 'primary',
    });
  }

  async function derivatives(): Promise<PositionsRead> {
    const at = clock.now();
    const reading = await readDerivatives();
    if (reading.kind === 'refused') {
      await mustHaveNone(reading.refusal, { inOlderForm: false, isAnswered: false });
      return { rows: [], unread: [] };
    }
    access.listed(reading, at);
    return reading;
  }

  /** The older form, whose rows tell their own product, and the derivatives that it does not have. */
  async function inOlderForm(): Promise<PositionsRead> {
    const at = clock.now();
    const given = await askedTwice(() => client.positions(null));
    const reading = await readDerivatives();
    const isListed = reading.kind === 'rows';
    const left = isListed ? notListed(given, reading.given) : given;
    const older = mapPositions(left, null, lookup, reader);
    const all = isListed ? joinedPositions([older, reading]) : older;
    const listed = {
      rows: all.rows.filter(({ derivative }) => derivative !== undefined),
      unread: all.unread.filter(({ derivative }) => derivative !== undefined),
    };
    if (!isListed) {
      access.olderFormLists ||= listed.rows.length > 0;
      if (!access.olderFormLists) {
        await mustHaveNone(reading.refusal, { inOlderForm: true, isAnswered: given.length > 0 });
        return all;
      }
    }
    access.listed(listed, at);
    return all;
  }

  return async () => {
    const shares = await read(EQUITY, ['CNC', 'INTRADAY'], isRefusedQuery);
    return shares.kind === 'rows' ? joinedPositions([shares, await derivatives()]) : inOlderForm();
  };
}

/** The refusal in words that say what it may hide: the broker's own often say only that it was asked wrongly. */
function explained(refusal: BrokerError, why: string): BrokerError {
  const { broker, failure } = refusal;
  const message = clip(`the list of derivatives was refused, and ${why}: ${failure.message}`);
  return new BrokerError(broker, { ...failure, message });
}

/** The broker can answer 403, with its own error, to an account that may not trade the segment. */
function isRefusedSegment(error: unknown): error is BrokerError {
  if (isRefusedQuery(error)) return true;
  if (!(error instanceof BrokerError) || error.failure.kind !== 'http') return false;
  const { status, ownWords } = error.failure;
  return status === 403 && ownWords === true && !saysTokenIsDead(error.failure);
}
