import { describe, expect, it } from 'vitest';
import { notSent, uncertain } from '../../../src/domain/outcome.ts';
import { createLimiter, KEPT_FOR_WAYS_OUT } from '../../../src/platform/call-limits.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const lost = uncertain({ kind: 'transport', message: 'no answer' });
const MANY = 50;

/**
 * Fifty orders whose answers were lost in an outage, and which have all been cancelled meanwhile. Then one read of the book
 * shows them all, so that fifty kept cancels are due at once, at a broker that takes ten requests a second.
 */
async function afterOutage() {
  const time = midday();
  const broker = lyingBroker(time);
  const limits = [{ count: 10, perMs: 1_000 }];
  const limiter = createLimiter(time, time, limits, undefined, KEPT_FOR_WAYS_OUT);
  broker.trading.permit = async (waitMs, purpose) =>
    (await limiter.acquire(waitMs, purpose === 'way_out' ? 'way_out' : 'caller'))
      ? null
      : notSent('no_permit', 'no permit');
  broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'fresh' });
  const gateway = await tradingWith(time, [broker]);
  const fresh = await gateway.place();
  const shown = rowAt(time, { brokerOrderId: 'fresh', tags: [broker.placed[0]!.tag] });
  broker.rows = [shown];
  await time.advance(3_000);
  broker.place = () => lost;
  for (let count = 0; count < MANY; count += 1) {
    const { id } = await gateway.place();
    await gateway.cancel(id);
  }
  const found = broker.placed
    .slice(1)
    .map(({ tag }, index) => rowAt(time, { brokerOrderId: `k${index}`, tags: [tag] }));
  broker.rows = [shown, ...found];
  for (let tries = 0; tries < 400 && broker.cancels.length === 0; tries += 1) {
    await time.advance(50);
  }
  expect(broker.cancels.length).toBeGreaterThan(0);
  return { time, broker, gateway, fresh };
}

describe('kept cancels that are due at once, more than the broker takes in a second', () => {
  it('go out once each: one that waits for its permit is not begun again by the next read', async () => {
    const { time, broker } = await afterOutage();
    // An acknowledged cancel is repeated after ten seconds at the earliest.
    await time.advance(8_000);
    const ids = new Set(broker.cancels);
    expect([ids.size, broker.cancels.length]).toEqual([MANY, MANY]);
  });

  it('let a cancel that a caller asks for meanwhile go out within its five seconds', async () => {
    const { time, broker, gateway, fresh } = await afterOutage();
    await time.advance(3_200);
    // Forty of the fifty have left by now: ten are before this one.
    const asked = gateway.execution.amend(fresh.id, null, null, 'someone');
    await time.advance(2_500);
    expect(broker.cancels).toContain('fresh');
    await time.settle(asked);
  });
});

describe('a kept cancel whose answer was lost', () => {
  it('is sent again after its pause, also while the read that follows it is still on its way', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    broker.cancel = () => lost;
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await gateway.cancel(id);
    // At once, and after one second and two seconds, each time with the end of the next read.
    broker.readMs = 3_000;
    await time.advance(8_000);
    expect(broker.cancels).toHaveLength(3);
  });
});
