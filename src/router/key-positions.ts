import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import { tradingDay } from '../domain/ist.ts';
import { BrokerError } from '../domain/outcome.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { comparePositions } from '../execution/books/compare.ts';
import type { KeyPosition } from '../execution/books/key-books.ts';
import {
  isTraded,
  multiplierOf,
  positionRow,
  sumOf,
  tradedToday,
} from '../execution/books/position-row.ts';
import type { Execution } from '../execution/execution.ts';
import { isSameAccount } from '../execution/journal/records.ts';
import { isRowOfOurs } from '../execution/reconcile/matching.ts';
import { isShownWhole, isUnreadOfOurs } from '../execution/reconcile/unread-shares.ts';
import { triggerOfRow } from '../execution/triggers/decide-trigger-orders.ts';
import type { Clock } from '../platform/clock.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import type { TradingDay, TriggerId } from '../units/branded.ts';
import type { Gateway } from './gateway.ts';
import type {
  ComparedUnread,
  KeyAccount,
  KeyPositionReads,
  OwnPositions,
  PositionComparison,
} from './key-account.ts';
import type { BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { accountAnswer, noBroker, notServed } from './reads.ts';

export interface KeyPositionsParts {
  readonly execution: Execution;
  readonly portfolios: ReadonlyMap<BrokerId, Portfolio>;
  readonly view: (broker: BrokerId) => BrokerView;
  readonly accountOf: (named: BrokerId | undefined) => BrokerId | null;
  readonly getLastPrices: Gateway['getLastPrices'];
  readonly clock: Clock;
}

/** The positions of keys, from the journal, and their comparison with the broker's (docs/keys.md). */
export function createKeyPositions(parts: KeyPositionsParts): KeyPositionReads {
  const { execution, view, accountOf, clock } = parts;
  const { books, state } = execution;
  const today = (): TradingDay => tradingDay(clock.now());

  async function pricesOf(positions: readonly KeyPosition[]) {
    const open = positions.filter(({ quantity }) => quantity !== 0);
    const names = [...new Set(open.map(({ line }) => line.instrument))];
    const none = { of: new Map<string, { readonly lastPrice: number }>(), read: null };
    if (names.length === 0) return none;
    try {
      const { data, meta } = await parts.getLastPrices(names);
      const read = data.found.size === 0 ? null : { asOf: meta.asOf, ageMs: meta.ageMs };
      return { of: data.found, read };
    } catch (error) {
      if (error instanceof GatewayProblem) return none;
      throw error;
    }
  }

  async function valued(positions: readonly KeyPosition[]) {
    const { of, read } = await pricesOf(positions);
    const rows = positions.map((position) => {
      const lastPrice = of.get(position.line.instrument)?.lastPrice ?? null;
      return positionRow(position, lastPrice, multiplierOf(state, position.line));
    });
    return { rows, read };
  }

  async function getKeyAccount(key: string): Promise<KeyAccount> {
    const day = today();
    const positions = books.positions(day, ({ caller }) => caller === key);
    const { rows, read } = await valued(positions);
    const realisedPnl = sumOf(rows.map((row) => row.realisedPnl));
    const unrealisedPnl = sumOf(rows.map((row) => row.unrealisedPnl));
    return {
      ...{ key, day, realisedPnl, unrealisedPnl, pnl: sumOf([realisedPnl, unrealisedPnl]) },
      positions: positions.flatMap(({ line }, place) => {
        const { broker, mode, account } = line;
        const position = rows[place];
        return position ? [{ broker, mode, account, position }] : [];
      }),
      prices: read,
      uncertainOrders: books.inDoubt(key),
    };
  }

  async function getOwnPositions(
    key: string,
    { broker: named, list }: Parameters<KeyPositionReads['getOwnPositions']>[1],
  ): Promise<OwnPositions> {
    const broker = brokerOf(named);
    const user = await userOf(execution, broker);
    const found = books.positions(
      today(),
      (line) => line.caller === key && line.broker === broker && isOf(user, line.account),
    );
    const positions = list === 'day' ? found.filter(isTraded).map(tradedToday) : found;
    const asked = { askedAt: clock.now(), asked: clock.elapsed() };
    const { rows, read } = await valued(positions);
    const answer = accountAnswer(view(broker), { ...asked, data: rows }, clock);
    const meta = read === null ? answer.meta : { ...answer.meta, ...read };
    return { data: rows, meta, uncertainOrders: books.inDoubt(key) };
  }

  function brokerOf(named: BrokerId | undefined): BrokerId {
    const broker = accountOf(named);
    if (broker !== null) return broker;
    throw noBroker('no broker of the trading route can be asked now: GET /api/v1/brokers says why');
  }

  return {
    getKeyAccount: (key) => asProblems(() => getKeyAccount(key)),
    getOwnPositions: (key, options) => asProblems(() => getOwnPositions(key, options)),
    comparePositions: ({ broker }) =>
      asProblems(async () => compareAccount(parts, brokerOf(broker))),
  };
}

/** The user who is logged in; null where that is not known. */
const userOf = async ({ poller }: Execution, broker: BrokerId): Promise<string | null> =>
  (await poller(broker)?.trading.account?.()) ?? null;

/** What all keys hold at an account, beside what the broker says that it holds. */
async function compareAccount(
  { execution, portfolios, view, clock }: KeyPositionsParts,
  broker: BrokerId,
): Promise<Answer<PositionComparison>> {
  const { books, state } = execution;
  const portfolio = portfolios.get(broker);
  const poller = execution.poller(broker);
  if (!portfolio || !poller) throw notServed(view(broker), 'an account');
  const user = await userOf(execution, broker);
  const held = await portfolio.readable(0);
  const inDoubt = await readTriggers(execution, broker, clock);
  // The book is read after the account: what fills between the two reads is in the book alone.
  const { rows, begunAt, unread: unreadRows } = await poller.read(clock.elapsed());
  const day = tradingDay(begunAt);
  const { mode } = view(broker);
  const keys = books.positions(day, (line) => line.broker === broker && isOf(user, line.account));
  const elsewhere = rows
    // The row of the order that made a child already has its fills.
    .filter((each) => each.childOf === undefined && !isRowOfOurs(state, broker, day, each))
    .filter((each) => triggerOfRow(state, broker, each) === null)
    .flatMap(({ instrument, product, side, filledQuantity: quantity }) =>
      quantity === 0 ? [] : [{ instrument, product, side, quantity }],
    );
  const ofOthers = unreadRows.filter(
    (row) => !isUnreadOfOurs(state, broker, day, row) && !isShownWhole(rows, row),
  );
  const unread: readonly ComparedUnread[] = [
    ...ofOthers.map((row) => hiddenRow('orders', { product: null, ...row })),
    ...held.data.unread.map((row) => hiddenRow(row.list, row)),
  ];
  const data: PositionComparison = {
    ...{ day, account: user, uncertainOrders: [...new Set([...books.inDoubt(), ...inDoubt])] },
    positions: comparePositions({
      ...{ mode, keys, elsewhere, unread },
      ...{ positions: held.data.positions, holdings: held.data.holdings },
    }),
    unread,
  };
  return accountAnswer({ broker, mode }, { ...held, data }, clock);
}

/** A holding is of no product of its own: its shares are delivered. */
const hiddenRow = (
  list: ComparedUnread['list'],
  { instrument, product, reason }: Omit<ComparedUnread, 'list'>,
): ComparedUnread => ({
  ...{ list, instrument, reason },
  product: list === 'holdings' ? 'CNC' : product,
});

/**
 * Reads which triggers have placed their orders: until then those count as placed elsewhere. Where the list cannot be
 * read, gives the triggers that wait: each may have placed its order.
 */
async function readTriggers(
  { state, triggers }: Execution,
  broker: BrokerId,
  clock: Clock,
): Promise<readonly TriggerId[]> {
  const waiting = [...state.triggers.values()].filter(
    (trigger) => trigger.broker === broker && trigger.state.kind === 'waiting',
  );
  const watch = triggers.watch(broker);
  if (waiting.length === 0 || watch === null) return [];
  try {
    await watch.read(clock.elapsed());
    return [];
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
    return waiting.map(({ id }) => id);
  }
}

/** Whether something may be of the user who is logged in: what is not known counts. */
const isOf = (user: string | null, account: string | null): boolean =>
  user === null || account === null || isSameAccount(user, account);
