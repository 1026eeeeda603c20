import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { lyingBroker, rowAt, tradingWith } from '../support/lying-broker.ts';

const THEIRS = { instrument: 'NSE:TCS', side: 'SELL', quantity: 65 } as const;
const LOST = () => uncertain({ kind: 'transport', message: 'no answer' });

/** A broker without tags that counts ids in each segment, so that two orders have one id, shortly before the close. */
async function setUp() {
  const time = new VirtualTime('2026-11-06T15:28:00+05:30');
  const broker = lyingBroker(time, { tagging: 'never' });
  const gateway = await tradingWith(time, [broker]);
  const seen = (id: string) => orderResponse(gateway.order(id));
  /** Whole books of the evening, which show something later than the send. */
  const evening = async () => {
    await time.advanceTo('2026-11-06T20:05:00+05:30');
    const parts = { brokerOrderId: 'late', instrument: 'NSE:SBIN' } as const;
    broker.rows = [...broker.rows, rowAt(time, parts)];
    await time.advance(15 * 60_000);
  };
  return { time, broker, gateway, seen, evening };
}

describe('where a broker without tags has two orders under one id', () => {
  it('an uncertain order whose row stands under the id of another order of ours is never called absent', async () => {
    const { time, broker, gateway, seen, evening } = await setUp();
    const { id: first } = await gateway.place();
    const own = rowAt(time, { exchangeOrderId: '111' });
    broker.rows = [own];
    await time.advance(2_000);
    broker.place = LOST;
    const { id } = await gateway.place(THEIRS);
    broker.rows = [own, rowAt(time, { ...THEIRS, exchangeOrderId: '999' })];
    await time.advance(30_000);
    expect(seen(first).status).toBe('working');
    await evening();
    expect(seen(id)).toMatchObject({
      ...{ status: 'disputed', filledQuantity: null },
      reason: expect.stringContaining('the book shows b1 (SELL 65 NSE:TCS)'),
    });
    expect(seen(first).status).toBe('working');
  });

  it('an order that was acknowledged under an id of another segment is never called absent', async () => {
    const { time, broker, gateway, seen, evening } = await setUp();
    // Placed by hand, in another segment.
    const byHand = rowAt(time, { exchangeOrderId: '111' });
    broker.rows = [byHand];
    await time.advance(2_000);
    const { id } = await gateway.place(THEIRS);
    const filled = { filledQuantity: 65, status: 'filled', rawStatus: 'COMPLETE' } as const;
    broker.rows = [byHand, rowAt(time, { ...THEIRS, ...filled, exchangeOrderId: '999' })];
    await time.advance(30_000);
    expect(seen(id).status).toBe('uncertain');
    await evening();
    expect(seen(id)).toMatchObject({ status: 'disputed', filledQuantity: null });
  });

  it('a refusal in unlisted words is not believed beside such a row', async () => {
    const { time, broker, gateway, seen } = await setUp();
    await gateway.place();
    const own = rowAt(time, { exchangeOrderId: '111' });
    broker.rows = [own];
    await time.advance(2_000);
    broker.place = () => {
      broker.rows = [own, rowAt(time, { ...THEIRS, exchangeOrderId: '999' })];
      return { kind: 'refused', rejection: 'other', reason: 'odd words', isUnlisted: true };
    };
    const { id } = await gateway.place(THEIRS);
    await time.advance(10_000);
    expect(seen(id).status).toBe('uncertain');
  });

  it.each([
    ['the row of an equal order of ours', true],
    ['a row that a book had shown before it was sent', false],
  ])('an order is called absent beside %s', async (_, isOurs) => {
    const { time, broker, gateway, seen, evening } = await setUp();
    const row = rowAt(time, { exchangeOrderId: '111' });
    if (isOurs) {
      await gateway.place();
      broker.rows = [row, rowAt(time, { ...THEIRS, exchangeOrderId: '999' })];
    } else broker.rows = [row];
    await time.advance(2_000);
    broker.place = LOST;
    const { id } = await gateway.place();
    await evening();
    expect(seen(id)).toMatchObject({ status: 'rejected', filledQuantity: 0 });
  });
});
