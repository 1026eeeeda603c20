import type { OrderModification, OrderRequest } from '../../../src/domain/order.ts';
import { accountWith, EXIT, settled } from './exit-account.ts';
import { type LyingBroker, rowAt } from './lying-broker.ts';
import { position } from './makers.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};

/** A resting order beside ten shares that are held; its row shows what the book showed at first. */
export async function restingOrder(
  side: 'BUY' | 'SELL',
  prepare: (broker: LyingBroker) => void = () => undefined,
  terms: Partial<OrderRequest> = {},
) {
  const account = await accountWith(
    (broker) => {
      broker.positions = [position({ quantity: 10 })];
      prepare(broker);
    },
    { tagging: 'never', isEngaged: false },
  );
  const { time, broker, gateway } = account;
  const resting = { ...EXIT, side, orderType: 'LIMIT', price: 1_600, ...terms } as const;
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
  return { ...account, id, row, change, engage, repeated };
}
