import type { StreamedEvent } from '../client/index.ts';
import { rupees } from '../src/domain/rupees.ts';
import { printable, shownValue } from '../src/platform/printable.ts';
import { type Order, orderLine } from './commands/orders.ts';
import { secondOf } from './table.ts';

/** Day, time, type, and what of it a person reads first. An order comes last, since it is the longest. */
export function eventLine({ at, type, data }: StreamedEvent): string {
  const { order, message, fill, ...others } = data as {
    readonly order?: Order | null;
    readonly message?: string;
    readonly fill?: { readonly quantity: number; readonly price: number } | null;
  };
  const filled = fill ? `${fill.quantity} at ${rupees(fill.price)}: ` : '';
  const parts = [
    `${secondOf(at)}  ${type}`,
    ...(message === undefined ? [] : [message]),
    ...figuresOf(others),
    ...(order ? [`${filled}${orderLine(order)}`] : []),
  ];
  return printable(parts.join('  '));
}

/** `name=value`; of a part as `exit.status=flat`. What is absent is left out. */
function figuresOf(data: object, of = ''): readonly string[] {
  return Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
    if (value === null || value === undefined) return [];
    if (of === '' && typeof value === 'object' && !Array.isArray(value)) {
      return figuresOf(value, `${name}.`);
    }
    return [`${of}${name}=${shownValue(value)}`];
  });
}
