import type { BrokerId } from '../domain/broker.ts';
import type { Instrument, InstrumentLookup } from '../domain/instrument.ts';
import { tradingDay } from '../domain/ist.ts';
import type { OrderModification } from '../domain/order.ts';
import type { PostbackHint } from '../domain/postback.ts';
import type { KeyBrakes, OrderLimits } from '../domain/order-limits.ts';
import type { SignalJournal } from '../domain/signal.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { DiskSpace } from '../platform/disk-reserve.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { type OrderId, plus, type TradingDay } from '../units/branded.ts';
import { type BookReads, bookReads } from './books/books-of-state.ts';
import { createDayBooks, type DayBookReads } from './books/day-book.ts';
import type { Closings } from './closings/closings.ts';
import type { BasketCommand, BasketResult } from './baskets/basket.ts';
import type { CancelAllResult } from './cancel-all/cancel-all.ts';
import type { CancelAllCommand } from './cancel-all/cancel-command.ts';
import type { ExternalChanges } from './external/change-external.ts';
import type { ExitParts, ExitSettings } from './exits/exit-parts.ts';
import type { Exits } from './exits/exits.ts';
import { countEarlierRequests } from './submit/earlier-requests.ts';
import { type HistoryReads, historyReads } from './history-reads.ts';
import { createStalls } from './journal/stalls.ts';
import { createCommitRetry } from './journal/commit-retry.ts';
import type { Journal } from './journal/journal.ts';
import { openJournal } from './journal/open-journal.ts';
import { watchDisk } from './journal/disk-watch.ts';
import { createPostbackInbox } from './journal/postback-inbox.ts';
import type { ExecutionState, OnImpossible } from './journal/state.ts';
import type { BookPoller, PollerSettings } from './reconcile/book-poller.ts';
import { createKeyLosses, type StopKey } from './loss/key-loss.ts';
import { createLossWatches, type DailyLosses, type QuotesOf } from './loss/loss-watches.ts';
import { createBrokerWatches, type ExecutionBroker } from './reconcile/broker-watches.ts';
import { type AccountCalls, accountCalls } from './reconcile/known-derivative.ts';
import type { UnreadBook } from './reconcile/unread-book.ts';
import { createOrderMoves, type OnOrderMoved } from './order-moves.ts';
import { createSignalJournal } from './signals/signal-journal.ts';
import { createAmend, type AmendResult } from './submit/amend.ts';
import type { AmendmentKey } from './submit/amendment-keys.ts';
import { createChanged } from './submit/prepare.ts';
import { createKillSwitch, type KillSwitch } from './submit/kill-switch.ts';
import type { KillSwitchCommand } from './submit/brakes.ts';
import { limitsInUse, type LimitsInUse } from './submit/limits-in-use.ts';
import {
  closingProblem,
  type OnOrderTimes,
  type PlaceCommand,
  type PlaceResult,
} from './submit/place-command.ts';
import { createPastAmendments } from './submit/past-amendments.ts';
import { createResolve, type Resolve } from './submit/resolve-order.ts';
import { createSendKeptCancel } from './submit/send-kept-cancel.ts';
import type { Submit } from './submit/submit.ts';
import { createTriggers, type TriggerExecution } from './triggers/triggers.ts';
import { type NoteCalls, noteCalls } from './notes.ts';
import { createPlacings } from './placings.ts';
import { createWaysOut, createWorkUnderWay, type WorkUnderWay } from './ways-out.ts';

export type { ExecutionBroker } from './reconcile/broker-watches.ts';

export interface ExecutionParts {
  readonly journal: Journal;
  /** How much space the disk of the journal has. */
  readonly lookAtDisk: () => DiskSpace;
  readonly brokers: readonly ExecutionBroker[];
  readonly instruments: InstrumentLookup;
  /** Loads the instrument lists, if they are not there; resolves also when they cannot be had. */
  readonly loadInstruments: () => Promise<void>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  /** `throw` in tests and in the simulation; `dispute` where real orders must go on. */
  readonly onImpossible: OnImpossible;
  /** The last known price, rupees; null where none is known. Never rejects. */
  readonly lastPrice: (instrument: Instrument) => Promise<number | null>;
  readonly quotes: QuotesOf;
  readonly onTimes?: OnOrderTimes;
  /** See ExitParts. */
  readonly quoteOf: ExitParts['quoteOf'];
  readonly settings: PollerSettings & {
    readonly freezeQuantities: ReadonlyMap<string, number>;
    readonly limits: OrderLimits;
    /** Rupees; null for none. */
    readonly maxDailyLoss: number | null;
    /** Whether that closes the intraday positions of the account. */
    readonly closeOnDailyLoss: boolean;
    readonly exits: ExitSettings;
  };
}

/** The life of orders, whichever brokers there are. */
export interface Execution
  extends AsyncDisposable, HistoryReads, DayBookReads, NoteCalls, AccountCalls {
  /** Read only: changed by committed decisions alone. */
  readonly state: ExecutionState;
  place(command: PlaceCommand): Promise<PlaceResult>;
  /** Places many orders once all have passed the checks; never rejects with a problem of one of them. */
  placeBasket(command: BasketCommand): Promise<BasketResult>;
  /** See Submit. */
  readonly repeated: Submit['repeated'];
  readonly madeUnder: Submit['madeUnder'];
  /** Keeps the journal open until some work of a call has ended: it may wait for another call under its key. */
  readonly track: WorkUnderWay['track'];
  /** `changes` null cancels. Resolves with the order as it stands after the broker's row was read. */
  amend(
    orderId: OrderId,
    changes: OrderModification | null,
    key: AmendmentKey | null,
    by?: string,
  ): Promise<AmendResult>;
  /** Cancels or modifies an order placed elsewhere. */
  readonly changeExternal: ExternalChanges['changeExternal'];
  /** Cancels many orders, each for itself. Resolves after ten seconds at most; the rest goes on. */
  cancelAll(command: CancelAllCommand): Promise<CancelAllResult>;
  /** `by` is the caller who says what became of the order. */
  readonly resolve: Resolve;
  /** Ways out of positions. */
  readonly exits: Omit<Exits, 'resume' | 'whenDone'>;
  /** Triggers, at brokers where they are not orders. */
  readonly triggers: TriggerExecution;
  readonly signals: SignalJournal;
  readonly onOrderMoved: OnOrderMoved;
  /** Closings of many positions. */
  readonly closings: Pick<Closings, 'begin' | 'cancel' | 'underKey' | 'closing' | 'closingsOn'>;
  killSwitch(): KillSwitch | null;
  setKillSwitch(command: KillSwitchCommand): Promise<KillSwitch>;
  limitsInUse(): LimitsInUse;
  /** What stops the orders of single keys, by caller, in place of what was said before. */
  setKeyBrakes(keys: ReadonlyMap<string, KeyBrakes>): void;
  /** What the orders of each key have bought and sold. */
  readonly books: BookReads;
  /** Begins to watch the daily loss of each key that has a limit on it. */
  watchKeyLosses(stop: StopKey): void;
  /** Null without a limit on it. */
  dailyLoss(): DailyLosses | null;
  /** Resolves once the hint is in the inbox; the order is then read again. */
  postback(hint: PostbackHint): Promise<'accepted' | 'repeated'>;
  poller(broker: BrokerId): BookPoller | null;
  /** Brokers with open orders whose book has not been read whole since the start. */
  recovering(): readonly BrokerId[];
  /** Books that have not been read for a while although orders in them are open. */
  unreadBooks(): readonly UnreadBook[];
  /** A broker's session has changed: what waited for it goes on. */
  wake(broker: BrokerId): void;
}

const DAYS_IN_MEMORY_MS = 7 * 86_400_000;

/**
 * A week ago, or the day of the last order where that is earlier: a clock that is weeks ahead when the gateway starts
 * is set right later, and the book of that day needs all of its orders (docs/orders.md, "Of clocks").
 */
async function firstDayInMemory({
  journal,
  clock,
}: Pick<ExecutionParts, 'journal' | 'clock'>): Promise<TradingDay> {
  const week = tradingDay(plus(clock.now(), -DAYS_IN_MEMORY_MS));
  const last = await journal.lastOrderDay();
  return last !== null && last < week ? last : week;
}

/** Reads the journal, finds out what a crash left open, and starts watching. */
export async function createExecution(parts: ExecutionParts): Promise<Execution> {
  const { journal, clock, scheduler, log, settings } = parts;
  const loadedSince = await firstDayInMemory(parts);
  const stalls = createStalls(parts);
  const writer = await openJournal(parts, loadedSince, stalls);
  const { state } = writer;
  countEarlierRequests(parts, state);
  const changed = createChanged(scheduler);
  const commitRetry = createCommitRetry({
    writer,
    scheduler,
    log,
    onLate() {
      changed.notify();
      watches.wakeAll();
    },
  });
  const watches = createBrokerWatches({
    ...{ ...parts, writer, changed },
    sendKeptCancel: (orderId) => void cancelKept(orderId),
  });
  let closing = false;
  const disk = watchDisk({ ...parts, look: parts.lookAtDisk, writer, commitRetry });
  const writing = { writer, commitRetry, stalls, lookAtDisk: disk.look };
  const { accounts } = watches;
  const common = { ...parts, ...settings, ...writing, changed, accounts, closing: () => closing };
  const killSwitch = createKillSwitch({ writer, commitRetry, clock });
  const pollerOf = ({ broker }: { readonly broker: BrokerId }): BookPoller =>
    watches.pollerOf(broker);
  const { track, whenDone } = createWorkUnderWay();
  const { place, asked } = createPlacings({ ...common, pollerOf }, track);
  const resolve = createResolve({ writer, journal, clock, changed, poller: watches.poller });
  const past = createPastAmendments(state, journal);
  const { amend, repeatOnly } = createAmend({
    ...common,
    pollerFor: pollerOf,
    instrumentOf: (order): Instrument | null => parts.instruments.byName(order.terms.instrument),
  });
  const triggers = createTriggers({
    ...{ ...common, track, pollerOf },
    instrumentOf: (name) => parts.instruments.byName(name),
  });
  const { exits, closings, cancelAll, changeExternal } = createWaysOut(
    { ...common, triggers, poller: watches.poller },
    { exitSettings: settings.exits, track, place, amend },
  );
  const cancelKept = createSendKeptCancel({
    ...{ log, state },
    cancel: (id) => track(amend(id, null, null)),
  });
  for (const each of [watches, stalls, triggers]) each.start();
  for (const each of [exits, closings]) each.resume();
  const losses = createLossWatches({
    ...{ ...common, watches, engage: killSwitch.set, closings, track },
  });
  const keyLosses = createKeyLosses({ ...common, state });
  const history = historyReads({ state, journal, loadedSince });
  return {
    state,
    ...{ ...asked, track },
    async amend(orderId, changes, key, by) {
      if (!state.orders.has(orderId)) return past.amend(orderId, changes, key);
      if (closing) return track(repeatOnly(orderId, changes, key, closingProblem));
      return track(amend(orderId, changes, key, by));
    },
    ...{ changeExternal, cancelAll: (command) => track(cancelAll(command)) },
    async resolve(orderId, ...said) {
      return (state.orders.has(orderId) ? resolve : past.resolve)(orderId, ...said);
    },
    ...{ exits, closings, triggers, signals: createSignalJournal({ writer, journal, clock }) },
    ...{ killSwitch: killSwitch.read, setKillSwitch: killSwitch.set, books: bookReads(state) },
    ...{ dailyLoss: losses.state, watchKeyLosses: keyLosses.start },
    ...brakeCalls(state, settings.limits, clock),
    ...{ ...noteCalls(writer, clock), onOrderMoved: createOrderMoves(writer) },
    postback: createPostbackInbox({
      ...{ writer, journal, clock },
      wake: ({ broker }) => watches.poller(broker)?.told(),
    }),
    ...history,
    ...createDayBooks({ state, journal, loadedSince, ordersOn: history.ordersOn }),
    poller: watches.poller,
    ...{ recovering: watches.recovering, unreadBooks: watches.unread },
    wake(broker) {
      watches.wake(broker);
      triggers.wake(broker);
    },
    ...accountCalls({ ...parts, state, poller: watches.poller }),
    async [Symbol.asyncDispose]() {
      closing = true;
      for (const each of [losses, keyLosses]) each.stop();
      changed.notify();
      await Promise.all([closings.whenDone(), exits.whenDone()]);
      await whenDone();
      for (const each of [triggers, watches, disk, stalls, commitRetry]) each.stop();
      await writer.idle();
    },
  };
}

function brakeCalls(
  state: ExecutionState,
  limits: OrderLimits,
  clock: Clock,
): Pick<Execution, 'limitsInUse' | 'setKeyBrakes'> {
  return {
    limitsInUse: () => limitsInUse(state, limits, clock.now()),
    setKeyBrakes(keys) {
      state.keys.clear();
      for (const [caller, brakes] of keys) state.keys.set(caller, brakes);
    },
  };
}
