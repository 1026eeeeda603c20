import type { AccountReport, Figure, OrderCounts, WholeAccountReport } from './day-report.ts';
import { gain, rupees } from './rupees.ts';

const WORDS = [
  ['filled', 'filled'],
  ['partial', 'partly filled'],
  ['open', 'open'],
  ['cancelled', 'cancelled'],
  ['rejected', 'rejected'],
  ['notSent', 'not sent'],
  ['uncertain', 'uncertain'],
  ['disputed', 'disputed'],
] as const satisfies readonly (readonly [keyof OrderCounts, string])[];

/** `2 orders: 1 filled, 1 uncertain`; what there is none of is left out. */
export function ordersText(orders: OrderCounts): string {
  if (orders.placed === 0) return 'no orders';
  const parts = WORDS.flatMap(([field, word]) =>
    orders[field] > 0 ? [`${orders[field]} ${word}`] : [],
  );
  return `${orders.placed} ${orders.placed === 1 ? 'order' : 'orders'}: ${parts.join(', ')}`;
}

const amountText = ({ rupees: amount, estimate }: Figure, isGain: boolean): string => {
  if (amount === null) return 'not known';
  return `${isGain ? gain(amount) : rupees(amount)}${estimate ? ' (estimate)' : ''}`;
};

/** A figure with what is to be known of it, for people. */
export const figureText = (figure: Figure, isGain: boolean): string =>
  figure.note === null
    ? amountText(figure, isGain)
    : `${amountText(figure, isGain)}: ${figure.note}`;

/** `LIVE alt`, `PAPER`. */
export const accountName = ({ broker, mode }: Pick<AccountReport, 'broker' | 'mode'>): string =>
  mode === 'live' ? `LIVE ${broker}` : `PAPER${broker === mode ? '' : ` ${broker}`}`;

/** An account in a line or two: its profit, what it cost, its orders, and what is not known. */
export function accountLine(account: WholeAccountReport): string {
  const { profit, charges, net, orders, elsewhere, uncertainOrders } = account;
  const others = elsewhere ? `, and ${elsewhere} placed elsewhere` : '';
  const why = profit.rupees === null && profit.note !== null ? ` (${profit.note})` : '';
  const doubts =
    uncertainOrders.length === 0
      ? ''
      : `\nIt is not known how much has filled of ${uncertainOrders.join(', ')}.`;
  return (
    `${accountName(account)}: profit ${amountText(profit, true)}${why}, charges ${amountText(charges, false)}, ` +
    `after charges ${amountText(net, true)}; ${ordersText(orders)}${others}.${doubts}`
  );
}
