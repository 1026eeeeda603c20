import type { OrderTicket } from './managed-order.ts';
import type { PositionLine } from './position-line.ts';
import { netOf } from './position-line.ts';

/** Five times leverage for intraday orders. */
const INTRADAY_SHARE = 0.2;
/** What a written option blocks, as a share of strike times quantity: a stand-in for SPAN. */
const WRITTEN_SHARE = 0.12;

function written(strikeRupees: number, quantity: number): number {
  return strikeRupees * 100 * quantity * WRITTEN_SHARE;
}

/** What an open position blocks beyond its cost, paise. */
export function positionMargin(line: PositionLine): number {
  const net = netOf(line);
  if (net === 0 || line.product === 'delivery') return 0;
  if (line.product === 'intraday' && !line.instrument.option) {
    const price = net > 0 ? line.boughtValue / line.bought : line.soldValue / line.sold;
    return Math.abs(net) * price * INTRADAY_SHARE;
  }
  return net < 0 ? written(line.instrument.option?.strike ?? 0, -net) : 0;
}

type Sized = Pick<OrderTicket, 'instrument' | 'side' | 'quantity' | 'product' | 'limit'> & {
  filled?: number;
};

/**
 * What an order must have before it may go to the exchange, paise: nothing for one that closes a
 * position or sells holdings, the whole price for delivery and bought options.
 */
export function orderMargin(order: Sized, positions: readonly PositionLine[]): number {
  const quantity = order.quantity - (order.filled ?? 0);
  const isBuy = order.side === 'BUY';
  if (order.product === 'delivery') return isBuy ? quantity * order.limit : 0;
  const line = positions.find(
    (one) => one.instrument.key === order.instrument.key && one.product === order.product,
  );
  const net = line ? netOf(line) : 0;
  const closing = isBuy ? Math.max(0, -net) : Math.max(0, net);
  const opening = Math.max(0, quantity - closing);
  const { option } = order.instrument;
  if (option) return isBuy ? opening * order.limit : written(option.strike, opening);
  return opening * order.limit * INTRADAY_SHARE;
}
