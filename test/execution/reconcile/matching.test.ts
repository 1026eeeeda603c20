import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { matchRows, type OpenPlacing } from '../../../src/execution/reconcile/matching.ts';
import { MADE_WITHIN_MS } from '../../../src/execution/reconcile/when-made.ts';
import {
  CLOCK_SKEW_MS,
  fingerprint,
  type PlaceAttemptRecord,
} from '../../../src/execution/order/attempt.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import { AT, bookRow, ist, OTHER_TAG, TAG, terms, uncertainOrder } from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';
import { epochMs, plus } from '../../../src/units/branded.ts';

function placingOf(
  order: Partial<OrderFields> = {},
  attempt: Partial<PlaceAttemptRecord> = {},
): OpenPlacing {
  const whole = uncertainOrder(order);
  const print = fingerprint('primary', whole.terms);
  return {
    order: whole,
    attempt: attemptRecord({ orderId: whole.id, fingerprint: print, ...attempt }),
  };
}

/** The match of the first placing: the row that it got, or why it got none. */
function matchOf(
  placings: readonly OpenPlacing[],
  rows: readonly BrokerOrder[],
  tagsTrusted = false,
) {
  const [first] = matchRows(placings, rows, tagsTrusted);
  return first!.kind === 'bound'
    ? { kind: 'bound', by: first!.by, id: first!.row.brokerOrderId }
    : { kind: first!.kind };
}

const tagged = (parts: Partial<BrokerOrder> = {}): BrokerOrder =>
  bookRow({ tags: [TAG], ...parts });
const reasonOf = (placings: readonly OpenPlacing[], rows: readonly BrokerOrder[]): string => {
  const [first] = matchRows(placings, rows, false);
  return first?.kind === 'disputed' ? first.reason : '';
};

describe('a row with the order’s tag', () => {
  it.each([true, false])('is its own (tags trusted: %s)', (trusted) => {
    expect(matchOf([placingOf()], [tagged()], trusted)).toEqual({
      kind: 'bound',
      by: 'tag',
      id: 'b1',
    });
  });

  it('is its own also among other tags, and whatever its price, type and quantity', () => {
    const row = tagged({ tags: ['x', TAG], price: 9, orderType: 'MARKET', quantity: 3 });
    expect(matchOf([placingOf()], [row])).toMatchObject({ kind: 'bound', by: 'tag' });
  });

  it('is its own also when it was in the baseline, and made at another time', () => {
    const row = tagged({ brokerOrderId: 'old', createdAt: epochMs(AT - 3_600_000) });
    expect(matchOf([placingOf()], [row])).toMatchObject({ kind: 'bound', id: 'old' });
  });

  it('is its own when it names the instrument by its scrip code', () => {
    expect(matchOf([placingOf()], [tagged({ instrument: 'NSE_1594' })]).kind).toBe('bound');
  });

  it('is disputed when a second row has it too', () => {
    const rows = [tagged(), tagged({ brokerOrderId: 'b2' })];
    expect(matchOf([placingOf()], rows, true).kind).toBe('disputed');
    expect(reasonOf([placingOf()], rows)).toContain('2 rows');
  });

  it('is disputed when it is of another instrument', () => {
    expect(matchOf([placingOf()], [tagged({ instrument: 'NSE:TCS' })], true).kind).toBe('disputed');
  });

  it('is disputed when it is of the other side', () => {
    expect(matchOf([placingOf()], [tagged({ side: 'SELL' })], true).kind).toBe('disputed');
  });

  it('is taken before one that is only like it', () => {
    const rows = [bookRow({ brokerOrderId: 'twin' }), tagged({ brokerOrderId: 'ours' })];
    expect(matchOf([placingOf()], rows)).toEqual({ kind: 'bound', by: 'tag', id: 'ours' });
  });

  it('is no other order’s, however like it the row is', () => {
    const other = placingOf({ id: 'ord_2' }, { id: 'att_2', tag: OTHER_TAG });
    expect(matchOf([other, placingOf()], [tagged()])).toEqual({ kind: 'unseen' });
  });
});

describe('a row under the id that an order was acknowledged with, before any book showed it', () => {
  const named = () => placingOf({}, { namedId: 'named', tagSent: true });
  const row = bookRow({ brokerOrderId: 'named', tags: ['someone'] });

  it('is the order, where it is like it', () => {
    expect(matchOf([named()], [row], true)).toEqual({ kind: 'bound', by: 'id', id: 'named' });
  });

  it.each([
    ['side', { side: 'SELL' as const }],
    ['quantity', { quantity: row.quantity + 1 }],
  ])('is a dispute, where it has another %s: its fills are another order’s', (_, parts) => {
    expect(matchOf([named()], [{ ...row, ...parts }], true)).toEqual({ kind: 'disputed' });
    expect(reasonOf([named()], [{ ...row, ...parts }])).toContain('the id that was acknowledged');
  });
});

describe('a row without the order’s tag', () => {
  it('is never its own where tags are trusted', () => {
    expect(matchOf([placingOf()], [bookRow()], true)).toEqual({ kind: 'unseen' });
  });

  it('may be its own where tags are trusted, but this one was sent without', () => {
    const plain = placingOf({}, { tagSent: false });
    expect(matchOf([plain], [bookRow()], true)).toMatchObject({ by: 'fingerprint' });
  });

  it('is its own when it is new, like it, and made no earlier', () => {
    expect(matchOf([placingOf()], [bookRow()])).toEqual({
      kind: 'bound',
      by: 'fingerprint',
      id: 'b1',
    });
  });

  it('is not its own when it was there before the send', () => {
    expect(matchOf([placingOf()], [bookRow({ brokerOrderId: 'old' })]).kind).toBe('unseen');
  });

  it('is not its own when nobody knows what was there before the send', () => {
    expect(matchOf([placingOf({}, { baseline: null })], [bookRow()]).kind).toBe('unseen');
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
    expect(matchOf([placingOf()], [bookRow(parts)]).kind).toBe('unseen');
  });

  it('is its own whatever its price, where the order has none', () => {
    const market = placingOf({ terms: terms({ orderType: 'MARKET', price: null }) });
    const row = bookRow({ orderType: 'MARKET', price: 1_512, triggerPrice: 3 });
    expect(matchOf([market], [row]).kind).toBe('bound');
  });

  it('is not its own when the trigger of a stop differs', () => {
    const stop = placingOf({ terms: terms({ orderType: 'SL', triggerPrice: 1_490 }) });
    const row = bookRow({ orderType: 'SL', triggerPrice: 1_491 });
    expect(matchOf([stop], [row]).kind).toBe('unseen');
  });

  it('is disputed when a second one could be it as well', () => {
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    expect(matchOf([placingOf()], rows).kind).toBe('disputed');
    expect(reasonOf([placingOf()], rows)).toContain('2 rows');
  });

  it('is disputed by both orders that it could be', () => {
    const placings = [placingOf(), placingOf({ id: 'ord_2' }, { id: 'att_2', tag: OTHER_TAG })];
    expect(matchRows(placings, [bookRow()], false).map(({ kind }) => kind)).toEqual([
      'disputed',
      'disputed',
    ]);
  });

  it('is its own when its rival has found a row by tag', () => {
    const rival = placingOf({ id: 'ord_2' }, { id: 'att_2', tag: OTHER_TAG });
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] })];
    expect(matchOf([placingOf(), rival], rows)).toMatchObject({ kind: 'bound', id: 'b1' });
  });

  it('may have been made as long before the send as two clocks differ', () => {
    const row = bookRow({ createdAt: epochMs(AT - CLOCK_SKEW_MS) });
    expect(matchOf([placingOf()], [row]).kind).toBe('bound');
  });

  it('is disputed when it was made before that: neither taken nor passed over', () => {
    const row = bookRow({ createdAt: epochMs(AT - CLOCK_SKEW_MS - 1) });
    expect(matchOf([placingOf()], [row]).kind).toBe('disputed');
  });

  it('is its own when the broker made it within three minutes', () => {
    const row = bookRow({ createdAt: plus(AT, 180_000) });
    expect(matchOf([placingOf()], [row]).kind).toBe('bound');
  });

  it('is not its own when it was made later: a person may have placed it', () => {
    const row = bookRow({ createdAt: plus(AT, 180_001) });
    expect(matchOf([placingOf()], [row]).kind).toBe('unseen');
    expect(matchOf([placingOf()], [row, bookRow({ brokerOrderId: 'b2' })])).toMatchObject({
      kind: 'bound',
      id: 'b2',
    });
  });

  it.each([
    ['ahead of', -3_600_000],
    ['behind', 3_600_000],
  ])('is judged by the broker’s time where this computer’s clock is %s it', (_, ms) => {
    const sent = placingOf({}, { brokerAt: plus(AT, ms) });
    expect(matchOf([sent], [bookRow({ createdAt: plus(AT, ms + 1_000) })]).kind).toBe('bound');
    expect(matchOf([sent], [bookRow()]).kind).toBe(ms < 0 ? 'unseen' : 'disputed');
  });

  it.each([
    ['in the evening, with the send', '2026-11-05T20:00:01', 'bound'],
    ['in the evening, hours later', '2026-11-05T23:00:00', 'unseen'],
    ['in the morning, before brokers release it', '2026-11-06T08:59:59', 'unseen'],
    ['when the pre-open session begins', '2026-11-06T09:00:00', 'bound'],
    ['when it was released to the exchange', '2026-11-06T09:15:02', 'bound'],
    ['in the session', '2026-11-06T11:00:00', 'unseen'],
  ])('of an after-market order, made %s', (_, createdAt, kind) => {
    const sentAt = ist('2026-11-05T20:00:00');
    const evening = { day: '2026-11-05', createdAt: sentAt, terms: terms({ amo: true }) };
    const placing = placingOf(evening, { day: '2026-11-05', sentAt });
    expect(matchOf([placing], [bookRow({ createdAt: ist(createdAt) })]).kind).toBe(kind);
  });

  it('is its own when it does not say when it was made', () => {
    expect(matchOf([placingOf()], [bookRow({ createdAt: null })]).kind).toBe('bound');
  });
});

describe('an order that was called absent', () => {
  const CALLED = epochMs(AT + 600_000);
  const absent = placingOf(
    { kind: 'absent', calledAbsent: { by: 'person', at: CALLED } },
    { state: attemptState('absent') },
  );

  it('is found by a row from before that', () => {
    expect(matchOf([absent], [bookRow({ createdAt: epochMs(AT + 1_000) })]).kind).toBe('bound');
    expect(matchOf([absent], [bookRow({ createdAt: plus(AT, MADE_WITHIN_MS) })]).kind).toBe(
      'bound',
    );
  });

  it('is not found in its like that was placed after', () => {
    const soon = { by: 'person', at: plus(AT, 60_000) } as const;
    const again = placingOf({ kind: 'absent', calledAbsent: soon }, absent.attempt);
    const row = bookRow({ createdAt: plus(soon.at, CLOCK_SKEW_MS + 1) });
    expect(matchOf([again], [row]).kind).toBe('unseen');
  });

  describe('by a clock that was set back to before the send', () => {
    const back = { by: 'person', at: epochMs(AT - 26 * 3_600_000) } as const;
    const again = placingOf({ kind: 'absent', calledAbsent: back }, absent.attempt);

    it.each([
      ['was made with it', MADE_WITHIN_MS, 'bound'],
      ['was made later', MADE_WITHIN_MS + 1, 'unseen'],
    ])('is found by a row that %s, or not', (_, ms, kind) => {
      expect(matchOf([again], [bookRow({ createdAt: plus(AT, ms) })]).kind).toBe(kind);
    });

    it('is compared with the send by the broker’s clock', () => {
      const sent = { sentAt: epochMs(back.at - 60_000), brokerAt: AT };
      const told = placingOf(
        { kind: 'absent', calledAbsent: back },
        { ...absent.attempt, ...sent },
      );
      expect(matchOf([told], [bookRow({ createdAt: plus(AT, 7_000) })]).kind).toBe('bound');
    });
  });

  it('is found by its tag whenever that turns up', () => {
    const row = tagged({ createdAt: epochMs(CALLED + 3_600_000) });
    expect(matchOf([absent], [row])).toMatchObject({ kind: 'bound', by: 'tag' });
  });
});

describe('an empty book', () => {
  it('has no row for anybody', () => {
    expect(matchOf([placingOf()], [])).toEqual({ kind: 'unseen' });
    expect(matchRows([], [bookRow()], false)).toEqual([]);
  });
});
