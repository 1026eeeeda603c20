import { BrokerError } from '../../domain/outcome.ts';
import { beginningOf } from '../kit/row-texts.ts';
import { acknowledgement, parseAs } from './schemas.ts';
/** How many ids of parts a message names: an exchange's largest order has no more parts. */
const MOST_IDS = 20;

/**
 * The id of the order that the broker has taken. Where it has split the order, which is never asked for, no
 * one id stands for it: the outcome is open, and the book tells.
 */
export function acknowledgedId(data: unknown): string {
  const { order_id: id, children } = parseAs(acknowledgement, data);
  if (!children || children.length === 0) return id;
  const ids = children.flatMap(({ order_id: ofChild }) => ofChild ?? []);
  const failed = children.filter((child) => child.order_id === undefined);
  const why = failed.flatMap(({ error }) => (error?.message ? [beginningOf(error.message)] : []));
  const message =
    `the broker has split the order into ${children.length} orders beside ${id}, which was not asked for` +
    (ids.length === 0
      ? ''
      : ` (${ids.slice(0, MOST_IDS).join(', ')}${ids.length > MOST_IDS ? ', …' : ''})`) +
    (failed.length === 0 ? '' : `, and ${failed.length} of them failed`) +
    (why.length === 0 ? '' : `: ${[...new Set(why)].join('; ')}`);
  throw new BrokerError('alt', { kind: 'bad_payload', message });
}
