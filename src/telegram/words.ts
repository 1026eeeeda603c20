import type { Mode } from '../domain/broker.ts';
import { istDay, istIso } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import { rupees } from '../domain/rupees.ts';
import type { EpochMs } from '../units/branded.ts';

/** The caller of what is done by Telegram. */
export const CALLER = 'telegram';
const KEY = 'telegram ';

/** The key of what a message confirms: the same message, should it come again, does nothing again. */
export const keyOf = (messageId: number, at: EpochMs): string => `${KEY}${istDay(at)} ${messageId}`;
export const isKeyOfChat = (key: string): boolean => key.startsWith(KEY);

/** `alt`, or `paper (paper)`: paper is marked as such. */
export const accountText = ({ broker, mode }: { readonly broker: string; readonly mode: Mode }) =>
  mode === 'paper' ? `${broker} (paper)` : broker;

/** A number of shares or of orders as it is written in India: `1,25,000`. */
export const count = (amount: number): string => amount.toLocaleString('en-IN');

/** `10:31:05` IST. */
export const clockTime = (at: EpochMs): string => istIso(at).slice(11, 19);

/** What a message says of an order. */
export type OrderInWords = Pick<
  OrderResponse,
  'side' | 'quantity' | 'instrument' | 'orderType' | 'price' | 'triggerPrice' | 'broker' | 'mode'
>;

/** `BUY 10 NSE:INFY LIMIT ₹1,480.00`. */
function termsText(terms: OrderInWords): string {
  const { side, quantity, instrument, orderType, price, triggerPrice } = terms;
  return [
    `${side} ${quantity} ${instrument} ${orderType}`,
    ...(price === null ? [] : [rupees(price)]),
    ...(triggerPrice === null ? [] : [`trigger ${rupees(triggerPrice)}`]),
  ].join(' ');
}

/** `BUY 10 NSE:INFY MARKET at alt`; paper is marked as such. */
export function orderText(order: OrderInWords): string {
  return `${termsText(order)} at ${accountText(order)}`;
}

/** Below the service's limit of 4096, because it counts some characters differently. */
export const LONGEST_MESSAGE = 3_500;

/** Joins paragraphs into as few messages as possible; cuts a paragraph that is too long. */
export function messagesOf(paragraphs: readonly string[]): string[] {
  const messages: string[] = [];
  for (const paragraph of paragraphs.map(sendable)) {
    const last = messages.at(-1);
    if (last !== undefined && last.length + paragraph.length + 2 <= LONGEST_MESSAGE) {
      messages[messages.length - 1] = `${last}\n\n${paragraph}`;
    } else messages.push(paragraph);
  }
  return messages;
}

/** A text that the service accepts: not too long, and without half a character. */
export function sendable(text: string): string {
  const cut = text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`;
  return cut.toWellFormed();
}
