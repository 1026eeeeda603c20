import { realId } from '../../domain/broker-order.ts';
import type { Instrument } from '../../domain/instrument.ts';
import {
  type OrderModification,
  type OrderTerms,
  type Purpose,
  withMarks,
} from '../../domain/order.ts';
import { type NotSent, type Outcome, uncertain } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { AttemptId, BrokerOrderId, EpochMs } from '../../units/branded.ts';
import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import { sentMarks } from '../order/accepted-terms.ts';
import { lastBookDay } from '../order/order-day.ts';
import { bindingOf, type OrderRecord } from '../order/order.ts';
import { type OrderToChange, possibleFigures, termsToRepeat } from '../order/possible-terms.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { releasedBy } from '../reconcile/when-made.ts';
import { orderToChange } from './order-to-change.ts';
import { brakeOfCaller } from './brakes.ts';
import { askedAtLast } from './last-look.ts';

interface ChangeParts {
  readonly writer: { readonly state: ExecutionState };
  readonly pollerFor: (order: OrderRecord) => BookPoller;
  readonly instrumentOf: (order: OrderRecord) => Instrument | null;
}

export const purposeOf = (changes: OrderModification | null): Purpose =>
  changes === null ? 'way_out' : 'modify';

/** One request, as it goes to the broker; a cancel where `changes` is null. */
export interface ChangeRequest {
  readonly order: OrderRecord;
  readonly brokerOrderId: BrokerOrderId;
  readonly attemptId: AttemptId;
  readonly changes: OrderModification | null;
  /** When the book was asked for that has shown its row last (epoch ms); null where that is not known. */
  readonly asOf: EpochMs | null;
}

/**
 * One request, once. A broker's port answers an outcome; if it throws all the same, nothing is
 * known.
 */
export async function sendChange(
  { writer, instrumentOf, pollerFor }: ChangeParts,
  trading: Trading,
  { order, brokerOrderId, attemptId, changes, asOf }: ChangeRequest,
  whyKept: () => NotSent | null = () => null,
): Promise<Outcome> {
  const blocked = trading.blocked(purposeOf(changes));
  if (blocked) return blocked;
  const instrument = instrumentOf(order) ?? bareInstrument(order);
  const amo = isBeforeExchange(order, pollerFor(order));
  const request = { attemptId, brokerOrderId, instrument };
  try {
    if (changes === null) {
      const brokerOrderType = bindingOf(order)?.row?.orderType ?? null;
      const held = order.terms.amo ? { amo } : {};
      return await trading.cancel({ ...request, brokerOrderType, ...held });
    }
    const isBraked = brakeOfCaller(writer.state, order.caller) !== null;
    const toChange = orderToChange(writer.state, order, asOf);
    const repeated = { ...requestTerms(toChange, changes, isBraked), amo };
    const sent = sentMarks(attemptsOfOrder(writer.state, order.id));
    const ofKey = writer.state.keys.get(order.caller)?.marks;
    const terms = withMarks(withMarks(repeated, sent), ofKey);
    const { mayLeave, outcome } = askedAtLast(trading, whyKept);
    const answer = await trading.modify({ ...request, terms, changes, mayLeave });
    return outcome(ofThisOrder(answer, brokerOrderId));
  } catch (error) {
    return uncertain({ kind: 'transport', message: String(error) });
  }
}

/**
 * The terms that a request has beside its changes. An adapter does not send an asked value that equals the one here,
 * since the order has it already. So that is the case only if the order can have no other value.
 */
function requestTerms(
  toChange: OrderToChange,
  changes: OrderModification,
  isBraked: boolean,
): OrderTerms {
  const { terms } = toChange.order;
  const repeated = termsToRepeat(toChange, changes, { isBraked });
  const possible = possibleFigures(toChange);
  const { quantity, price, triggerPrice } = changes;
  const other = <Value>(asked: Value, row: Value, all: readonly Value[]): Value =>
    [row, ...all].find((value) => value !== null && value !== asked) ?? row;
  return {
    ...repeated,
    quantity:
      quantity === null ? repeated.quantity : other(quantity, terms.quantity, possible.quantity),
    price: price === null ? repeated.price : other(price, terms.price, possible.price),
    triggerPrice:
      triggerPrice === null
        ? repeated.triggerPrice
        : other(triggerPrice, terms.triggerPrice, possible.triggerPrice),
  };
}

/**
 * An acknowledgement that names another order may be the answer to another request: it does not say that the
 * modification was taken (decision 0085). Of a cancel the row alone is believed in any case.
 */
function ofThisOrder(answer: Outcome, brokerOrderId: BrokerOrderId): Outcome {
  if (answer.kind !== 'acknowledged' || answer.brokerOrderId === brokerOrderId) return answer;
  const message = `the broker's answer names another order, ${answer.brokerOrderId}`;
  return uncertain({ kind: 'bad_payload', message });
}

/** Whether it is an after-market order of which no whole row has told that the exchange has it. */
export const isExchangeUntold = (order: OrderRecord): boolean =>
  order.terms.amo && realId(bindingOf(order)?.exchangeOrderId) === null;

/**
 * Whether it is an after-market order that the exchange has not got yet, as far as is known. Once the
 * exchange has taken all of them, only a book that was read since then and shows its row can tell that.
 */
function isBeforeExchange(order: OrderRecord, poller: BookPoller): boolean {
  if (!isExchangeUntold(order)) return false;
  const isIts = (row: { readonly brokerOrderId: BrokerOrderId | null }): boolean =>
    row.brokerOrderId !== null && row.brokerOrderId === bindingOf(order)?.brokerOrderId;
  const read = poller.lastRead();
  const unread = read?.unread.find(isIts);
  if (unread) return realId(unread.exchangeOrderId) === null;
  const released = releasedBy(lastBookDay(order));
  if (poller.now() < released) return true;
  return read !== null && read.begunAt >= released && read.rows.some(isIts);
}

/** The instrument from the journal's own data, so that a cancel does not wait for instrument lists. */
function bareInstrument({ terms, scripCode, segment }: OrderRecord): Instrument {
  const [exchange = '', tradingSymbol = ''] = terms.instrument.split(':');
  return {
    name: terms.instrument,
    exchange,
    tradingSymbol,
    segment,
    securityId: scripCode?.split('_')[1] ?? null,
    instrumentToken: null,
    lotSize: 1,
    tickSize: null,
    freezeQuantity: null,
    isin: null,
    displayName: tradingSymbol,
    expiry: null,
    strike: null,
    optionType: null,
  };
}
