import { BrokerError } from '../../src/domain/outcome.ts';
import type { BrokerUnderTest, Traits } from './under-test.ts';
import { allInstruments } from '../support/all-instruments.ts';

export type Read = readonly [name: string, call: (under: BrokerUnderTest) => Promise<unknown>];

const ALWAYS: readonly Read[] = [
  ['positions', (under) => under.account.positions()],
  ['holdings', (under) => under.account.holdings()],
  ['funds', (under) => under.account.funds()],
  ['profile', (under) => under.account.profile()],
  ['orderBook', (under) => under.trading.orderBook()],
  ['trades', (under) => under.trading.trades()],
];
const MARKET_DATA: readonly Read[] = [
  ['quotes', (under) => under.broker.marketData!.quotes([under.infosys])],
  ['lastPrices', (under) => under.broker.marketData!.lastPrices([under.infosys])],
];
const MASTER_LIST: readonly Read[] = [
  ['instruments', (under) => allInstruments(under.broker.instruments!)],
];

/** Every read that the broker has. */
export function readsOf({ marketData, masterList }: Traits): readonly Read[] {
  return [...ALWAYS, ...(marketData ? MARKET_DATA : []), ...(masterList ? MASTER_LIST : [])];
}

/** How a read ended, in words that a table of them can hold. */
export async function endOf(under: BrokerUnderTest, call: Read[1]): Promise<string> {
  try {
    const value = await under.time.settle(call(under));
    return `resolved with ${JSON.stringify(value)}`;
  } catch (error) {
    if (!(error instanceof BrokerError)) return `rejected with ${String(error)}`;
    return error.failure.kind === 'not_sent'
      ? `BrokerError not_sent/${error.failure.reason}`
      : 'BrokerError';
  }
}
