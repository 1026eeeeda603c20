import type { Instrument } from '../../domain/instrument.ts';
import { isBelievableTick } from '../../domain/money.ts';
import type { OrderRequest, OrderTerms } from '../../domain/order.ts';
import { sessionDay } from '../order/order-day.ts';
import type { OrderId } from '../../units/branded.ts';
import { refuseWaiting } from './late-orders.ts';
import type { PlaceCommand, SubmitParts } from './place-command.ts';
import { checkNewOrder, freezeQuantityOf } from './preflight.ts';
import { reducesPosition } from './reduce-only.ts';

/** An order that has passed the checks that need no broker. Nothing of it is on disk, and nothing was sent. */
export interface CheckedOrder {
  readonly orderId: OrderId;
  readonly terms: OrderTerms;
  /** With the freeze quantity of the order's day. */
  readonly instrument: Instrument;
}

/**
 * Checks an order before anything is sent or written: its terms, the hours of its exchange, and whether its
 * request may have waited. Throws a GatewayProblem (docs/orders.md, "Before anything is sent").
 */
export function checkOrder(parts: SubmitParts, command: PlaceCommand): CheckedOrder {
  const { clock, ids, marketHours } = parts;
  const terms = termsOf(command.request, command.instrument);
  const instrument = withFreezeQuantity(parts, command.instrument, terms);
  const orderId = `ord_${ids.uuid7(clock.now())}`;
  checkNewOrder(terms, command.isLeg === true ? withOwnTick(instrument, terms) : instrument, {
    at: clock.now(),
    marketHours,
    brokerDecides: isExitByName(parts, command, terms, orderId),
  });
  refuseWaiting(parts, command, terms, orderId);
  return { orderId, terms, instrument };
}

function withFreezeQuantity(
  { clock, freezeQuantities }: SubmitParts,
  instrument: Instrument,
  terms: OrderTerms,
): Instrument {
  const day = sessionDay(terms, clock.now());
  return { ...instrument, freezeQuantity: freezeQuantityOf(instrument, freezeQuantities, day) };
}

/** The price of a leg is the gateway's own: a tick that it did not believe is left to the broker. */
function withOwnTick(instrument: Instrument, { price }: OrderTerms): Instrument {
  const { tickSize } = instrument;
  const isOwn = tickSize === null || price === null || isBelievableTick(tickSize, price);
  return isOwn ? instrument : { ...instrument, tickSize: null };
}

/** Whether an order names the live broker whose position it reduces: then the broker knows the hours. */
function isExitByName(
  { writer, clock, accounts }: SubmitParts,
  { request, candidates }: PlaceCommand,
  terms: OrderTerms,
  orderId: OrderId,
): boolean {
  const [named] = candidates;
  if (request.broker === null || named?.mode !== 'live') return false;
  const { broker } = named;
  const order = { broker, terms, orderId, at: clock.now(), day: accounts.today(broker) };
  return reducesPosition(writer.state, order, accounts.beside(order));
}

function termsOf(request: OrderRequest, instrument: Instrument): OrderTerms {
  const { side, quantity, orderType, product, validity, price, triggerPrice, amo } = request;
  const { algoId, marketProtection } = request;
  return {
    instrument: instrument.name,
    side,
    quantity,
    orderType,
    product,
    validity,
    price,
    triggerPrice,
    amo,
    ...(algoId === undefined ? {} : { algoId }),
    ...(marketProtection === undefined ? {} : { marketProtection }),
  };
}
