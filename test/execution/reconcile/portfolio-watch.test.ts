import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src/domain/portfolio.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import { createPortfolioWatch } from '../../../src/execution/reconcile/portfolio-watch.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { lyingBroker, midday } from '../support/lying-broker.ts';
import { position, stateOf } from '../support/makers.ts';
import { watchedBook } from '../support/watched-book.ts';

/** An account whose reads end when the test says so, each with the positions that it is then given. */
function answeredLater() {
  const time = midday();
  const state = stateOf();
  const { trading } = lyingBroker(time);
  const reads: { readonly end: (quantity: number) => void; readonly fail: () => void }[] = [];
  const accounts: string[] = [];
  const watch = createPortfolioWatch({
    trading: {
      ...trading,
      account: () => Promise.resolve(accounts[reads.length] ?? null),
    } satisfies Trading,
    account: {
      broker: 'alt',
      positions: () =>
        new Promise<readonly Position[]>((resolve, reject) => {
          reads.push({
            end: (quantity) => resolve([position({ quantity })]),
            fail: () => reject(new Error('it cannot be read')),
          });
        }),
      holdings: () => Promise.resolve([]),
      funds: () => Promise.reject(new Error('not asked')),
      profile: () => Promise.reject(new Error('not asked')),
    },
    writer: watchedBook(time, state, trading).writer,
    ...{ clock: time, scheduler: time, log: silentLog },
    loadInstruments: () => Promise.resolve(),
  });
  const held = () => state.portfolios.get('alt')?.positions.map(({ quantity }) => quantity);
  /** Two reads: the second one began later, since the first one takes long. */
  async function twoReads() {
    const first = watch.read(time.elapsed());
    await time.advance(1_000);
    const second = watch.read(time.elapsed());
    await time.advance(1);
    const both = [first, second].map((read) => read.then(String, String));
    const [older, newer] = reads;
    if (!older || !newer) throw new Error('there are no two reads');
    return { older, newer, both: () => time.settle(Promise.all(both)) };
  }
  return { time, watch, held, accounts, twoReads };
}

describe('two reads of an account of which the older one ends last', () => {
  it('leave what the newer one has shown, and whose it was', async () => {
    const { time, watch, held, accounts, twoReads } = answeredLater();
    accounts.push('before', 'after');
    const { older, newer, both } = await twoReads();
    newer.end(10);
    await time.advance(1);
    const begun = watch.readBegun();
    older.end(20);
    await both();
    expect([held(), watch.accountRead(), watch.readBegun()]).toEqual([[10], 'after', begun]);
  });

  it('leave what the older one has shown where the newer one has failed', async () => {
    const { time, held, twoReads } = answeredLater();
    const { older, newer, both } = await twoReads();
    newer.fail();
    await time.advance(1);
    older.end(20);
    await both();
    expect(held()).toEqual([20]);
  });
});
