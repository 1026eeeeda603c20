import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../../src/domain/order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { accountWith, EXIT, settled } from '../support/exit-account.ts';
import { type LyingBroker, rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};

/** A resting sale of ten of the ten that are held; its row shows what the book showed at first. */
async function restingSale(prepare: (broker: LyingBroker) => void = () => undefined) {
  const account = await accountWith(
    (broker) => {
      broker.positions = [position({ quantity: 10 })];
      prepare(broker);
    },
    { tagging: 'never', isEngaged: false },
  );
  const { time, broker, gateway } = account;
  const resting = { ...EXIT, orderType: 'LIMIT', price: 1_600 } as const;
  const { id } = await gateway.place(resting);
  const row = rowAt(time, { ...resting, quantity: 10 });
  broker.rows = [row];
  await time.advance(2_000);
  const change = async (changes: Partial<OrderModification>): Promise<string> =>
    settled(
      time,
      gateway.execution.amend(id, { ...NOTHING, ...changes }, null).then(
        () => 'sent',
        (error: { fields?: { code: string } }) => error.fields?.code ?? String(error),
      ),
    );
  const engage = () =>
    time.settle(
      gateway.execution.setKillSwitch({ engaged: true, reason: null, changedBy: 'someone' }),
    );
  /** The terms that the last request repeated for a broker that requires all. */
  const repeated = () => broker.modified.at(-1)?.terms;
  return { ...account, row, change, engage, repeated };
}

describe('under the kill switch, while the book lags behind a change', () => {
  it('a quantity that was lowered is not raised again', async () => {
    const { broker, change, engage } = await restingSale();
    await engage();
    expect(await change({ quantity: 5 })).toBe('sent');
    expect(await change({ quantity: 10 })).toBe('kill_switch');
    expect(await change({ quantity: 6 })).toBe('kill_switch');
    expect(await change({ quantity: 4 })).toBe('sent');
    expect(broker.modified).toHaveLength(2);
  });

  it('nor where it is not known whether the lowering was taken', async () => {
    const { broker, change, engage } = await restingSale();
    await engage();
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    expect(await change({ quantity: 5 })).toBe('sent');
    expect(await change({ quantity: 10 })).toBe('kill_switch');
  });

  it('nor to what a later request raised it to, where the lowering may hold', async () => {
    const { broker, change, engage } = await restingSale();
    const { modify } = broker;
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    expect(await change({ quantity: 5 })).toBe('sent');
    broker.modify = modify;
    expect(await change({ quantity: 8 })).toBe('sent');
    await engage();
    expect(await change({ quantity: 8 })).toBe('kill_switch');
    expect(await change({ quantity: 5 })).toBe('sent');
  });

  it('a change of the price alone repeats the lowest quantity', async () => {
    const { broker, change, engage, repeated } = await restingSale();
    await engage();
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    await change({ quantity: 5 });
    expect(await change({ price: 1_590 })).toBe('sent');
    expect(repeated()).toMatchObject({ quantity: 5 });
  });

  it('a change of the price alone repeats the lowest quantity also where a later request raised it', async () => {
    const { broker, change, engage, repeated } = await restingSale();
    const { modify } = broker;
    broker.modify = () => uncertain({ kind: 'transport', message: 'no answer' });
    await change({ quantity: 5 });
    broker.modify = modify;
    await change({ quantity: 8 });
    await engage();
    expect(await change({ price: 1_590 })).toBe('sent');
    expect(repeated()).toMatchObject({ quantity: 5 });
  });

  it('a quantity that was raised before counts once the row shows it', async () => {
    const { time, broker, row, change, engage } = await restingSale();
    await change({ quantity: 5 });
    await change({ quantity: 8 });
    broker.rows = [{ ...row, quantity: 8 }];
    await time.advance(2_000);
    await engage();
    expect(await change({ quantity: 8 })).toBe('sent');
    expect(await change({ quantity: 9 })).toBe('kill_switch');
  });
});

describe('a change of one field, sent to a broker that requires all', () => {
  it('repeats the quantity that was asked for, not that of a book that lags', async () => {
    const { change, repeated } = await restingSale();
    await change({ quantity: 5 });
    await change({ price: 1_590 });
    expect(repeated()).toMatchObject({ quantity: 5, price: 1_600 });
    await change({ quantity: 4 });
    expect(repeated()).toMatchObject({ price: 1_590 });
  });

  it('repeats what a person has changed in the app since', async () => {
    const { time, broker, row, change, repeated } = await restingSale();
    await change({ quantity: 5 });
    await time.advance(20_000);
    broker.rows = [{ ...row, quantity: 7, updatedAt: time.now() }];
    await time.advance(2_000);
    await change({ price: 1_590 });
    expect(repeated()).toMatchObject({ quantity: 7 });
  });
});
