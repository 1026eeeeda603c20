import { Brokerage } from '../adapters/in-memory/brokerage.ts';
import { INFOSYS } from '../adapters/in-memory/market.ts';
import { inMemoryBroker } from '../adapters/in-memory/module.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { describeBroker } from './describe-broker.ts';
import type { BrokerUnderTest } from './under-test.ts';

interface InMemoryUnderTest extends BrokerUnderTest {
  readonly brokerage: Brokerage;
}

async function makeInMemory(): Promise<InMemoryUnderTest> {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const brokerage = new Brokerage(() => time.now());
  let token = brokerage.exchange(brokerage.approve());
  const broker = inMemoryBroker({
    name: 'in-memory',
    brokerage,
    ports: {
      clock: time,
      session: {
        accessToken: () => token,
        userId: () => null,
        tokenDied: () => (token = null),
        check: () => undefined,
      },
    },
  });
  return {
    brokerage,
    broker,
    trading: broker.trading!,
    account: broker.account!,
    time,
    infosys: INFOSYS,
    sent: [],
    ordersTaken: () => brokerage.orders().length,
    holdShares: async () => undefined,
    loseToken: () => (token = null),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const brokerageOf = (under: BrokerUnderTest): Brokerage => (under as InMemoryUnderTest).brokerage;

describeBroker('a broker that is not part of the gateway', {
  make: makeInMemory,
  marketData: true,
  masterList: true,
  remote: false,
  echoesTags: true,
  readTroubles: [
    { name: 'nobody is logged in', strike: (under) => under.loseToken() },
    {
      name: 'the brokerage has ended the session',
      strike: (under) => brokerageOf(under).end('token-1'),
    },
  ],
  placingTroubles: [
    {
      name: 'nobody is logged in',
      strike: (under) => under.loseToken(),
      outcome: { kind: 'not_sent', cause: 'token' },
      orders: 0,
    },
    {
      name: 'the reply is lost',
      strike(under) {
        brokerageOf(under).losesReplies = true;
      },
      outcome: { kind: 'uncertain' },
      orders: 1,
    },
  ],
});
