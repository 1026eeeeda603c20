import type { CallInput } from '../../../client/index.ts';
import { numberOf } from './entry.ts';

/** What a person has typed in. */
export interface Ticket {
  readonly instrument: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: string;
  readonly orderType: 'MARKET' | 'LIMIT' | 'SL' | 'SL-M';
  readonly product: 'CNC' | 'INTRADAY' | 'MARGIN';
  readonly price: string;
  readonly triggerPrice: string;
}

export type OrderBody = CallInput<'placeOrder'>['body'];

export const needsPrice = ({ orderType }: Pick<Ticket, 'orderType'>): boolean =>
  orderType === 'LIMIT' || orderType === 'SL';
export const needsTrigger = ({ orderType }: Pick<Ticket, 'orderType'>): boolean =>
  orderType === 'SL' || orderType === 'SL-M';

/** The body of the order; a text that says what is wrong with the ticket, and what to do. */
export function bodyOf(ticket: Ticket): OrderBody | string {
  const { side, product, orderType } = ticket;
  const instrument = ticket.instrument.trim().toUpperCase();
  const [quantity, price, triggerPrice] = [
    numberOf(ticket.quantity),
    numberOf(ticket.price),
    numberOf(ticket.triggerPrice),
  ];
  if (instrument === '') return 'Instrument is required: write it like NSE:INFY.';
  if (quantity === null || quantity <= 0 || !Number.isInteger(quantity)) {
    return 'Quantity is required: a whole number above 0, in shares or units and not in lots.';
  }
  if (needsPrice(ticket) && !price) return `Price is required for ${orderType}: a number above 0.`;
  if (needsTrigger(ticket) && !triggerPrice) {
    return `Trigger price is required for ${orderType}: a number above 0.`;
  }
  // The two checks above are those of the types: each order type has its prices, and no others.
  return {
    ...{ instrument, side, quantity, orderType, product },
    ...(needsPrice(ticket) ? { price } : {}),
    ...(needsTrigger(ticket) ? { triggerPrice } : {}),
  } as OrderBody;
}
