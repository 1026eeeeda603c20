import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { OrderModification } from '../../../src/domain/order.ts';
import { type Outcome, refused, uncertain } from '../../../src/domain/outcome.ts';
import type { AmendResult } from '../../../src/execution/submit/amend.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};
const LOST = uncertain({ kind: 'transport', message: 'no answer' });
const LISTED = refused('other', 'RMS: no');
const LIMIT = { orderType: 'LIMIT', price: 1_600 } as const;

/** A resting order whose broker does `made` to its row and answers a modification with `answer`. */
async function resting(answer: Outcome, made: Partial<BrokerOrder> | null) {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place(LIMIT);
  const row = rowAt(time, LIMIT);
  broker.rows = [row];
  await time.advance(30_000);
  broker.modify = () => {
    if (made !== null) broker.rows = [{ ...row, ...made }];
    return answer;
  };
  const change = (price: number): Promise<AmendResult> =>
    time.settle(gateway.execution.amend(id, { ...NOTHING, price }, null));
  return { time, broker, row, change };
}

describe('a modification that was refused', () => {
  it('is done where its row shows it at once, though nothing else of the row has changed', async () => {
    const { change } = await resting(LISTED, { price: 1_610 });
    expect(await change(1_610)).toMatchObject({ settled: true });
  });

  it('is refused where the row showed the same before', async () => {
    const { change } = await resting(LISTED, {});
    await expect(change(1_600)).rejects.toMatchObject({ fields: { code: 'change_refused' } });
  });

  it('is refused where the row is as it was', async () => {
    const { change } = await resting(LISTED, null);
    await expect(change(1_610)).rejects.toMatchObject({ fields: { code: 'change_refused' } });
  });

  it('is refused in listed words while the book cannot be read', async () => {
    const { broker, change } = await resting(LISTED, null);
    broker.isReadable = false;
    await expect(change(1_610)).rejects.toMatchObject({ fields: { code: 'change_refused' } });
  });
});

describe('a modification whose answer was lost', () => {
  it('is done once the row shows it', async () => {
    const { change } = await resting(LOST, { price: 1_610 });
    expect(await change(1_610)).toMatchObject({ settled: true });
  });

  it('is open while the row shows something else', async () => {
    const { change } = await resting(LOST, null);
    expect(await change(1_610)).toMatchObject({ settled: false });
  });

  it('is open while the row may lag behind an earlier one', async () => {
    const { time, broker, change } = await resting(
      { kind: 'acknowledged', brokerOrderId: 'b1' },
      null,
    );
    await change(1_610);
    broker.modify = () => LOST;
    // The row shows 1,600 still, and whether it has that again is not known.
    expect(await change(1_600)).toMatchObject({ settled: false });
    await time.advance(12_000);
    expect(await change(1_600)).toMatchObject({ settled: true });
  });
});
