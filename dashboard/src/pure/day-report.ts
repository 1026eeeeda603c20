import type { Schemas } from '../../../client/index.ts';
import { count } from './format.ts';

const WORDS = [
  ['filled', 'filled'],
  ['partial', 'partly filled'],
  ['open', 'open'],
  ['cancelled', 'cancelled'],
  ['rejected', 'rejected'],
  ['notSent', 'not sent'],
  ['uncertain', 'uncertain'],
  ['disputed', 'disputed'],
] as const;

/** `4: 3 filled, 1 uncertain`; what there is none of is left out. */
export function ordersText(orders: Schemas['AccountReport']['orders']): string {
  const parts = WORDS.flatMap(([field, word]) =>
    orders[field] > 0 ? [`${count(orders[field])} ${word}`] : [],
  );
  return orders.placed === 0 ? 'none' : `${count(orders.placed)}: ${parts.join(', ')}`;
}
