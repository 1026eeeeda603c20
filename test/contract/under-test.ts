import type { Instrument } from '../../src/domain/instrument.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { Account, Broker, Trading } from '../../src/domain/ports.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { VirtualTime } from '../support/virtual-time.ts';

/** A broker as its real factory builds it, over a sandbox, with what a test needs to see behind it. */
export interface BrokerUnderTest extends AsyncDisposable {
  readonly broker: Broker;
  readonly trading: Trading;
  readonly account: Account;
  readonly time: VirtualTime;
  /** NSE:INFY, whose price stands at ₹1,500. */
  readonly infosys: Instrument;
  /** Every request that has left for the broker; none ever does for one without a network. */
  readonly sent: readonly HttpRequest[];
  /** Orders that the broker has, whatever it says. */
  ordersTaken(): number;
  /** Sees to it that the account holds shares that were delivered. */
  holdShares(): Promise<void>;
  /** The token is gone, as after 06:00; only where there is one. */
  loseToken(): void;
}

/** One thing that goes wrong, set off before a call. */
export interface Trouble {
  readonly name: string;
  readonly strike: (under: BrokerUnderTest) => Promise<void> | void;
}

export interface PlacingTrouble extends Trouble {
  readonly outcome: Partial<Outcome>;
  /** What the broker has a minute later. */
  readonly orders: 0 | 1;
}

/** What differs between brokers, said here and nowhere else. */
export interface Traits {
  readonly make: () => Promise<BrokerUnderTest>;
  readonly marketData: boolean;
  readonly masterList: boolean;
  /** Needs an access token, and reaches its broker over a network. */
  readonly remote: boolean;
  /** Whether rows of the book carry the tag that was sent. */
  readonly echoesTags: boolean;
  readonly readTroubles: readonly Trouble[];
  readonly placingTroubles: readonly PlacingTrouble[];
}
