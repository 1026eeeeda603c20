import type { Answer } from '../domain/answer.ts';
import { type BrokerOrder, externalId } from '../domain/broker-order.ts';
import type { BrokerId } from '../domain/broker.ts';
import {
  type ContractNote,
  type ContractNoteOrder,
  type ContractNoteQuery,
  type ExecutedOrder,
  type OrderCharges,
  totalCharges,
} from '../domain/contract-note.ts';
import { tradingDay } from '../domain/ist.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Account, Broker, Trading } from '../domain/ports.ts';
import type { Execution } from '../execution/execution.ts';
import type { BookPoller } from '../execution/reconcile/book-poller.ts';
import { isRowOfOurs } from '../execution/reconcile/matching.ts';
import { triggerOfRow } from '../execution/triggers/decide-trigger-orders.ts';
import type { Clock } from '../platform/clock.ts';
import type { TradingDay } from '../units/branded.ts';
import type { Gateway } from './gateway.ts';
import type { BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { accountAnswer, noBroker, notServed, notSupported } from './reads.ts';

export interface ContractNoteParts {
  readonly brokers: readonly Broker[];
  readonly execution: Execution;
  readonly clock: Clock;
  readonly view: (broker: BrokerId) => BrokerView;
  readonly accountOf: (named: BrokerId | undefined) => BrokerId | null;
}

/**
 * An order of an account's book of today that has filled, and whose it is: of the key that placed it, or whose trigger
 * did; null where it was placed elsewhere.
 */
export interface NoteEntry {
  readonly caller: string | null;
  readonly order: ContractNoteOrder;
}

export interface ContractNoteReads extends Pick<Gateway, 'getContractNote'> {
  /**
   * The same of one broker, with who placed each order; charges are null at a broker that computes none. Rejects
   * where the book or the charges cannot be read.
   */
  noteOf(broker: BrokerId): Promise<readonly NoteEntry[]>;
}

/**
 * The charges of the day's orders, as the broker computes them (docs/spec/portfolio.md, "Contract note"). The
 * broker is asked about all of the account's orders, also where a caller's own are wanted: what an order costs
 * depends on the others of its day.
 */
export function createContractNoteReads(parts: ContractNoteParts): ContractNoteReads {
  const { execution, clock, view, accountOf } = parts;

  function accountRead(named: BrokerId | undefined) {
    const broker = accountOf(named);
    if (broker === null) {
      throw noBroker(
        'no broker of the trading route can be asked now: GET /api/v1/brokers says why',
      );
    }
    const account = parts.brokers.find(({ id }) => id === broker)?.account;
    const poller = execution.poller(broker);
    // Called as a method: an adapter may need its own object.
    if (account?.charges && poller) return { broker, account, poller };
    throw notServed(view(broker), 'contract notes');
  }

  async function rowsOf({ trading, read }: BookPoller): Promise<readonly BrokerOrder[]> {
    const { rows, unread: others } = await read(clock.elapsed());
    const [unread] = others;
    if (!unread) return rows;
    // Without that row the note would say that there is no such order.
    throw new BrokerError(trading.broker, { kind: 'bad_payload', message: unread.reason });
  }

  function entryOf(trading: Trading, day: TradingDay, row: BrokerOrder): Entry {
    const { brokerOrderId, instrument, side, product, orderType } = row;
    const { broker } = trading;
    const own = isRowOfOurs(execution.state, broker, day, row)
      ? execution.state.observedIn.get(broker, day, brokerOrderId)?.orderId
      : null;
    return {
      orderId: own ?? externalId(broker, brokerOrderId),
      external: !own,
      caller:
        (own ? execution.state.orders.get(own) : triggerOfRow(execution.state, broker, row))
          ?.caller ?? null,
      terms: {
        ...{ brokerOrderId, instrument, side, product, orderType },
        variety: trading.details?.(brokerOrderId)?.variety ?? null,
      },
      executed: executedOf(row),
    };
  }

  async function entriesOf(
    { account, poller }: { readonly account: Account | undefined; readonly poller: BookPoller },
    day: TradingDay,
  ): Promise<readonly NoteEntry[]> {
    const rows = (await rowsOf(poller)).filter(mayHaveFilled);
    const entries = rows.map((row) => entryOf(poller.trading, day, row));
    return withCharges(entries, account ? await chargesOf(account, entries) : []);
  }

  async function noteOf(broker: BrokerId): Promise<readonly NoteEntry[]> {
    const account = parts.brokers.find(({ id }) => id === broker)?.account;
    const poller = execution.poller(broker);
    if (!poller) throw notSupported(broker, 'orders');
    return entriesOf({ account, poller }, tradingDay(clock.now()));
  }

  async function getContractNote(query: ContractNoteQuery): Promise<Answer<ContractNote>> {
    const { broker, account, poller } = accountRead(query.broker);
    const asked = { askedAt: clock.now(), asked: clock.elapsed() };
    const day = tradingDay(clock.now());
    const orders = (await entriesOf({ account, poller }, day))
      .filter(({ caller }) => query.caller === undefined || caller === query.caller)
      .map(({ order }) => order);
    const data = { day, orders, total: totalOf(orders) };
    return accountAnswer(view(broker), { ...asked, data }, clock);
  }

  return {
    getContractNote: (query = {}) => asProblems(() => getContractNote(query)),
    noteOf: (broker) => asProblems(() => noteOf(broker)),
  };
}

interface Entry {
  readonly orderId: string;
  readonly external: boolean;
  readonly caller: string | null;
  readonly terms: Omit<ExecutedOrder, 'quantity' | 'price'>;
  /** Null where the row does not say how much has filled, or at what price. */
  readonly executed: Pick<ExecutedOrder, 'quantity' | 'price'> | null;
}

/** A row of a child order counts in that of its parent. */
const mayHaveFilled = ({ filledQuantity, status, childOf }: BrokerOrder): boolean =>
  childOf === undefined && (filledQuantity === null ? status !== 'rejected' : filledQuantity > 0);

const executedOf = ({ filledQuantity, averagePrice }: BrokerOrder): Entry['executed'] =>
  filledQuantity === null || averagePrice === null
    ? null
    : { quantity: filledQuantity, price: averagePrice };

type Charges = OrderCharges | null;

/** Of the entries of which it is known what they have filled, in their order. */
async function chargesOf(account: Account, entries: readonly Entry[]): Promise<readonly Charges[]> {
  const executed = entries.flatMap(({ terms, executed: filled }) =>
    filled ? [{ ...terms, ...filled }] : [],
  );
  return (await account.charges?.(executed)) ?? [];
}

function withCharges(entries: readonly Entry[], charges: readonly Charges[]): readonly NoteEntry[] {
  const left = charges.values();
  return entries.map(({ orderId, external, caller, terms, executed }) => {
    const filled = executed ?? { quantity: null, price: null };
    const order: ContractNoteOrder = {
      ...{ orderId, external },
      ...terms,
      ...filled,
      charges: executed ? (left.next().value ?? null) : null,
    };
    return { caller, order };
  });
}

function totalOf(orders: readonly ContractNoteOrder[]): OrderCharges | null {
  const known = orders.flatMap(({ charges }) => charges ?? []);
  return known.length === orders.length ? totalCharges(known) : null;
}
