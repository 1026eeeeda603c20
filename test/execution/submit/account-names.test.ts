import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../src/execution/order/order.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

/** An order that was sent in the session of U1, and the session's name after that. */
async function orderOfU1(nameLater: string) {
  const time = midday();
  const broker = lyingBroker(time);
  let account = 'U1';
  broker.trading.account = () => Promise.resolve(account);
  broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b1' });
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  const row = rowAt(time, { tags: [broker.placed[0]!.tag] });
  broker.rows = [row];
  await time.advance(3_000);
  account = nameLater;
  return { time, broker, gateway, id, row };
}

describe('an order whose account is called otherwise later', () => {
  it('is cancelled: the book of the session shows its row', async () => {
    const { broker, gateway, id } = await orderOfU1('C77');
    // The book is read again for that: what was read last was read under the other name.
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
  });

  it('is cancelled where only the case differs, without a further read', async () => {
    const { broker, gateway, id } = await orderOfU1('u1 ');
    broker.isReadable = false;
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
  });

  it.each<[string, (row: ReturnType<typeof rowAt>) => ReturnType<typeof rowAt>[]]>([
    ['does not show it', () => []],
    [
      'shows its id with another order’s tag',
      (row) => [{ ...row, tags: ['OTHERSOTHERSOTHERS12'] }],
    ],
  ])('is not cancelled where the book of the session %s', async (_what, rows) => {
    const { broker, gateway, id, row } = await orderOfU1('U2');
    broker.rows = rows(row);
    const reply = gateway.cancel(id);
    await expect(reply).rejects.toThrow(/of account U1.*U2.*does not show it: log in as U1/);
    expect(broker.cancels).toEqual([]);
  });
});

describe('an order that may go to one account alone', () => {
  it.each([
    ['U1', 'working'],
    ['u1 ', 'working'],
    ['C77', 'not_sent'],
  ])('where the session is of %s is %s', async (session, status) => {
    const time = midday();
    const broker = lyingBroker(time);
    broker.trading.account = () => Promise.resolve(session);
    const gateway = await tradingWith(time, [broker]);
    const placed = gateway.execution.place({ ...gateway.commandOf({}), account: 'U1' }).then(
      ({ order }) => statusOf(order),
      (error: unknown) => String(error),
    );
    const ended = await time.settle(placed);
    const isSent = broker.placed.length === 1;
    expect([ended.includes('is not of U1 any more') ? 'not_sent' : ended, isSent]).toEqual([
      status,
      status === 'working',
    ]);
  });
});
