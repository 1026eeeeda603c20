import type { BrokerOrder } from '../domain/broker-order.ts';
import type { BoundBy } from '../domain/order.ts';
import { isInstrumentOf, rowFingerprint } from './fingerprint.ts';
import type { AttemptRecord, OrderRecord } from './records.ts';

/** A placing whose outcome is open, with its order: what may claim a row of the book. */
export interface Claim {
  readonly attempt: AttemptRecord;
  readonly order: OrderRecord;
}

export type ClaimVerdict =
  | {
      readonly kind: 'bound';
      readonly claim: Claim;
      readonly row: BrokerOrder;
      readonly by: BoundBy;
    }
  | { readonly kind: 'disputed'; readonly claim: Claim; readonly reason: string }
  /** No row that could be this attempt's. */
  | { readonly kind: 'unseen'; readonly claim: Claim };

/** Clocks of host and broker may differ by this much, and rows have a grain of a second. */
export const CLOCK_SKEW_MS = 5_000;

/**
 * Which row belongs to which open placing (docs/orders.md, "How an uncertain order is found").
 * `free` are the rows that no order of ours owns. With `tagsTrusted`, a row without the tag is never
 * taken; without, a row counts that was not in the baseline and has the fingerprint. One that says
 * it was made before the send is neither taken nor passed over: either a clock is wrong or the row
 * is not ours, and that is for a person to see.
 */
export function judgeClaims(
  claims: readonly Claim[],
  free: readonly BrokerOrder[],
  tagsTrusted: boolean,
  /** Whether a tag is one of ours: its row is that order's, however much it is like another. */
  isOurs: (tag: string) => boolean = () => false,
): ClaimVerdict[] {
  const tagged = claims.map((claim) => ({
    claim,
    rows: free.filter((row) => claim.attempt.tag !== null && row.tags.includes(claim.attempt.tag)),
  }));
  const taken = new Set(tagged.flatMap(({ rows }) => rows));
  const untagged = free.filter((row) => !taken.has(row) && !row.tags.some(isOurs));
  const candidates = new Map(
    tagged
      .filter(({ claim, rows }) => rows.length === 0 && !(tagsTrusted && claim.attempt.tagSent))
      .map(({ claim }) => [claim, untagged.filter((row) => isCandidate(claim, row))]),
  );
  return tagged.map(({ claim, rows }) => {
    if (rows.length > 0) return judgeTagged(claim, rows);
    return judgeCandidates(claim, candidates);
  });
}

function judgeTagged(claim: Claim, rows: readonly BrokerOrder[]): ClaimVerdict {
  const [row] = rows;
  if (rows.length > 1 || !row) {
    return { kind: 'disputed', claim, reason: `${rows.length} rows carry the order's tag` };
  }
  if (!isInstrumentOf(claim.order, row) || row.side !== claim.order.terms.side) {
    const reason = `row ${row.brokerOrderId} carries the order's tag, but is ${row.side} ${row.instrument}`;
    return { kind: 'disputed', claim, reason };
  }
  return { kind: 'bound', claim, row, by: 'tag' };
}

function judgeCandidates(
  claim: Claim,
  candidates: ReadonlyMap<Claim, readonly BrokerOrder[]>,
): ClaimVerdict {
  const rows = candidates.get(claim) ?? [];
  const [row] = rows;
  if (!row) return { kind: 'unseen', claim };
  const dispute = (reason: string): ClaimVerdict => ({ kind: 'disputed', claim, reason });
  if (rows.length > 1) return dispute(`${rows.length} rows could be this order`);
  const rivals = [...candidates].filter(
    ([other, theirs]) => other !== claim && theirs.includes(row),
  );
  if (rivals.length > 0) {
    return dispute(`row ${row.brokerOrderId} could be this order or another one`);
  }
  if (!isTimely(claim, row)) {
    return dispute(
      `row ${row.brokerOrderId} is like this order, but was not made when it was sent`,
    );
  }
  return { kind: 'bound', claim, row, by: 'fingerprint' };
}

function isCandidate({ attempt, order }: Claim, row: BrokerOrder): boolean {
  if (rowFingerprint(attempt.broker, row, order) !== attempt.fingerprint) return false;
  if (attempt.baseline?.includes(row.brokerOrderId) !== false) return false;
  // Once an order was called absent, its like may well be placed again, by hand.
  const { calledAbsent } = order;
  return calledAbsent === null || (row.createdAt ?? 0) <= calledAbsent.at + CLOCK_SKEW_MS;
}

function isTimely({ attempt }: Claim, row: BrokerOrder): boolean {
  return row.createdAt === null || row.createdAt >= attempt.sentAt - CLOCK_SKEW_MS;
}
