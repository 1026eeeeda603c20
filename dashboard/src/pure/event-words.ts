import type { StreamedEvent } from '../../../client/index.ts';
import { count, rupees } from './format.ts';
import { STATUS_WORDS, termsOf } from './orders.ts';

export const EVENT_KINDS = ['orders', 'exits', 'safety', 'alerts', 'others'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export function eventKind(type: string): EventKind {
  if (type.startsWith('order.') || type.startsWith('basket.')) return 'orders';
  if (type.startsWith('exit.') || type.startsWith('closing.')) return 'exits';
  if (type.startsWith('kill_switch.')) return 'safety';
  if (type === 'alert' || type.startsWith('signal.')) return 'alerts';
  return 'others';
}

/** An event in one line. */
export function eventWords({ type, data }: Pick<StreamedEvent, 'type' | 'data'>): string {
  const { order, fill } = data;
  if (type === 'order.fill' && fill && order) {
    return `Filled ${count(fill.quantity)} at ${rupees(fill.price)}: ${termsOf(order)}`;
  }
  const told = ['message', 'detail', 'reason', 'state', 'broker'].flatMap((name) => {
    const value = data[name];
    return typeof value === 'string' ? [value] : [];
  });
  if (order) return [`${termsOf(order)}: ${STATUS_WORDS[order.status]}`, ...told].join('. ');
  const nested: unknown = Object.values(data).find(
    (value) => typeof value === 'object' && value !== null && 'detail' in value,
  );
  const detail: unknown = nested && Reflect.get(Object(nested), 'detail');
  return [...told, ...(typeof detail === 'string' ? [detail] : [])].join('. ');
}
