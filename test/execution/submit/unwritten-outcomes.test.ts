import { describe, expect, it } from 'vitest';
import { notSent, type Outcome, refused, uncertain } from '../../../src/domain/outcome.ts';
import { isCancelWanted, statusOf } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const LOST = uncertain({ kind: 'transport', message: 'no answer' });
const BUSY = refused('rate_limited', 'too many requests');
const NOT_LEFT = notSent('connect', 'no connection');
const TAKEN: Outcome = { kind: 'acknowledged', brokerOrderId: 'b1' };
const NO = refused('other', 'not allowed');

/** An open order whose first cancel is written. Then the disk takes nothing, not even what came of that cancel. */
async function diskFailsUnderCancel(first: Outcome) {
  const time = midday();
  const broker = lyingBroker(time);
  const disk = failingDatabase(openDatabase(':memory:'));
  const gateway = await tradingWith(time, [broker], disk.database);
  const { id } = await gateway.place();
  const row = rowAt(time, { tags: [broker.placed[0]!.tag] });
  broker.rows = [row];
  await time.advance(10_000);
  const cancel = () =>
    time.settle(
      gateway.execution.amend(id, null, null, 'someone').then(
        ({ settled, onDisk }) => ({ settled, onDisk }),
        (error: unknown) => String(error),
      ),
    );
  disk.failAfterNext();
  broker.cancel = () => first;
  const told = await cancel();
  expect(broker.cancels).toHaveLength(1);
  broker.cancel = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId });
  return { time, broker, gateway, id, row, disk, cancel, told };
}

describe('a cancel that is on disk, and whose outcome the disk does not take', () => {
  it.each([
    ['whose answer was lost', LOST],
    ['that was refused for a moment', BUSY],
    ['that did not leave', NOT_LEFT],
  ])('%s is answered as on its way, and sent again', async (_, first) => {
    const { time, broker, told } = await diskFailsUnderCancel(first);
    expect(told).toEqual({ settled: false, onDisk: true });
    await time.advance(5_000);
    expect(broker.cancels).toHaveLength(2);
  });

  it('that was acknowledged is sent again after ten seconds, while the row stays open', async () => {
    const { time, broker } = await diskFailsUnderCancel(TAKEN);
    await time.advance(9_000);
    expect(broker.cancels).toHaveLength(1);
    await time.advance(3_000);
    expect(broker.cancels).toHaveLength(2);
  });

  it('that was refused for good is not sent again by itself, and goes out when it is asked for again', async () => {
    const { time, broker, cancel, told } = await diskFailsUnderCancel(NO);
    expect(told).toContain('refused: not allowed');
    await time.advance(30_000);
    expect(broker.cancels).toHaveLength(1);
    expect(await cancel()).toEqual({ settled: false, onDisk: false });
    expect(broker.cancels).toHaveLength(2);
  });

  it.each([LOST, BUSY, NOT_LEFT])(
    'is kept once the disk has space, until the row says that the order has ended: $kind',
    async (first) => {
      const { time, broker, gateway, id, row, disk } = await diskFailsUnderCancel(first);
      broker.cancel = () => LOST;
      await time.advance(20_000);
      disk.heal();
      await time.advance(5_000);
      expect(isCancelWanted(gateway.order(id))).toBe(true);
      const before = broker.cancels.length;
      await time.advance(60_000);
      expect(broker.cancels.length).toBeGreaterThan(before);
      broker.rows = [{ ...row, status: 'cancelled', rawStatus: 'CANCELLED' }];
      await time.advance(5_000);
      const atEnd = broker.cancels.length;
      await time.advance(120_000);
      expect([statusOf(gateway.order(id)), broker.cancels.length]).toEqual(['cancelled', atEnd]);
    },
  );

  it('of a kept cancel does not end the repeats', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    broker.cancel = () => LOST;
    const disk = failingDatabase(openDatabase(':memory:'));
    const gateway = await tradingWith(time, [broker], disk.database);
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await gateway.cancel(id);
    await time.advance(2_000);
    const before = broker.cancels.length;
    // The next cancel is written, and its outcome is not.
    disk.failAfterNext();
    await time.advance(60_000);
    expect(broker.cancels.length).toBeGreaterThan(before + 2);
  });
});
