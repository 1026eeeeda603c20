import type { Instrument } from '../../domain/instrument.ts';
import { refused, type Outcome } from '../../domain/outcome.ts';
import type { Quote } from '../../domain/quote.ts';
import { bestPrice } from './engine.ts';
import {
  availableCash,
  closingKey,
  positionKey,
  remainingOf,
  type LedgerState,
  type PaperOrder,
} from './state.ts';
import type { LedgerRules } from './match-order.ts';
import type { BrokerOrderId } from '../../units/branded.ts';

export function unaffordable(state: LedgerState): Outcome {
  const available = availableCash(state).toFixed(2);
  return refused(
    'other',
    `insufficient funds: the order with its brokerage needs more than ₹${available}`,
  );
}

/**
 * A MARKET order without a price to fill at or to block money by is not placed, and the caller is
 * told so.
 */
export function priceAbsent(
  order: PaperOrder,
  instrument: Instrument,
  quote: Quote | null,
  rules: LedgerRules,
): Outcome | null {
  if (order.orderType !== 'MARKET') return null;
  if (quote !== null && bestPrice(order.side, quote, rules.fills) !== null) return null;
  return refused('other', `no price for ${instrument.name} is available: nothing was placed`);
}

/** Shares cannot be sold short for delivery: resting sell orders count as sold. */
export function deliveryRefusal(
  state: LedgerState,
  before: PaperOrder | null,
  order: PaperOrder,
): Outcome | null {
  if (order.product !== 'CNC' || order.side !== 'SELL') return null;
  const held = state.holdings.get(order.instrument)?.quantity ?? 0;
  const today = state.positions.get(positionKey(order))?.quantity ?? 0;
  const promised = (state.closing.get(closingKey(order)) ?? 0) - (before?.closing ?? 0);
  const sellable = held + today - promised;
  if (remainingOf(order) <= sellable) return null;
  return refused(
    'other',
    `${remainingOf(order)} ${order.instrument} cannot be sold for delivery: ` +
      `${sellable} are held and not yet sold (holdings and today's purchases)`,
  );
}

export function unknownOrder(id: BrokerOrderId): Outcome {
  return refused('other', `the day's book has no order ${id}`);
}

export function finalRefusal({ id, status }: PaperOrder): Outcome | null {
  return status === 'working' ? null : refused('other', `order ${id} is ${status}`);
}
