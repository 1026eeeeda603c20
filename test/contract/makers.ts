import { createPaperBroker } from '../../src/adapters/paper/index.ts';
import type { Broker } from '../../src/domain/ports.ts';
import { asMarketData, createMarketDataRoute } from '../../src/market-data/market-data-route.ts';
import { createQuoteCache } from '../../src/market-data/quote-cache.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { silentLog } from '../../src/platform/log.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { attemptFor } from './orders.ts';
import type { Spoilt } from './network-troubles.ts';
import type { BrokerUnderTest } from './under-test.ts';
import { createContractWorld, type ContractWorld } from './world.ts';

const nothing = async (): Promise<void> => undefined;

export async function makeAlt(): Promise<BrokerUnderTest> {
  const world = await createContractWorld();
  return remote(world, world.alt, () => world.sandbox.kite.orders().length);
}

export async function makePrimary(): Promise<BrokerUnderTest> {
  const world = await createContractWorld();
  return remote(world, world.primary, () => world.sandbox.primary.orders().length);
}

/** With the tag sent as `remarks`, at a brokerage that hands them back. */
export async function makePrimaryWithRemarks(): Promise<BrokerUnderTest> {
  const world = await createContractWorld({ remarks: true });
  return remote(world, world.primary, () => world.sandbox.primary.orders().length);
}

function remote(world: ContractWorld, broker: Broker, ordersTaken: () => number): Spoilt {
  return {
    ...world,
    faults: world.sandbox.faults,
    broker,
    trading: broker.trading!,
    account: broker.account!,
    ordersTaken,
    // The sandbox's accounts open with some.
    holdShares: nothing,
    loseToken: world.loseTokens,
    [Symbol.asyncDispose]: nothing,
  };
}

/** The paper account, and the two things that can happen to it: its disk, and its prices. */
export interface PaperUnderTest extends BrokerUnderTest {
  /** From now on nothing is written. */
  fillDisk(): void;
  /** From now on no broker gives a price. */
  losePrices(): void;
}

export async function makePaper(): Promise<PaperUnderTest> {
  const world = await createContractWorld();
  const { time, directory, infosys } = world;
  const disk = failingDatabase(openDatabase(':memory:'));
  const cache = createQuoteCache(world.primary.marketData!, time, time);
  const route = createMarketDataRoute();
  const broker = await createPaperBroker({
    database: disk.database,
    clock: time,
    scheduler: time,
    ids: systemIds,
    log: silentLog,
    instruments: directory,
    marketData: asMarketData(route, () => [cache], 'paper'),
    settings: { cash: '1000000', brokerage: '20', fills: 'book', marketHours: 'exchange' },
  });
  const orders = disk.database.prepare('SELECT count(*) AS orders FROM paper_orders');
  return {
    broker,
    trading: broker.trading!,
    account: broker.account!,
    time,
    infosys,
    // What leaves is for prices: of the account itself, nothing does.
    sent: [],
    ordersTaken: () => Number(orders.get()?.orders),
    async holdShares() {
      await time.settle(broker.trading!.place(attemptFor(infosys, { quantity: 25 })));
      await time.advanceTo('2026-11-07T06:00:01+05:30');
    },
    loseToken: () => undefined,
    fillDisk: () => disk.fail(),
    losePrices: world.loseTokens,
    [Symbol.asyncDispose]: () => time.settle(Promise.resolve(broker[Symbol.asyncDispose]())),
  };
}
