import type { Mode } from '../domain/broker.ts';
import { istDay, readableTime } from '../domain/ist.ts';
import { decimal, ZERO } from '../domain/money.ts';
import type { EpochMs, OrderId } from '../units/branded.ts';
import type { LineOrder, OrderNews } from './order-digest.ts';
import { rupees } from '../domain/rupees.ts';
import { clockTime, count, orderText } from './words.ts';

/** News of an order, and who asked to cancel it (order-digest.ts). */
export interface LineNews {
  readonly orderId: OrderId;
  readonly news: OrderNews;
  readonly by: string | null | undefined;
}

/** The first word of each line: live and paper are never taken for each other. */
const MARKS: Readonly<Record<Mode, string>> = { live: 'LIVE', paper: 'PAPER' };

/** One order's line: `11:00:05 LIVE Filled 4 of 10 at ₹1,480.00, 6 remain: BUY 10 NSE:INFY … at alt`. */
export function orderLine({ orderId, news, by }: LineNews, now: EpochMs): string {
  const { order, at } = news;
  const time = istDay(at) === istDay(now) ? clockTime(at) : readableTime(at);
  if (order === null) {
    return `${time} Order ${orderId} has changed, and what the journal has of it cannot be read: GET /api/v1/orders/${orderId}`;
  }
  const why = by === undefined && isOwnReason(order) ? `. ${order.reason}` : '';
  const said = `${happened(order, news, by)}: ${orderText(order)}${why}`;
  return `${time} ${MARKS[order.mode]} ${said}`;
}

function happened(order: LineOrder, news: OrderNews, by: string | null | undefined): string {
  const { status } = order;
  const filled = filledText(order, news);
  switch (status) {
    case 'filled':
      return `Filled ${filled}`;
    case 'cancelled':
    case 'partial':
      return `Cancelled${byText(by)}, ${hasFills(order) ? `${filled} filled` : 'nothing filled'}`;
    case 'rejected':
      return hasFills(order) ? `Rejected, ${filled} filled` : 'Rejected';
    case 'not_sent':
      return 'Never sent';
    case 'accepted':
    case 'sending':
    case 'working':
    case 'uncertain':
    case 'disputed': {
      const left = order.remainingQuantity;
      const rest = left === null ? 'what remains is not known' : `${count(left)} remain`;
      return `Filled ${filled}, ${rest}`;
    }
  }
}

/** Nobody is named where no request of the gateway is known: it may have been the broker or the exchange. */
function byText(by: string | null | undefined): string {
  if (by === undefined) return '';
  return by === null ? ' by the gateway' : ` by ${by}`;
}

const hasFills = ({ filledQuantity }: LineOrder): boolean => (filledQuantity ?? 0) > 0;

/** `4 of 10 at ₹1,480.00 on average in 3 fills (₹5,920.00)`: of the whole order, not of the news alone. */
function filledText(order: LineOrder, { fills, filledNow }: OrderNews): string {
  const { filledQuantity: filled, quantity, averagePrice: price } = order;
  if (filled === null) {
    return `at least ${count(filledNow)} of ${count(quantity)}, how much in all is not known`;
  }
  const about = order.fillPriceSource === 'estimate' ? 'about ' : '';
  const total = price === null ? '' : ` (${about}${rupees(round(decimal(price).times(filled)))})`;
  const at = price === null ? ', price not known' : ` at ${about}${rupees(price)} on average`;
  const many = fills > 1 ? ` in ${count(fills)} fills` : '';
  return `${count(filled)} of ${count(quantity)}${at}${many}${total}`;
}

const round = (amount: { round(places: number): { toNumber(): number } }): number =>
  amount.round(2).toNumber();

/** A reason that says more than the status does. */
const isOwnReason = ({ status, reason }: LineOrder): boolean =>
  reason !== null && status !== 'filled' && status !== 'working';

/** Many orders in a few sentences, live and paper each by itself. */
export function summaryText(all: readonly LineNews[]): string {
  const times = all.flatMap(({ news }) => [news.since, news.at]);
  const [first, last] = [Math.min(...times), Math.max(...times)] as [EpochMs, EpochMs];
  const between = `from ${readableTime(first)} to ${readableTime(last)}`;
  const parts = (['live', 'paper'] as const).flatMap((mode) => modeSummary(mode, all));
  const unread = all.filter(({ news }) => news.order === null).length;
  return [
    `News of ${count(all.length)} orders ${between}, too many for a line each:`,
    ...parts,
    ...(unread === 0 ? [] : [`${count(unread)} that cannot be read`]),
    'GET /api/v1/orders has each of today.',
  ].join('\n');
}

function modeSummary(mode: Mode, all: readonly LineNews[]): readonly string[] {
  const known = all.flatMap(({ news }) =>
    news.order?.mode === mode ? [{ order: news.order, news }] : [],
  );
  if (known.length === 0) return [];
  const worthOf = (side: string): number => {
    const some = known.filter(({ order }) => order.side === side);
    return round(some.reduce((total, { news }) => total.plus(news.worth), ZERO));
  };
  const counted = (what: string, test: (order: LineOrder) => boolean): readonly string[] => {
    const times = known.filter(({ order }) => test(order)).length;
    return times === 0 ? [] : [`${count(times)} ${what}`];
  };
  const isStill = (order: LineOrder): boolean => order.status === 'filled';
  const isCancelled = ({ status }: LineOrder): boolean =>
    status === 'cancelled' || status === 'partial';
  const isOther = (order: LineOrder): boolean =>
    hasFills(order) && !isStill(order) && !isCancelled(order) && order.status !== 'rejected';
  const counts = [
    ...counted('filled', isStill),
    ...counted('filled in part', isOther),
    ...counted('cancelled', isCancelled),
    ...counted('rejected', ({ status }) => status === 'rejected'),
    ...counted('never sent', ({ status }) => status === 'not_sent'),
  ];
  const amounts = `bought for ${rupees(worthOf('BUY'))}, sold for ${rupees(worthOf('SELL'))}`;
  return [`${MARKS[mode]}: ${counts.join(', ')}; ${amounts}`];
}
