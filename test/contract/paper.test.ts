import { describeBroker } from './describe-broker.ts';
import { makePaper, type PaperUnderTest } from './makers.ts';
import type { BrokerUnderTest } from './under-test.ts';

const paper = (under: BrokerUnderTest): PaperUnderTest => under as PaperUnderTest;
const close = (under: BrokerUnderTest): Promise<void> =>
  Promise.resolve(under[Symbol.asyncDispose]());

/** No wire stands between the gateway and this one: it can lose its disk, its prices, its life. */
describeBroker('the paper account', {
  make: makePaper,
  marketData: false,
  masterList: false,
  remote: false,
  echoesTags: true,
  readTroubles: [
    { name: 'the account is closed', strike: close },
    {
      name: 'the turn of the day cannot be written',
      async strike(under) {
        paper(under).fillDisk();
        await under.time.advanceTo('2026-11-09T10:00:00+05:30');
      },
    },
  ],
  placingTroubles: [
    {
      name: 'the account is closed',
      strike: close,
      outcome: { kind: 'not_sent', cause: 'closing' },
      orders: 0,
    },
    {
      name: 'the disk is full',
      strike: (under) => paper(under).fillDisk(),
      outcome: { kind: 'not_sent', cause: 'journal' },
      orders: 0,
    },
    {
      name: 'no price can be had',
      strike: (under) => paper(under).losePrices(),
      outcome: { kind: 'refused', rejection: 'other' },
      orders: 0,
    },
  ],
});
