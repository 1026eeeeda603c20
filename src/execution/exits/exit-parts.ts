import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument, InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import type { OrderTerms, Product } from '../../domain/order.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import type { ExitId, OrderId } from '../../units/branded.ts';
import type { DeleteExternal } from '../cancel-all/delete-external.ts';
import type { ExternalChange } from '../external/send-external.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { AmendResult } from '../submit/amend.ts';
import type { PlaceCommand, PlaceResult } from '../submit/place-command.ts';
import type { Changed } from '../submit/prepare.ts';
import type { TriggerExecution } from '../triggers/triggers.ts';
import type { ExitPriceSettings } from './exit-price.ts';
import type { ExitRecord, FilledBefore } from './exit.ts';

export interface ExitSettings extends ExitPriceSettings {
  /** How long a leg may rest before it is replaced at a new price, ms. */
  readonly restMs: number;
  /** How often a leg is placed, each time at a price further from the market. */
  readonly attempts: number;
  /** An option that nobody bids for: leave an order in the book at the lowest price. */
  readonly restWithoutBid: boolean;
}

/** What exits use of execution, and the one thing that they ask of the market. */
export interface ExitParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly journal: Journal;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  readonly changed: Changed;
  readonly accounts: Accounts;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly poller: (broker: BrokerId) => BookPoller | null;
  readonly place: (command: PlaceCommand) => Promise<PlaceResult>;
  /** `by` is the exit. */
  readonly cancel: (orderId: OrderId, by: ExitId) => Promise<AmendResult>;
  readonly cancelExternal: (cancel: ExternalChange) => Promise<Outcome>;
  /** Deletes a trigger placed elsewhere. */
  readonly deleteExternal: DeleteExternal;
  /** A quote at most a few seconds old; null where no broker has one. Never rejects. */
  readonly quoteOf: (instrument: Instrument) => Promise<Quote | null>;
  readonly freezeQuantities: ReadonlyMap<string, number>;
  /** Triggers that could trade once more what an exit has ended. */
  readonly triggers: Pick<TriggerExecution, 'watch' | 'change' | 'unexplained'>;
  readonly settings: ExitSettings;
  readonly closing: () => boolean;
}

/** What a caller asks for: a way out of a position, or of what a resting order was to sell or buy. */
export interface ExitCommand {
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  readonly trading: Trading;
  /** The broker that the caller has named; null or absent where the gateway chose it. */
  readonly askedBroker?: BrokerId | null;
  readonly instrument: InstrumentName;
  readonly product: Product;
  /** Shares or units; null for all. */
  readonly quantity: number | null;
  /** See ExitRecord. */
  readonly filledBefore?: FilledBefore;
  /** The resting order that the exit takes the place of; null where it is about the position. */
  readonly orderId: OrderId | null;
  /** Also cancels orders placed elsewhere that rest for the position; false when absent. */
  readonly cancelExternal?: boolean;
  /** The account whose position it is; that of the session when absent. */
  readonly account?: string | null;
}

/** What an exit's legs move, as an order's terms; of one share, where no quantity is asked about. */
export function sharesOf(exit: Pick<ExitRecord, 'instrument' | 'product' | 'side'>): OrderTerms {
  const { instrument, product, side } = exit;
  return {
    ...{ instrument, product, side, quantity: 1 },
    ...{ orderType: 'MARKET', validity: 'DAY', price: null, triggerPrice: null, amo: false },
  };
}
