import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import { kiteOrder, primaryOrder, rehearse } from './support/rehearsal.ts';

const placed = '/orders/regular';

/** [kind, what the caller sees, whether the broker acted]. */
const onTheWire: [FaultKind, object, boolean][] = [
  ['refuse', { kind: 'refuse' }, false],
  ['hang_before', { kind: 'hang' }, false],
  ['error_before', { kind: 'answer', status: 502 }, false],
  ['lying_2xx_before', { kind: 'answer', status: 200 }, false],
  ['reset_before', { kind: 'reset' }, false],
  ['redirect', { kind: 'answer', status: 302 }, false],
  ['rate_limited', { kind: 'answer', status: 429, headers: { 'retry-after': '1' } }, false],
  ['dead_token', { kind: 'answer', status: 403 }, false],
  ['hang_after', { kind: 'hang' }, true],
  ['error_after', { kind: 'answer', status: 502 }, true],
  ['lying_2xx_after', { kind: 'answer', status: 200 }, true],
  ['html_2xx_after', { kind: 'answer', headers: { 'content-type': 'text/html' } }, true],
  ['no_id_2xx_after', { kind: 'answer', status: 200 }, true],
  ['cut_after', { kind: 'cut', status: 200 }, true],
  ['trickle_after', { kind: 'trickle', status: 200 }, true],
  ['reset_after', { kind: 'reset' }, true],
];

describe('faults on the wire', () => {
  it.each(onTheWire)(
    '%s: the caller sees what it names, and acting is as it says',
    (kind, seen, acted) => {
      const { kiteWire, sandbox } = rehearse();
      sandbox.faults.add({ broker: 'kite', kind, times: 1 });
      expect(kiteWire('POST', placed, kiteOrder())).toMatchObject(seen);
      expect(sandbox.kite.orders()).toHaveLength(acted ? 1 : 0);
      expect(sandbox.faults.hits()).toEqual({ [kind]: 1 });
    },
  );

  it('places the order later after a 400 that says it timed out', () => {
    const { kite, sandbox, clock } = rehearse();
    sandbox.faults.add({ broker: 'kite', kind: 'timeout_400', times: 1 });
    const answer = kite('POST', placed, kiteOrder());
    expect(answer.status).toBe(400);
    expect(answer.json.message).toMatch(/^Order request timed out/);
    const sentAt = clock.now();
    clock.advance(7_999);
    expect(sandbox.kite.orders()).toEqual([]);
    clock.advance(1);
    const [order] = sandbox.kite.orders();
    expect(order?.receipt?.at).toBe(sentAt);
    expect(order?.createdAt).toBe(sentAt + 8_000);
  });

  it('reports a failure inside a 2xx for an order that the primary brokerage accepted', () => {
    const { primary, sandbox } = rehearse();
    sandbox.faults.add({ broker: 'primary', kind: 'lying_2xx_after', match: { path: '/order' } });
    const answer = primary('POST', '/order', primaryOrder());
    expect(answer).toMatchObject({ status: 200, json: { status: 'failure' } });
    expect(sandbox.primary.orders()).toHaveLength(1);
  });

  it('strikes only the broker, path, method and time that it names', () => {
    const { kiteWire, primaryWire, sandbox, clock } = rehearse();
    const from = clock.now() + 1_000;
    const match = { method: 'GET', path: /^\/orders$/ };
    sandbox.faults.add({ broker: 'kite', kind: 'hang_before', match, from, until: from + 1_000 });
    expect(kiteWire('GET', '/orders').kind).toBe('answer');
    clock.advance(1_000);
    expect(kiteWire('GET', '/orders').kind).toBe('hang');
    expect(kiteWire('GET', '/trades').kind).toBe('answer');
    expect(primaryWire('GET', '/order-book').kind).toBe('answer');
    clock.advance(1_000);
    expect(kiteWire('GET', '/orders').kind).toBe('answer');
  });
});

describe('faults of the order book', () => {
  it('hides a row and its fills until its time', () => {
    const { kite, sandbox, clock } = rehearse();
    sandbox.faults.add({
      broker: 'kite',
      kind: 'late_rows',
      params: { delayMs: 60_000 },
      times: 1,
    });
    const id = kite('POST', placed, kiteOrder()).json.data.order_id;
    clock.advance(59_000);
    expect(kite('GET', '/orders').json.data).toEqual([]);
    expect(kite('GET', '/trades').json.data).toEqual([]);
    expect(kite('GET', `/orders/${id}`).status).toBe(400);
    expect(sandbox.kite.order(id)?.status).toBe('COMPLETE');
    clock.advance(1_000);
    expect(kite('GET', '/orders').json.data).toHaveLength(1);
  });

  it('shows the book as it stood', () => {
    const { primary, sandbox, clock } = rehearse();
    primary('POST', '/order', primaryOrder());
    clock.advance(5_000);
    primary('POST', '/order', primaryOrder());
    clock.advance(4_000);
    sandbox.faults.add({ broker: 'primary', kind: 'stale_book', params: { ageMs: 8_999 } });
    const rows = primary('GET', '/order-book').json.data;
    expect(rows.map((row: { status: string }) => row.status)).toEqual(['INITIATED']);
  });

  it('drops rows from a book that looks whole', () => {
    const { kite, sandbox, clock } = rehearse();
    for (let count = 0; count < 4; count += 1) kite('POST', placed, kiteOrder());
    clock.advance(100);
    sandbox.faults.add({ broker: 'kite', kind: 'truncated_book', params: { drop: 3 } });
    expect(kite('GET', '/orders').json.data).toHaveLength(1);
  });

  it('adds a row that cannot be read', () => {
    const { kite, sandbox } = rehearse();
    kite('POST', placed, kiteOrder());
    sandbox.faults.add({ broker: 'kite', kind: 'bad_row', params: { form: 1 } });
    expect(kite('GET', '/orders').json.data[0].order_id).toBeNull();
  });

  it('removes a fill, or reports a partial fill without its quantity', () => {
    const { primary, sandbox, clock } = rehearse();
    sandbox.faults.add({ broker: 'primary', kind: 'contradictory_row' });
    primary('POST', '/order', primaryOrder());
    const [early] = primary('GET', '/order-book').json.data;
    expect(early.status).toBe('PARTIALLY FILLED');
    expect(early).not.toHaveProperty('traded_qty');
    clock.advance(5_000);
    expect(primary('GET', '/order-book').json.data[0].traded_qty).toBe(9);
  });

  it('shows what remains of a partly filled order as its quantity', () => {
    const { kite, sandbox, clock } = rehearse();
    sandbox.exchange.setLevelQuantity('NSE:INFY', 1);
    kite('POST', placed, kiteOrder({ quantity: '100' }));
    clock.advance(1_500);
    const [before] = kite('GET', '/orders').json.data;
    expect(before.filled_quantity).toBeGreaterThan(0);
    sandbox.faults.add({ broker: 'kite', kind: 'remaining_quantity' });
    const [row] = kite('GET', '/orders').json.data;
    expect(row).toMatchObject({ filled_quantity: before.filled_quantity, status: 'OPEN' });
    expect(row.quantity).toBe(100 - before.filled_quantity);
  });

  it('shows a filled order of another instrument under the id of one that works', () => {
    const { kite, sandbox, clock } = rehearse();
    const limit = { order_type: 'LIMIT', price: '1450' };
    kite('POST', placed, kiteOrder({ ...limit, tag: 'mine' }));
    kite('POST', placed, kiteOrder({ tradingsymbol: 'SBIN', quantity: '5', tag: 'other' }));
    clock.advance(1_500);
    sandbox.faults.add({ broker: 'kite', kind: 'shared_id' });
    const rows = kite('GET', '/orders').json.data;
    const own = rows.find((row: { tag: unknown }) => row.tag === 'mine');
    const shared = rows.at(-1);
    expect(own).toMatchObject({ tradingsymbol: 'INFY', status: 'OPEN', tag: 'mine' });
    expect(shared).toMatchObject({
      ...{ order_id: own.order_id, tradingsymbol: 'SBIN', status: 'COMPLETE' },
      ...{ filled_quantity: 5, tag: null },
    });
  });
});

describe('faults that last', () => {
  it('acknowledges two orders with the id of each other', () => {
    const { kite, sandbox } = rehearse();
    const params = { row: 'swapped' };
    sandbox.faults.add({ broker: 'kite', kind: 'wrong_id_2xx_after', params });
    const named = [1, 2, 3, 4].map(
      () => kite('POST', placed, kiteOrder()).json.data.order_id as string,
    );
    const [first, second, third, fourth] = sandbox.kite.orders().map(({ orderId }) => orderId);
    expect(named).toEqual([second, first, fourth, third]);
  });

  it('answers as it did at first', () => {
    const { kite, sandbox, clock } = rehearse();
    const match = { path: '/portfolio' };
    const id = sandbox.faults.add({ broker: 'kite', kind: 'old_answer', match });
    const first = kite('GET', '/portfolio/positions').body;
    kite('POST', placed, kiteOrder());
    clock.advance(5_000);
    expect(kite('GET', '/portfolio/positions').body).toBe(first);
    sandbox.faults.remove(id);
    expect(kite('GET', '/portfolio/positions').body).not.toBe(first);
  });

  it('dates the oldest row two days later, and gives the newest one another id each time', () => {
    const { kite, sandbox, clock } = rehearse();
    kite('POST', placed, kiteOrder());
    clock.advance(100);
    kite('POST', placed, kiteOrder());
    const [, last] = sandbox.kite.orders();
    sandbox.faults.add({ broker: 'kite', kind: 'bad_date' });
    sandbox.faults.add({ broker: 'kite', kind: 'bad_id', params: { row: 'last' } });
    const [old, wrong] = kite('GET', '/orders').json.data;
    expect(old.order_timestamp).toMatch(/^2026-11-08 11:00/);
    expect(wrong.order_timestamp).toMatch(/^2026-11-06 11:00/);
    const again = kite('GET', '/orders').json.data[1];
    expect(new Set([wrong.order_id, again.order_id, last?.orderId]).size).toBe(3);
  });

  it('lets an order work again that was cancelled, and keeps the time to itself', () => {
    const { kite, kiteWire, sandbox, clock } = rehearse({ tellsTime: false });
    const form = { ...kiteOrder(), order_type: 'LIMIT', price: '1400' };
    const id: string = kite('POST', placed, form).json.data.order_id;
    clock.advance(1_000);
    expect(kiteWire('DELETE', `${placed}/${id}`)).not.toHaveProperty('headers.date');
    clock.advance(1_000);
    expect(sandbox.kite.order(id)?.phase).toBe('cancelled');
    sandbox.kite.workAgain(id);
    clock.advance(1_000);
    expect(sandbox.kite.order(id)?.phase).toBe('open');
  });
});

describe('faults of postbacks', () => {
  const statuses = (kind: FaultKind, params?: Record<string, string | number>) => {
    const { kite, sandbox, clock, posts } = rehearse();
    sandbox.exchange.setLevelQuantity('NSE:INFY', 30);
    sandbox.faults.add({ broker: 'kite', kind, ...(params ? { params } : {}) });
    kite('POST', placed, kiteOrder());
    clock.advance(60_000);
    return posts.map((post) => JSON.parse(post.body).status);
  };

  it('loses them', () => expect(statuses('postback_lost')).toEqual([]));
  it('doubles them', () => expect(statuses('postback_doubled')).toEqual(['COMPLETE', 'COMPLETE']));
  it('forges one beside the true one', () => {
    expect(statuses('postback_forged', { mode: 'replayed' })).toEqual(['CANCELLED', 'COMPLETE']);
  });
  it('lets a later one overtake an earlier one', () => {
    const { kite, sandbox, clock, posts } = rehearse();
    sandbox.exchange.setLevelQuantity('NSE:INFY', 6);
    sandbox.faults.add({ broker: 'kite', kind: 'postback_reordered', times: 1 });
    kite('POST', placed, kiteOrder());
    clock.advance(60_000);
    expect(posts.map((post) => JSON.parse(post.body).status)).toEqual(['COMPLETE', 'UPDATE']);
  });
});
