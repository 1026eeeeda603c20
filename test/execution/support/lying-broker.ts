import type { BrokerFill, BrokerOrder, UnreadRow } from '../../../src/domain/broker-order.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { ModifyAttempt, OrderRequest, PlaceAttempt } from '../../../src/domain/order.ts';
import { NO_LIMITS } from '../../support/no-limits.ts';
import type { Holding, Position, UnreadPortfolioRow } from '../../../src/domain/portfolio.ts';
import { BrokerError, type Outcome } from '../../../src/domain/outcome.ts';
import type { Account, Trading } from '../../../src/domain/ports.ts';
import { momentOf } from '../../../src/platform/clock.ts';
import type { GatewayEvent } from '../../../src/events/event-log.ts';
import {
  createExecution,
  type Execution,
  type ExecutionParts,
} from '../../../src/execution/execution.ts';
import type { ExitSettings } from '../../../src/execution/exits/exit-parts.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import type { PlaceCommand } from '../../../src/execution/submit/place-command.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { systemIds } from '../../../src/platform/ids.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { AT, bookRow, instrument, terms } from './makers.ts';

interface Alert {
  readonly level: string;
  readonly message: string;
}

/** A broker whose book and answers a test writes: it need not say the truth. */
export interface LyingBroker {
  readonly trading: { -readonly [Part in keyof Trading]: Trading[Part] };
  rows: BrokerOrder[];
  positions: Position[];
  holdings: Holding[];
  /** Rows of the positions that cannot be read. */
  unread: UnreadPortfolioRow[];
  accountReads: number;
  /** False: a read of the account fails. */
  isAccountReadable: boolean;
  fills: BrokerFill[];
  /** Rows of the book that cannot be read. */
  unreadRows: UnreadRow[];
  tradeReads: number;
  /** False: a read of the book fails. */
  isReadable: boolean;
  /** How long a read of the book takes, ms. */
  readMs: number;
  reads: number;
  /** What placing answers. */
  place: (attempt: PlaceAttempt) => Outcome | Promise<Outcome>;
  cancel: (brokerOrderId: string) => Outcome | Promise<Outcome>;
  modify: () => Outcome | Promise<Outcome>;
  readonly placed: PlaceAttempt[];
  /** Broker order ids of the cancels that arrived. */
  readonly cancels: string[];
  readonly modified: ModifyAttempt[];
}

export function lyingBroker(
  time: VirtualTime,
  { broker = 'alt', tagging = 'always' as Trading['tagging'], marketAsLimit = false } = {},
): LyingBroker {
  let lastBook: BrokerOrder[] | null = null;
  const account: LyingBroker = {
    rows: [],
    positions: [],
    holdings: [],
    unread: [],
    accountReads: 0,
    isAccountReadable: true,
    fills: [],
    unreadRows: [],
    tradeReads: 0,
    isReadable: true,
    readMs: 0,
    reads: 0,
    place: () => ({ kind: 'acknowledged', brokerOrderId: 'b1' }),
    cancel: (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId }),
    modify: () => ({ kind: 'acknowledged', brokerOrderId: 'b1' }),
    placed: [],
    cancels: [],
    modified: [],
    trading: {
      broker,
      mode: 'live',
      tagging,
      ...(marketAsLimit ? { marketAsLimit } : {}),
      blocked: () => null,
      permit: () => Promise.resolve(null),
      async place(attempt) {
        account.placed.push(attempt);
        return account.place(attempt);
      },
      async cancel({ brokerOrderId }) {
        account.cancels.push(brokerOrderId);
        return account.cancel(brokerOrderId);
      },
      async modify(attempt) {
        account.modified.push(attempt);
        return account.modify();
      },
      async orderBook() {
        account.reads += 1;
        if (account.readMs > 0) {
          await new Promise<void>((resolve) => time.after(account.readMs, resolve));
        }
        if (!account.isReadable) {
          throw new BrokerError(broker, { kind: 'transport', message: 'no answer' });
        }
        lastBook = [...account.rows];
        return lastBook;
      },
      trades() {
        account.tradeReads += 1;
        return Promise.resolve([...account.fills]);
      },
      unread: (list) => (list === lastBook ? account.unreadRows : []),
    },
  };
  return account;
}

const accountOf = (lying: LyingBroker): Account => ({
  broker: lying.trading.broker,
  positions() {
    lying.accountReads += 1;
    if (lying.isAccountReadable) return Promise.resolve(lying.positions);
    const failure = { kind: 'transport', message: 'no answer' } as const;
    return Promise.reject(new BrokerError(lying.trading.broker, failure));
  },
  holdings: () => Promise.resolve(lying.holdings),
  unread: (list) => (list === lying.positions ? lying.unread : []),
  funds: () => Promise.reject(new Error('not asked')),
  profile: () => Promise.reject(new Error('not asked')),
});

/** Instruments that the lists have: a row of any other cannot be resolved. */
const LISTED: readonly Instrument[] = [
  instrument(),
  instrument({ name: 'NSE:TCS', tradingSymbol: 'TCS', securityId: '11536' }),
  instrument({ name: 'NSE:SBIN', tradingSymbol: 'SBIN', securityId: '3045', isin: 'INE062A01020' }),
  instrument({ name: 'BSE:SBIN', exchange: 'BSE', tradingSymbol: 'SBIN', isin: 'INE062A01020' }),
];

export const listed = (name: string): Instrument | null =>
  LISTED.find((each) => each.name === name) ?? null;

/** Execution over such brokers, on a journal in memory that outlives it. */
export async function tradingWith(
  time: VirtualTime,
  brokers: readonly LyingBroker[],
  database = openDatabase(':memory:'),
  market: Partial<Pick<ExecutionParts, 'quoteOf' | 'instruments'>> & {
    readonly exits?: Partial<ExitSettings>;
  } = {},
) {
  const start = (): Promise<Execution> =>
    time.settle(
      createExecution({
        journal: createSqliteJournal(database),
        lookAtDisk: () => 'ample',
        brokers: brokers.map((each) => ({ trading: each.trading, account: accountOf(each) })),
        instruments: market.instruments ?? {
          byName: listed,
          bySecurityId: () => null,
        },
        loadInstruments: () => Promise.resolve(),
        clock: time,
        scheduler: time,
        ids: systemIds,
        log: silentLog,
        onImpossible: 'throw',
        lastPrice: () => Promise.resolve(null),
        quoteOf: market.quoteOf ?? (() => Promise.resolve(null)),
        quotes: () => Promise.resolve(new Map()),
        settings: {
          pollMs: 1_000,
          tagMark: 'Mark',
          absentAfterMs: 180_000,
          unrecognisedMs: 60_000,
          marketHours: 'exchange',
          freezeQuantities: new Map(),
          limits: NO_LIMITS,
          maxDailyLoss: null,
          closeOnDailyLoss: false,
          exits: {
            ...{ limitOffsetPercent: 0.3, widening: 1, restMs: 10_000, attempts: 3 },
            restWithoutBid: false,
            ...market.exits,
          },
        },
      }),
    );
  let execution = await start();
  let keys = 0;
  const commandOf = (request: Partial<OrderRequest> = {}): PlaceCommand => ({
    caller: 'someone',
    idempotencyKey: `key ${(keys += 1)}`,
    request: { ...terms(), tag: null, broker: null, mode: null, ...request },
    instrument: LISTED.find(({ name }) => name === request.instrument) ?? instrument(),
    written: request.instrument ?? 'NSE:INFY',
    candidates: brokers.map(({ trading }) => trading),
    route: brokers.map(({ trading }) => trading.broker),
    blocked: null,
    forcedBy: null,
    arrived: momentOf(time),
  });
  return {
    get execution() {
      return execution;
    },
    commandOf,
    place: async (request: Partial<OrderRequest> = {}) =>
      (await time.settle(execution.place(commandOf(request)))).order,
    order: (id: string) => execution.state.orders.get(id)!,
    cancel: (id: string) => time.settle(execution.amend(id, null, null)),
    alerts: () =>
      database
        .prepare("SELECT record FROM events WHERE type = 'alert'")
        .all()
        .map(({ record }) => {
          const event = JSON.parse(String(record)) as GatewayEvent & { data: Alert };
          return { ...event.data, orderId: event.orderId };
        }),
    async restart() {
      await time.settle(Promise.resolve(execution[Symbol.asyncDispose]()));
      execution = await start();
    },
  };
}

/** A row of the book for the order of `terms()`, made now. */
export const rowAt = (time: VirtualTime, parts: Partial<BrokerOrder> = {}): BrokerOrder =>
  bookRow({ createdAt: time.now(), updatedAt: time.now(), ...parts });

export const midday = (): VirtualTime => new VirtualTime(AT);
