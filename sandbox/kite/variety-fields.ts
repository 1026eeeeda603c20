import type { Exchange } from '../exchange/exchange.ts';
import type { Instrument, Side } from '../exchange/instrument.ts';
import { priceField, wholeNumber } from './form-fields.ts';
import { checkedPrice } from './order-prices.ts';
import { badInput } from './refusal.ts';

export const VARIETIES: readonly string[] = ['regular', 'amo', 'co', 'iceberg'];

/** The extra fields of a variety, checked, in the form of its row. */
export function varietyExtras(
  exchange: Exchange,
  instrument: Instrument,
  variety: string,
  side: Side,
  form: URLSearchParams,
): Record<string, unknown> {
  if (variety === 'co') {
    const stop = priceField(form, 'trigger_price');
    if (stop === null) throw badInput('Trigger price is required for cover orders.');
    const last = exchange.prices.last(instrument, exchange.clock.now());
    if (side === 'BUY' ? stop >= last : stop <= last) throw badInput('Invalid `trigger_price`.');
    return { product: 'CO', stop: checkedPrice(exchange, instrument, stop) };
  }
  if (variety !== 'iceberg') return {};
  const legs = wholeNumber(form, 'iceberg_legs');
  if (legs < 2 || legs > 10) throw badInput('Invalid `iceberg_legs`.');
  const total = wholeNumber(form, 'quantity');
  const leg = wholeNumber(form, 'iceberg_quantity');
  if (leg !== Math.ceil(total / legs)) throw badInput('Invalid `iceberg_quantity`.');
  const iceberg = { leg: 1, legs, leg_quantity: leg, total_quantity: total };
  return { meta: { iceberg: { ...iceberg, remaining_quantity: total - leg } satisfies Iceberg } };
}

/** The legs of an iceberg order as the row of each leg tells them. */
export interface Iceberg {
  leg: number;
  legs: number;
  leg_quantity: number;
  total_quantity: number;
  /** Of the legs after this one. */
  remaining_quantity: number;
}

/** Those of an order's row; null where it is no iceberg. */
export function icebergOf(extras: Record<string, unknown>): Iceberg | null {
  const meta = extras['meta'] as { iceberg?: Iceberg } | undefined;
  return meta?.iceberg ?? null;
}

/** The minutes of a TTL order; null for other validities. */
export function minutesToLive(form: URLSearchParams): number | null {
  if (form.get('validity') !== 'TTL') return null;
  const minutes = wholeNumber(form, 'validity_ttl');
  if (minutes > 120) throw badInput('Invalid `validity_ttl`.');
  return minutes;
}
