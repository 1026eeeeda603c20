import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { isCancelWanted, statusOf } from '../../../src/execution/order/order.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const lost = uncertain({ kind: 'transport', message: 'no answer' });

/** An open order; `strange` is its row with a word on no list, as brokers show one while they cancel. */
async function setUp() {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  gateway.execution.wake('alt');
  await time.advance(1_000);
  const { id } = await gateway.place();
  const tags = [broker.placed[0]!.tag];
  const open = () => rowAt(time, { tags });
  const strange = () =>
    rowAt(time, { tags, status: 'unrecognised', rawStatus: 'CANCEL REQ RECEIVED' });
  broker.rows = [open()];
  await time.advance(3_000);
  const cancel = () => time.settle(gateway.execution.amend(id, null, null, 'someone'));
  const sentWithin = async (ms: number) => {
    const before = broker.cancels.length;
    await time.advance(ms);
    return broker.cancels.length - before;
  };
  return { time, broker, gateway, id, open, strange, cancel, sentWithin };
}

describe('a cancel that a caller asks for, of an order whose status nobody knows for a while', () => {
  it('stays kept when its repeat is acknowledged under that status: an order that works on is cancelled again', async () => {
    const { time, broker, gateway, id, open, strange, cancel, sentWithin } = await setUp();
    await cancel();
    expect(isCancelWanted(gateway.order(id))).toBe(true);
    broker.rows = [strange()];
    expect(await sentWithin(13_000)).toBe(1);
    // The exchange has not taken it.
    broker.rows = [open()];
    await time.advance(2_000);
    expect(statusOf(gateway.order(id))).toBe('working');
    expect(await sentWithin(60_000)).toBeGreaterThan(0);
  });

  it('is kept also where it is asked for under that status', async () => {
    const { time, broker, open, strange, cancel, sentWithin } = await setUp();
    broker.rows = [strange()];
    await time.advance(2_000);
    expect((await cancel()).settled).toBe(false);
    broker.rows = [open()];
    expect(await sentWithin(60_000)).toBeGreaterThan(0);
  });

  it.each(['on its way', 'answered'])(
    'is kept also where a cancel of the gateway itself, for that status, is %s',
    async (stage) => {
      const { time, broker, strange, cancel, sentWithin } = await setUp();
      let answer = (): void => undefined;
      broker.cancel = () => new Promise((settle) => (answer = () => settle(lost)));
      broker.rows = [strange()];
      await time.advance(64_000);
      expect(broker.cancels).toHaveLength(1);
      if (stage === 'answered') answer();
      broker.cancel = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId });
      const asked = cancel();
      await time.advance(1);
      answer();
      await asked;
      await time.advance(15_000);
      expect(await sentWithin(180_000)).toBeGreaterThan(1);
    },
  );
});
