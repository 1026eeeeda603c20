import type { OrderRequest } from '../../../src/domain/order.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import { statusOf } from '../../../src/execution/order/order.ts';
import type { VirtualTime } from '../../support/virtual-time.ts';
import { lyingBroker, type LyingBroker, midday, tradingWith } from './lying-broker.ts';

/** A sale of ten at whatever price. */
export const EXIT: Partial<OrderRequest> = { side: 'SELL', orderType: 'MARKET', price: null };

/** Logged in for a while, and with the kill switch engaged where asked for. */
export async function accountWith(
  prepare: (broker: LyingBroker) => void,
  {
    tagging = 'always' as Trading['tagging'],
    isEngaged = true,
    time = midday(),
    isReadable = true,
  } = {},
) {
  const broker = lyingBroker(time, { tagging });
  prepare(broker);
  broker.isReadable = isReadable;
  const gateway = await tradingWith(time, [broker]);
  gateway.execution.wake('alt');
  await time.advance(10_000);
  const change = { engaged: isEngaged, reason: null, changedBy: 'someone' };
  await time.settle(gateway.execution.setKillSwitch(change));
  return { time, broker, gateway };
}

/** The code of the problem that placing ends with; the status of the order where it ends with none. */
export async function tried(
  { gateway }: Awaited<ReturnType<typeof accountWith>>,
  request: Partial<OrderRequest> = EXIT,
  forcedBy: string | null = null,
): Promise<string> {
  const command = { ...gateway.commandOf(request), forcedBy };
  return gateway.execution.place(command).then(
    ({ order }) => statusOf(order),
    (error: { fields?: { code: string } }) => error.fields?.code ?? String(error),
  );
}

export const settled = async <T>(time: VirtualTime, work: Promise<T>): Promise<T> =>
  time.settle(work);
