import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../support/order-fields.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

/** A broker that answers from two copies of its book in turn, one of which has stopped (decision 0084). */
describe('an order that has ended, where every other read shows it working', () => {
  it.each([
    ['is older', true],
    ['tells no time of change', false],
  ])('stays ended where that row %s', async (_, isDated) => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    const tags = [broker.placed[0]!.tag];
    const changedAt = () => (isDated ? time.now() : null);
    const working = rowAt(time, { tags, updatedAt: changedAt() });
    broker.rows = [working];
    await time.advance(30_000);
    const ended = {
      ...working,
      ...({ status: 'cancelled', rawStatus: 'CANCELLED' } as const),
      updatedAt: changedAt(),
    };
    broker.rows = [ended];
    await time.advance(3_000);
    expect(fieldsOf(gateway.order(id)).status).toBe('cancelled');
    // Each read that shows it working is followed by one that shows it ended: they never agree.
    Object.defineProperty(broker, 'rows', {
      get: () => (broker.reads % 2 === 0 ? [working] : [ended]),
    });
    for (let turn = 0; turn < 24; turn += 1) {
      await time.advance(5_000);
      expect(fieldsOf(gateway.order(id)).status).toBe('cancelled');
    }
    expect(gateway.alerts().filter(({ level }) => level === 'critical')).toEqual([]);
  });

  it('is open again where that row was changed after the end: the others are of the past', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    const tags = [broker.placed[0]!.tag];
    const ended = rowAt(time, { tags, status: 'cancelled', rawStatus: 'CANCELLED' });
    broker.rows = [ended];
    await time.advance(3_000);
    expect(fieldsOf(gateway.order(id)).status).toBe('cancelled');
    const working = rowAt(time, { tags });
    Object.defineProperty(broker, 'rows', {
      get: () => (broker.reads % 2 === 0 ? [working] : [ended]),
    });
    await time.advance(120_000);
    const criticals = gateway.alerts().filter(({ level }) => level === 'critical');
    expect(criticals[0]?.message).toContain('its broker shows it working again');
  });
});
