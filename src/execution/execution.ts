import type { BrokerId } from '../domain/broker.ts';
import type { Instrument, InstrumentLookup } from '../domain/instrument.ts';
import { tradingDay } from '../domain/ist.ts';
import type { OrderModification } from '../domain/order.ts';
import type { Holding, Position } from '../domain/portfolio.ts';
import type { Account, PostbackHint, Trading } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { createSingleWriter } from '../platform/single-writer.ts';
import { messageOf } from '../platform/thrown.ts';
import { createBookKeeper, type BookKeeper, type KeeperSettings } from './book-keeper.ts';
import { createChanged } from './changed.ts';
import { createChanging, type ChangeResult } from './changing.ts';
import type { AlertLevel } from '../events/event.ts';
import { decideAlert, decidePortfolio, decidePostback } from './decide-notes.ts';
import { decideRecovery } from './decide-recovery.ts';
import { decideResolve, type PersonsWord } from './decide-resolve.ts';
import type { Journal } from './journal.ts';
import { lastBookDay } from './order-day.ts';
import { decideKillSwitch, killSwitchOf } from './kill-switch.ts';
import type { PlaceCommand, PlaceResult } from './place-command.ts';
import { createPlacing, type Placing } from './placing.ts';
import { createPortfolioWatch } from './portfolio-watch.ts';
import type { FillRecord, KillSwitchRecord, OrderRecord } from './records.ts';
import { createSettling } from './settling.ts';
import { announcing } from './announcing.ts';
import { applyChange, createState, fillsOfOrder, type ExecutionState } from './state.ts';

/** A broker, as execution needs it. */
export interface ExecutionBroker {
  readonly trading: Trading;
  /** Read after fills: what the exit guard and the kill switch go by. */
  readonly account: Account;
}

export interface ExecutionParts {
  readonly journal: Journal;
  readonly brokers: readonly ExecutionBroker[];
  readonly instruments: InstrumentLookup;
  /** Loads the instrument lists, if they are not there; resolves also when they cannot be had. */
  readonly loadInstruments: () => Promise<void>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: KeeperSettings & { readonly freezeQuantities: ReadonlyMap<string, number> };
}

/** The life of orders, whichever brokers there are. */
export interface Execution extends AsyncDisposable {
  /** Read only: changed by committed decisions alone. */
  readonly state: ExecutionState;
  place(command: PlaceCommand): Promise<PlaceResult>;
  /** See Placing. */
  readonly repeated: Placing['repeated'];
  /** `changes` null cancels. Resolves with the order as it stands after the broker's row was read. */
  change(orderId: string, changes: OrderModification | null): Promise<ChangeResult>;
  resolve(orderId: string, word: PersonsWord): Promise<OrderRecord>;
  killSwitch(): KillSwitchRecord | null;
  setKillSwitch(thrown: boolean, reason: string | null): Promise<KillSwitchRecord>;
  /** Resolves once the alert is among the events. */
  alert(level: AlertLevel, message: string): Promise<null>;
  /** Resolves once the hint is in the inbox; the order is then read again. */
  postback(hint: PostbackHint): Promise<'accepted' | 'repeated'>;
  /** The order, also one of a day that is no longer in memory; null when there is none. */
  order(id: string): Promise<OrderRecord | null>;
  ordersOn(day: string): Promise<readonly OrderRecord[]>;
  fillsOf(orderId: string): Promise<readonly FillRecord[]>;
  keeper(broker: BrokerId): BookKeeper | null;
  /** Brokers with open orders whose book has not been read whole since the start. */
  recovering(): readonly BrokerId[];
  /** A broker's session has changed: what waited for it goes on. */
  wake(broker: BrokerId): void;
}

const DAYS_IN_MEMORY_MS = 7 * 86_400_000;

/** Reads the journal, settles what a crash left open, and starts watching. */
export async function createExecution(parts: ExecutionParts): Promise<Execution> {
  const { journal, clock, scheduler, log } = parts;
  const state = createState();
  const loadedSince = tradingDay(clock.now() - DAYS_IN_MEMORY_MS);
  for (const change of await journal.load(loadedSince)) {
    applyChange(state, change);
  }
  const writer = createSingleWriter({
    state,
    store: announcing(journal, log),
    scheduler,
    apply: applyChange,
  });
  const changed = createChanged(scheduler);
  const settling = createSettling({
    writer,
    scheduler,
    log,
    onLate() {
      changed.notify();
      for (const keeper of keepers.values()) keeper.wake();
    },
  });
  await writer.submit((current) => decideRecovery(current, { at: clock.now() }));

  const portfolios = new Map(
    parts.brokers.map(({ trading, account }) => [
      trading.broker,
      createPortfolioWatch({
        account,
        clock,
        scheduler,
        log,
        observe: ({ positions, holdings, readAt }) =>
          observePortfolio(trading, positions, holdings, readAt),
      }),
    ]),
  );
  const keepers = new Map<BrokerId, BookKeeper>();
  for (const { trading } of parts.brokers) {
    let fillsSeen = -1;
    const keeper = createBookKeeper({
      ...parts,
      trading,
      writer,
      beforeRead: parts.loadInstruments,
      sendKeptCancel: (orderId) => void cancelKept(orderId),
      onRead() {
        changed.notify();
        if (state.fills.size !== fillsSeen) portfolios.get(trading.broker)?.changed();
        fillsSeen = state.fills.size;
      },
    });
    keepers.set(trading.broker, keeper);
  }
  let closing = false;
  const placing = createPlacing({
    ...parts,
    writer,
    settling,
    changed,
    marketHours: parts.settings.marketHours,
    freezeQuantities: parts.settings.freezeQuantities,
    closing: () => closing,
    keeperOf: (trading) => keepers.get(trading.broker)!,
  });
  const changing = createChanging({
    ...parts,
    writer,
    settling,
    freezeQuantities: parts.settings.freezeQuantities,
    keeperFor: (order) => keepers.get(order.broker)!,
    instrumentOf: (order): Instrument | null => parts.instruments.byName(order.terms.instrument),
  });
  const underWay = new Set<Promise<unknown>>();
  for (const keeper of keepers.values()) keeper.schedule();

  async function observePortfolio(
    { broker, mode }: Trading,
    positions: readonly Position[],
    holdings: readonly Holding[],
    readAt: number,
  ): Promise<void> {
    await writer.submit((current) =>
      decidePortfolio(current, { broker, mode, positions, holdings, at: readAt }),
    );
  }

  async function cancelKept(orderId: string): Promise<void> {
    try {
      await track(changing.change(orderId, null));
    } catch (error) {
      const reason = messageOf(error);
      const again = state.orders.get(orderId)?.cancelWanted ? '; it is tried again' : '';
      log.warn(`a kept cancel did not go through${again}`, { orderId, reason });
    }
  }

  /** Fills of an order that is no longer in memory, those of its slices included. */
  async function oldFills(orderId: string): Promise<readonly FillRecord[]> {
    const order = await journal.order(orderId);
    const sameDay = order === null ? [] : await journal.ordersOn(order.day);
    const slices = sameDay.filter((each) => each.parentId === orderId);
    const fills = await Promise.all([orderId, ...slices.map(({ id }) => id)].map(journal.fillsOf));
    return fills.flat();
  }

  /** Counts what has to be waited for before the journal may be closed. */
  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const done = (): void => void underWay.delete(work);
    work.then(done, done);
    return work;
  }

  /** What is older than memory reaches is final, and its book long gone. */
  function mustBeInMemory(orderId: string): void {
    if (state.orders.has(orderId)) return;
    throw new GatewayProblem({
      code: 'order_state',
      detail: `order ${orderId} is of an earlier week: nothing about it can change`,
      mayHaveExecuted: false,
    });
  }

  function refuseWhenClosing(): void {
    if (!closing) return;
    throw new GatewayProblem({
      code: 'order_not_sent',
      detail: 'the gateway is stopping; nothing was sent',
      mayHaveExecuted: false,
      retrySafe: true,
    });
  }

  return {
    state,
    async place(command) {
      refuseWhenClosing();
      return track(placing.place(command));
    },
    repeated: placing.repeated,
    async change(orderId, changes) {
      refuseWhenClosing();
      mustBeInMemory(orderId);
      return track(changing.change(orderId, changes));
    },
    async resolve(orderId, word) {
      mustBeInMemory(orderId);
      const at = clock.now();
      const order = await writer.submit((current) => decideResolve(current, { orderId, word, at }));
      changed.notify();
      keepers.get(order.broker)?.wake();
      return order;
    },
    killSwitch: () => killSwitchOf(state),
    setKillSwitch: (thrown, reason) =>
      writer.submit((current) => decideKillSwitch(current, { thrown, reason, at: clock.now() })),
    alert: (level, message) =>
      writer.submit((current) => decideAlert(current, { level, message, at: clock.now() })),
    async postback(hint) {
      // Memory begins some days ago; a message can be handed in again after years.
      if (await journal.hasPostback(hint.digest)) return 'repeated';
      const receipt = await writer.submit((current) =>
        decidePostback(current, { hint, at: clock.now() }),
      );
      if (receipt === 'accepted') keepers.get(hint.broker)?.wake();
      return receipt;
    },
    order: async (id) => state.orders.get(id) ?? (await journal.order(id)),
    ordersOn: async (day) =>
      day < loadedSince
        ? journal.ordersOn(day)
        : [...state.orders.values()].filter(
            (order) => order.day === day || (order.day < day && lastBookDay(order) >= day),
          ),
    fillsOf: async (orderId) =>
      state.orders.has(orderId) ? fillsOfOrder(state, orderId) : oldFills(orderId),
    keeper: (broker) => keepers.get(broker) ?? null,
    recovering: () => {
      const open = new Set([...state.watched].map((id) => state.orders.get(id)!.broker));
      return [...open].filter((broker) => keepers.get(broker)?.recovering() === true);
    },
    wake(broker) {
      keepers.get(broker)?.wake();
      portfolios.get(broker)?.changed();
    },
    async [Symbol.asyncDispose]() {
      closing = true;
      await Promise.allSettled([...underWay]);
      for (const keeper of keepers.values()) keeper.stop();
      for (const watch of portfolios.values()) watch.stop();
      settling.stop();
      await writer.idle();
    },
  };
}
