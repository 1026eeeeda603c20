import type { PlaceAttempt } from '../../domain/order.ts';
import { notSent, uncertain, type NotSent, type Outcome } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Quote } from '../../domain/quote.ts';
import { CommitError } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import { decideCancel, decideModify, decidePlace } from './ledger.ts';
import type { MarketWatch } from './market-watch.ts';
import type { Ledger } from './open-ledger.ts';
import type { Prices } from './prices.ts';
import { createLedgerRows, newRow, newTrade } from './rows.ts';
import type { LedgerRules } from './match-order.ts';

export interface TradingParts {
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly watch: MarketWatch;
  readonly rules: LedgerRules;
}

/**
 * Orders of the paper account (docs/spec/paper.md). An order is on disk before it is acknowledged.
 * The same attempt, or the same tag, places one order however often it is sent.
 */
export function createPaperTrading({ ledger, prices, watch, rules }: TradingParts): Trading {
  const rows = createLedgerRows();
  const blocked = (): NotSent | null =>
    ledger.isClosed() ? notSent('closing', 'the paper account is closed') : null;

  /** For a request that needs a price first: the account may close while the request waits. */
  async function priced(
    { instrument, mayLeave }: Pick<PlaceAttempt, 'instrument' | 'mayLeave'>,
    decide: (quote: Quote | null) => Promise<Outcome>,
  ): Promise<Outcome> {
    return settled(async () => {
      const quote = await prices.quote(instrument);
      if (mayLeave?.() === false) return notSent('held_back', 'it was kept back');
      return blocked() ?? decide(quote);
    });
  }

  async function settled(request: () => Promise<Outcome>): Promise<Outcome> {
    const shut = blocked();
    if (shut !== null) return shut;
    try {
      const outcome = await request();
      watch.wake();
      return outcome;
    } catch (error) {
      const message = messageOf(error);
      // A commit that was refused left nothing on disk; for any other error, that is not known.
      if (error instanceof CommitError) return notSent('journal', message);
      return uncertain({ kind: 'transport', message });
    }
  }

  return {
    broker: 'paper',
    mode: 'paper',
    isLocal: true,
    needsPrices: true,
    tagging: 'always',
    blocked,
    permit: () => Promise.resolve(blocked()),
    place: (attempt) =>
      priced(attempt, (quote) => {
        const earlier = ledger.placed(attempt.attemptId, attempt.tag);
        return ledger.submit((state) =>
          decidePlace(state, { attempt, earlier, quote, now: ledger.now() }, rules),
        );
      }),
    cancel: (attempt) =>
      settled(() => ledger.submit((state) => decideCancel(state, attempt, ledger.now()))),
    modify: (attempt) =>
      priced(attempt, (quote) =>
        ledger.submit((state) => decideModify(state, { attempt, quote, now: ledger.now() }, rules)),
      ),
    orderBook: () => ledger.read(rows.book),
    trades: () => ledger.read(rows.trades),
    async bookOf(day) {
      // Orders whose session has ended since expire first.
      const now = await ledger.read((_state, at) => at);
      const orders = ledger.ordersOf(day);
      return {
        rows: orders.map(({ order }) => newRow(order, now)),
        fills: orders.flatMap(({ order, fills }) => fills.map((fill) => newTrade(fill, order))),
      };
    },
  };
}
