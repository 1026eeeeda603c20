import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { type Outcome, refused } from '../../../src/domain/outcome.ts';
import { bindingOf, reasonOf, statusOf } from '../../../src/execution/order/order.ts';
import { plus } from '../../../src/units/branded.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const LISTED = refused('other', 'RMS: no');
const UNLISTED: Outcome = { kind: 'refused', rejection: 'other', reason: 'no', isUnlisted: true };

async function setUp(answer: Outcome) {
  const time = midday();
  const broker = lyingBroker(time, { tagging: 'never' });
  const gateway = await tradingWith(time, [broker]);
  broker.rows = [rowAt(time, { brokerOrderId: 'old', side: 'SELL' })];
  await time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
  broker.place = () => answer;
  broker.readMs = 100;
  /** Places an order: how long it took from the answer, ms, and how often the book was read then. */
  async function place() {
    let [answeredAt, reads] = [0, 0];
    const { place: answerOf } = broker;
    broker.place = async (attempt) => {
      const outcome = await answerOf(attempt);
      [answeredAt, reads] = [time.elapsed(), broker.reads];
      return outcome;
    };
    const order = await gateway.place();
    const ms = time.elapsed() - answeredAt;
    return { id: order.id, status: statusOf(order), ms, reads: broker.reads - reads };
  }
  return { time, broker, gateway, place };
}

describe('a refusal of a placing', () => {
  it('in listed words is answered at once, without a read of the book', async () => {
    const { place } = await setUp(LISTED);
    expect(await place()).toMatchObject({ status: 'rejected', ms: 0, reads: 0 });
  });

  it('in unlisted words is answered after one read of the book', async () => {
    const { place } = await setUp(UNLISTED);
    expect(await place()).toMatchObject({ status: 'rejected', ms: 100, reads: 1 });
  });

  it.each<[string, Partial<BrokerOrder>]>([
    ['an equal row', {}],
    ['an equal row with another price', { price: 1_501 }],
    ['a row that somebody may have changed', { quantity: 11, price: 1_501 }],
    ['an equal row with the tag of somebody else', { tags: ['someoneelse'] }],
  ])('in unlisted words is uncertain where the book has %s that is new', async (_, parts) => {
    const { time, broker, gateway, place } = await setUp(UNLISTED);
    broker.place = () => {
      broker.rows = [...broker.rows, rowAt(time, parts)];
      return UNLISTED;
    };
    const { id, status } = await place();
    expect(status).toBe('uncertain');
    expect(reasonOf(gateway.order(id))).toContain('a row that could be the order');
  });

  it('in unlisted words is uncertain where a row has its tag, whatever else the row says', async () => {
    const { time, broker, place } = await setUp(UNLISTED);
    broker.place = ({ tag }) => {
      const parts = { quantity: 11, product: 'INTRADAY', tags: [tag] };
      broker.rows = [...broker.rows, rowAt(time, parts)];
      return UNLISTED;
    };
    expect((await place()).status).toBe('uncertain');
  });

  it('that was a lie is the order once it is uncertain', async () => {
    const { time, broker, gateway, place } = await setUp(UNLISTED);
    broker.place = () => {
      broker.rows = [...broker.rows, rowAt(time)];
      return UNLISTED;
    };
    const { id } = await place();
    await time.advance(1_000);
    expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'b1' });
    expect(gateway.execution.killSwitch()?.engaged ?? false).toBe(false);
  });

  it.each<[string, Partial<BrokerOrder>]>([
    ['was there before the send', {}],
    ['is of the other side', { side: 'SELL' }],
    ['has another quantity and product', { quantity: 11, product: 'INTRADAY' }],
  ])('in unlisted words is believed where a row %s', async (what, parts) => {
    const { time, broker, place } = await setUp(UNLISTED);
    const isOld = what.includes('before');
    if (isOld) broker.rows = [...broker.rows, rowAt(time)];
    // The baseline is read again.
    await time.advance(2_000);
    broker.place = () => {
      if (!isOld) broker.rows = [...broker.rows, rowAt(time, parts)];
      return UNLISTED;
    };
    expect((await place()).status).toBe('rejected');
  });

  it('in unlisted words is not borne out by a read that began before it', async () => {
    const { time, broker, gateway, place } = await setUp(UNLISTED);
    broker.place = () => {
      // It has the book as it was before the broker placed the order.
      void gateway.execution.poller('alt')!.read(plus(time.elapsed(), 0));
      broker.rows = [...broker.rows, rowAt(time)];
      return new Promise((resolve) => time.after(50, () => resolve(UNLISTED)));
    };
    const { status, reads } = await place();
    expect({ status, reads }).toEqual({ status: 'uncertain', reads: 1 });
  });

  it.each<[string, (broker: ReturnType<typeof lyingBroker>) => void]>([
    ['cannot be read', (broker) => (broker.isReadable = false)],
    ['is not whole', (broker) => (broker.rows = [])],
    ['is read too slowly', (broker) => (broker.readMs = 60_000)],
  ])('in unlisted words is uncertain after three seconds where the book %s', async (_, spoil) => {
    const { broker, place } = await setUp(UNLISTED);
    broker.place = () => {
      spoil(broker);
      return UNLISTED;
    };
    const { status, ms } = await place();
    expect(status).toBe('uncertain');
    expect(ms).toBeGreaterThan(2_000);
    expect(ms).toBeLessThanOrEqual(3_000);
  });
});
