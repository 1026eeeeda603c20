import { inProcessTransport } from '../../../sandbox/transport/in-process.ts';
import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import { createSandbox } from '../../../sandbox/kernel/sandbox.ts';
import { createPrimaryBroker } from '../../../src/adapters/primary/index.ts';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { CancelAttempt, ModifyAttempt, PlaceAttempt } from '../../../src/domain/order.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { createSandboxTransport } from '../../support/sandbox-transport.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { infosys, lookupOf } from './support.ts';

/** The broker as its factory builds it, over the sandbox, with NSE:INFY at ₹1,500. */
export function atTheSandbox() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const sandbox = createSandbox({
    clock: time,
    random: seededRandom('stop-orders'),
    market: 'exchange',
    kite: {
      apiKey: 'key',
      apiSecret: 'secret',
      userId: 'AB1234',
      origin: 'http://kite.test',
      redirectUrl: 'http://gateway.test/callback',
      postbackUrl: null,
    },
    primary: { accessToken: 'raw-token', clientId: '1', origin: 'http://primary.test' },
    post: () => undefined,
  });
  sandbox.exchange.setPrice('NSE:INFY', 150_000);
  const transport = createSandboxTransport(inProcessTransport(sandbox, time), time);
  const { trading } = createPrimaryBroker({
    knownDerivative: () => Promise.resolve(null),
    transport,
    clock: time,
    scheduler: time,
    log: silentLog,
    instruments: lookupOf([infosys]),
    accessToken: () => 'raw-token',
    settings: { baseUrl: 'http://primary.test', remarks: false, extraTerminalStatuses: [] },
  });
  return {
    time,
    sandbox,
    sent: transport.sent,
    place: (attempt: PlaceAttempt) => time.settle(trading!.place(attempt)),
    cancel: (attempt: CancelAttempt) => time.settle(trading!.cancel(attempt)),
    modify: (attempt: ModifyAttempt) => time.settle(trading!.modify(attempt)),
    trades: () => time.settle(trading!.trades()),
    async row(brokerOrderId: string): Promise<BrokerOrder> {
      const rows = await time.settle(trading!.orderBook());
      const row = rows.find((each) => each.brokerOrderId === brokerOrderId);
      if (!row) throw new Error(`the book has no order ${brokerOrderId}`);
      return row;
    },
  };
}
