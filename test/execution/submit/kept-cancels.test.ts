import { describe, expect, it } from 'vitest';
import { refused, uncertain, type Outcome } from '../../../src/domain/outcome.ts';
import { bindingOf, isCancelWanted, statusOf } from '../../../src/execution/order/order.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const lost = uncertain({ kind: 'transport', message: 'no answer' });

async function setUp(tagging: 'always' | 'never' = 'always') {
  const time = midday();
  const broker = lyingBroker(time, { tagging });
  const gateway = await tradingWith(time, [broker]);
  const resolve = (id: string, brokerOrderId: string | null) => {
    const said =
      brokerOrderId === null
        ? ({ kind: 'absent' } as const)
        : ({ kind: 'placed', brokerOrderId } as const);
    return time.settle(gateway.execution.resolve(id, said, 'admin', null));
  };
  return { time, broker, gateway, resolve };
}

/** An order whose answer was lost, with a cancel that is kept until it is found. */
async function keptCancel(tagging: 'always' | 'never' = 'always') {
  const rig = await setUp(tagging);
  rig.broker.place = () => lost;
  const { id } = await rig.gateway.place();
  await rig.gateway.cancel(id);
  expect(rig.broker.cancels).toEqual([]);
  return { ...rig, id };
}

describe('a kept cancel is sent', () => {
  it('under the right id, where the acknowledged one was refused before a book showed any', async () => {
    const { time, broker, gateway } = await setUp();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'wrong' });
    const none = refused('other', 'there is no such order');
    broker.cancel = (id) => (id === 'wrong' ? none : { kind: 'acknowledged', brokerOrderId: id });
    const { id } = await gateway.place();
    const { order } = await gateway.cancel(id);
    expect([statusOf(order), isCancelWanted(order)]).toEqual(['working', true]);
    broker.rows = [rowAt(time, { brokerOrderId: 'right', tags: [broker.placed[0]!.tag] })];
    await time.advance(20_000);
    expect(broker.cancels).toContain('right');
  });

  it.each([false, true])(
    'when a person says which row a disputed order is (restarted before: %s)',
    async (restarted) => {
      const { time, broker, gateway, resolve, id } = await keptCancel('never');
      broker.rows = [rowAt(time), rowAt(time, { brokerOrderId: 'b2' })];
      await time.advance(5_000);
      expect(statusOf(gateway.order(id))).toBe('disputed');
      if (restarted) await gateway.restart();
      await resolve(id, 'b2');
      if (restarted) await gateway.restart();
      await time.advance(5_000);
      expect(broker.cancels).toEqual(['b2']);
    },
  );

  it.each([false, true])(
    'when the row of an order turns up that a person had called absent (restarted before: %s)',
    async (restarted) => {
      const { time, broker, gateway, resolve, id } = await keptCancel();
      await resolve(id, null);
      expect(statusOf(gateway.order(id))).toBe('rejected');
      if (restarted) await gateway.restart();
      broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
      await time.advance(70_000);
      expect(bindingOf(gateway.order(id))?.by).toBe('tag');
      // The row stays open, so it is cancelled more than once.
      expect(new Set(broker.cancels)).toEqual(new Set(['b1']));
    },
  );

  it('when the row of an order turns up whose request was refused', async () => {
    const { time, broker, gateway } = await setUp();
    let answer = (_outcome: Outcome): void => undefined;
    broker.place = () => new Promise((settle) => (answer = settle));
    const placing = gateway.execution.place(gateway.commandOf());
    await time.advance(10);
    const [id = ''] = gateway.execution.state.orders.keys();
    await gateway.cancel(id);
    answer(refused('other', 'no margin'));
    await time.settle(placing);
    expect(statusOf(gateway.order(id))).toBe('rejected');
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
    await time.advance(5_000);
    expect(broker.cancels).toEqual(['b1']);
  });
});

describe('a cancel that went to a row which is not the order’s', () => {
  /** Acknowledged with an id that is not its own, and cancelled before a book has shown that. */
  async function cancelledElsewhere(cancel?: () => Outcome | Promise<Outcome>) {
    const rig = await setUp();
    rig.broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'wrong' });
    rig.broker.isReadable = false;
    await rig.gateway.restart();
    rig.broker.isReadable = true;
    await rig.time.settle(rig.gateway.execution.poller('alt')!.read(rig.time.elapsed()));
    const { id } = await rig.gateway.place();
    rig.broker.isReadable = false;
    if (cancel) rig.broker.cancel = cancel;
    const cancelling = rig.gateway.execution.amend(id, null, null);
    await rig.time.advance(1_100);
    expect(rig.broker.cancels).toEqual(['wrong']);
    return { ...rig, id, cancelling, tag: rig.broker.placed[0]!.tag };
  }

  it('is sent to the row with the order’s tag', async () => {
    const { time, broker, gateway, id, tag } = await cancelledElsewhere();
    broker.isReadable = true;
    broker.rows = [rowAt(time, { brokerOrderId: 'own', tags: [tag] })];
    await time.advance(10_000);
    expect(bindingOf(gateway.order(id))?.brokerOrderId).toBe('own');
    expect(broker.cancels).toEqual(['wrong', 'own']);
  });

  it('is sent to the row that a person names', async () => {
    const { time, broker, gateway, resolve, id } = await cancelledElsewhere();
    broker.isReadable = true;
    const wrong = rowAt(time, { brokerOrderId: 'wrong', side: 'SELL', tags: [] });
    broker.rows = [wrong, rowAt(time, { brokerOrderId: 'own' })];
    await time.advance(10_000);
    expect(statusOf(gateway.order(id))).toBe('disputed');
    await resolve(id, 'own');
    await time.advance(5_000);
    expect(broker.cancels).toEqual(['wrong', 'own']);
  });

  it.each([
    ['acknowledged', { kind: 'acknowledged', brokerOrderId: 'wrong' } as const],
    ['refused', refused('other', 'it is over')],
  ])('is sent again though the answer to it, %s, comes later', async (_, outcome: Outcome) => {
    let answer = (_outcome: Outcome): void => undefined;
    const slow = (): Promise<Outcome> => new Promise((settle) => (answer = settle));
    const { time, broker, tag, cancelling } = await cancelledElsewhere(slow);
    broker.isReadable = true;
    broker.rows = [rowAt(time, { brokerOrderId: 'own', tags: [tag] })];
    await time.advance(5_000);
    broker.cancel = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId });
    answer(outcome);
    expect(statusOf((await time.settle(cancelling)).order)).toBe('working');
    await time.advance(5_000);
    expect(broker.cancels).toEqual(['wrong', 'own']);
  });
});

describe('a kept cancel that is refused for good', () => {
  it('is told by an alert, and under its key', async () => {
    const { time, broker, gateway } = await setUp();
    const key = { caller: 'caller', idempotencyKey: 'cancel-1' };
    broker.place = () => lost;
    broker.cancel = () => refused('other', 'not in this session');
    const { id } = await gateway.place();
    await time.settle(gateway.execution.amend(id, null, key));
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(10_000);
    expect([statusOf(gateway.order(id)), broker.cancels]).toEqual(['working', ['b1']]);
    expect(gateway.alerts().map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`the cancel of order ${id} was refused (not in this session)`),
    );
    const again = gateway.execution.amend(id, null, key);
    await expect(time.settle(again)).rejects.toMatchObject({ fields: { code: 'change_refused' } });
    expect(broker.cancels).toEqual(['b1']);
  });
});

describe('a cancel that is acknowledged while the row of its order stays open', () => {
  it('is sent again after ten seconds at the earliest, until the row says that the order has ended', async () => {
    const { time, broker, gateway } = await setUp();
    const sentAt: number[] = [];
    broker.cancel = (brokerOrderId) => {
      sentAt.push(time.elapsed());
      return { kind: 'acknowledged', brokerOrderId };
    };
    const { id } = await gateway.place();
    const row = rowAt(time, { tags: [broker.placed[0]!.tag] });
    broker.rows = [row];
    await time.advance(2_000);
    await gateway.cancel(id);
    await time.advance(35_000);
    const pauses = sentAt.slice(1).map((at, place) => at - sentAt[place]!);
    expect(pauses.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10_000);
    broker.rows = [{ ...row, status: 'cancelled', rawStatus: 'CANCELLED' }];
    await time.advance(2_000);
    const before = sentAt.length;
    await time.advance(120_000);
    expect([statusOf(gateway.order(id)), sentAt.length]).toEqual(['cancelled', before]);
  });
});

describe('a kept cancel that nothing comes of', () => {
  /** The cancels of a working order, from midday on, whose answers are all lost. */
  async function repeated() {
    const { time, broker, gateway } = await setUp();
    broker.cancel = () => lost;
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await gateway.cancel(id);
    return { time, sent: () => broker.cancels.length };
  }

  it('is sent again soon after the clock was set back by an hour', async () => {
    const { time, sent } = await repeated();
    await time.advance(30_000);
    const before = sent();
    time.stepWall(-3_600_000);
    await time.advance(90_000);
    expect(sent()).toBeGreaterThan(before);
  });

  it('is sent every five minutes after sixty requests, while the market is open', async () => {
    const { time, sent } = await repeated();
    await time.advance(70 * 60_000);
    const before = sent();
    expect(before).toBeGreaterThanOrEqual(60);
    await time.advance(60 * 60_000);
    expect([11, 12, 13]).toContain(sent() - before);
  });

  it('leaves the requests of a day to other orders', async () => {
    const { time, sent } = await repeated();
    await time.advance(12 * 3_600_000);
    expect(sent()).toBeLessThan(140);
  });
});
