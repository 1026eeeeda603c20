import { describe } from 'vitest';
import { describeChanging } from './describe-changing.ts';
import { describePlacing } from './describe-placing.ts';
import { describePlacingTroubles } from './describe-placing-troubles.ts';
import { describePortfolio } from './describe-portfolio.ts';
import { describeQuotes } from './describe-quotes.ts';
import { describeReadTroubles } from './describe-read-troubles.ts';
import { describeToken } from './describe-token.ts';
import type { Traits } from './under-test.ts';

/** What the rest of the gateway relies on, whichever broker it is (src/domain/ports.ts). */
export function describeBroker(name: string, traits: Traits): void {
  describe(name, () => {
    describeQuotes(traits);
    describePortfolio(traits);
    describeReadTroubles(traits);
    describeToken(traits);
    describePlacing(traits);
    describeChanging(traits);
    describePlacingTroubles(traits);
  });
}
