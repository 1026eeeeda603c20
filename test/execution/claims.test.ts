import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../src/domain/broker-order.ts';
import { CLOCK_SKEW_MS, judgeClaims, type Claim } from '../../src/execution/claims.ts';
import { fingerprint } from '../../src/execution/fingerprint.ts';
import type { AttemptRecord, OrderRecord } from '../../src/execution/records.ts';
import {
  AT,
  attemptRecord,
  bookRow,
  OTHER_TAG,
  TAG,
  terms,
  uncertainOrder,
} from './support/makers.ts';

function claimOf(order: Partial<OrderRecord> = {}, attempt: Partial<AttemptRecord> = {}): Claim {
  const whole = uncertainOrder(order);
  const print = fingerprint('primary', whole.terms);
  return {
    order: whole,
    attempt: attemptRecord({ orderId: whole.id, fingerprint: print, ...attempt }),
  };
}

/** What is said of one claim: the row that it got, or why it got none. */
function verdict(claims: readonly Claim[], rows: readonly BrokerOrder[], tagsTrusted = false) {
  const [first] = judgeClaims(claims, rows, tagsTrusted);
  return first!.kind === 'bound'
    ? { kind: 'bound', by: first!.by, id: first!.row.brokerOrderId }
    : { kind: first!.kind };
}

const tagged = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
  bookRow({ tags: [TAG], ...parts });
const reasonOf = (claims: readonly Claim[], rows: readonly BrokerOrder[]): string => {
  const [first] = judgeClaims(claims, rows, false);
  return first?.kind === 'disputed' ? first.reason : '';
};

describe('a row with the order’s tag', () => {
  it.each([true, false])('is its own (tags trusted: %s)', (trusted) => {
    expect(verdict([claimOf()], [tagged()], trusted)).toEqual({
      kind: 'bound',
      by: 'tag',
      id: 'b1',
    });
  });

  it('is its own also among other tags, and whatever its price, type and quantity', () => {
    const row = tagged({ tags: ['x', TAG], price: 9, orderType: 'MARKET', quantity: 3 });
    expect(verdict([claimOf()], [row])).toMatchObject({ kind: 'bound', by: 'tag' });
  });

  it('is its own also when it was in the baseline, and made at another time', () => {
    const row = tagged({ brokerOrderId: 'old', createdAt: AT - 3_600_000 });
    expect(verdict([claimOf()], [row])).toMatchObject({ kind: 'bound', id: 'old' });
  });

  it('is its own when it names the instrument by its scrip code', () => {
    expect(verdict([claimOf()], [tagged({ instrument: 'NSE_1594' })]).kind).toBe('bound');
  });

  it('is disputed when a second row has it too', () => {
    const rows = [tagged(), tagged({ brokerOrderId: 'b2' })];
    expect(verdict([claimOf()], rows, true).kind).toBe('disputed');
    expect(reasonOf([claimOf()], rows)).toContain('2 rows');
  });

  it('is disputed when it is of another instrument', () => {
    expect(verdict([claimOf()], [tagged({ instrument: 'NSE:TCS' })], true).kind).toBe('disputed');
  });

  it('is disputed when it is of the other side', () => {
    expect(verdict([claimOf()], [tagged({ side: 'SELL' })], true).kind).toBe('disputed');
  });

  it('is taken before one that is only like it', () => {
    const rows = [bookRow({ brokerOrderId: 'twin' }), tagged({ brokerOrderId: 'ours' })];
    expect(verdict([claimOf()], rows)).toEqual({ kind: 'bound', by: 'tag', id: 'ours' });
  });

  it('is nobody else’s, however like another order it is', () => {
    const other = claimOf({ id: 'ord_2' }, { id: 'att_2', tag: OTHER_TAG });
    expect(verdict([other, claimOf()], [tagged()])).toEqual({ kind: 'unseen' });
  });
});

describe('a row without the order’s tag', () => {
  it('is never its own where tags are trusted', () => {
    expect(verdict([claimOf()], [bookRow()], true)).toEqual({ kind: 'unseen' });
  });

  it('may be its own where tags are trusted, but this one was sent without', () => {
    const plain = claimOf({}, { tagSent: false });
    expect(verdict([plain], [bookRow()], true)).toMatchObject({ by: 'fingerprint' });
  });

  it('is its own when it is new, like it, and made no earlier', () => {
    expect(verdict([claimOf()], [bookRow()])).toEqual({
      kind: 'bound',
      by: 'fingerprint',
      id: 'b1',
    });
  });

  it('is not its own when it was there before the send', () => {
    expect(verdict([claimOf()], [bookRow({ brokerOrderId: 'old' })]).kind).toBe('unseen');
  });

  it('is not its own when nobody knows what was there before the send', () => {
    expect(verdict([claimOf({}, { baseline: null })], [bookRow()]).kind).toBe('unseen');
  });

  it.each<[string, Partial<BrokerOrder>]>([
    ['instrument', { instrument: 'NSE:TCS' }],
    ['side', { side: 'SELL' }],
    ['product', { product: 'INTRADAY' }],
    ['type', { orderType: 'MARKET', price: null }],
    ['validity', { validity: 'IOC' }],
    ['quantity', { quantity: 11 }],
    ['price', { price: 1_500.05 }],
  ])('is not its own when the %s differs', (_field, parts) => {
    expect(verdict([claimOf()], [bookRow(parts)]).kind).toBe('unseen');
  });

  it('is its own whatever its price, where the order has none', () => {
    const market = claimOf({ terms: terms({ orderType: 'MARKET', price: null }) });
    const row = bookRow({ orderType: 'MARKET', price: 1_512, triggerPrice: 3 });
    expect(verdict([market], [row]).kind).toBe('bound');
  });

  it('is not its own when the trigger of a stop differs', () => {
    const stop = claimOf({ terms: terms({ orderType: 'SL', triggerPrice: 1_490 }) });
    const row = bookRow({ orderType: 'SL', triggerPrice: 1_491 });
    expect(verdict([stop], [row]).kind).toBe('unseen');
  });

  it('is disputed when a second one could be it as well', () => {
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    expect(verdict([claimOf()], rows).kind).toBe('disputed');
    expect(reasonOf([claimOf()], rows)).toContain('2 rows');
  });

  it('is disputed by both orders that it could be', () => {
    const claims = [claimOf(), claimOf({ id: 'ord_2' }, { id: 'att_2', tag: OTHER_TAG })];
    expect(judgeClaims(claims, [bookRow()], false).map(({ kind }) => kind)).toEqual([
      'disputed',
      'disputed',
    ]);
  });

  it('is its own when its rival has found a row by tag', () => {
    const rival = claimOf({ id: 'ord_2' }, { id: 'att_2', tag: OTHER_TAG });
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] })];
    expect(verdict([claimOf(), rival], rows)).toMatchObject({ kind: 'bound', id: 'b1' });
  });

  it('may have been made as long before the send as two clocks differ', () => {
    const row = bookRow({ createdAt: AT - CLOCK_SKEW_MS });
    expect(verdict([claimOf()], [row]).kind).toBe('bound');
  });

  it('is disputed when it was made before that: neither taken nor passed over', () => {
    const row = bookRow({ createdAt: AT - CLOCK_SKEW_MS - 1 });
    expect(verdict([claimOf()], [row]).kind).toBe('disputed');
  });

  it('is its own when it does not say when it was made', () => {
    expect(verdict([claimOf()], [bookRow({ createdAt: null })]).kind).toBe('bound');
  });
});

describe('an order that was called absent', () => {
  const CALLED = AT + 600_000;
  const absent = claimOf(
    { status: 'rejected', calledAbsent: { by: 'person', at: CALLED } },
    { state: 'absent' },
  );

  it('is found by a row from before that', () => {
    expect(verdict([absent], [bookRow({ createdAt: AT + 1_000 })]).kind).toBe('bound');
    expect(verdict([absent], [bookRow({ createdAt: CALLED + CLOCK_SKEW_MS })]).kind).toBe('bound');
  });

  it('is not found in its like that was placed after', () => {
    const row = bookRow({ createdAt: CALLED + CLOCK_SKEW_MS + 1 });
    expect(verdict([absent], [row]).kind).toBe('unseen');
  });

  it('is found by its tag whenever that turns up', () => {
    const row = tagged({ createdAt: CALLED + 3_600_000 });
    expect(verdict([absent], [row])).toMatchObject({ kind: 'bound', by: 'tag' });
  });
});

describe('an empty book', () => {
  it('has no row for anybody', () => {
    expect(verdict([claimOf()], [])).toEqual({ kind: 'unseen' });
    expect(judgeClaims([], [bookRow()], false)).toEqual([]);
  });
});
