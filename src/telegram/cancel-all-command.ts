import type { CancelAllAnswer } from '../domain/cancel-all.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import type { AskingCommand } from './confirmation.ts';
import { readOpenOrders, type ReadOf, unreadText } from './held-accounts.ts';
import { accountText, CALLER, keyOf, orderText } from './words.ts';

/** The most orders that are named in one answer. */
const LISTED = 10;

/** `/cancelall`: cancels all open orders, once it is confirmed (docs/many-orders.md). */
export function createCancelAllCommand(
  gateway: Pick<Gateway, 'getBrokers' | 'getOrders' | 'cancelAll'>,
  clock: Clock,
): AskingCommand {
  return {
    async ask([broker = null, ...more]) {
      const all = gateway.getBrokers();
      const accounts = all.filter((each) => broker === null || each.broker === broker);
      if (more.length > 0 || accounts.length === 0) {
        const names = all.map((each) => each.broker).join(', ');
        return `Not understood. Send /cancelall, or with an account (${names}): /cancelall alt.`;
      }
      const reads = await readOpenOrders(gateway, accounts);
      const unread = unreadText(reads, 'The order book of');
      if (unread.length === 0 && reads.every(({ rows }) => rows.length === 0)) {
        return `No open orders at ${reads.map(accountText).join(', ')}.`;
      }
      return {
        text: [
          'Cancel all open orders, those placed elsewhere included? Stops and targets of positions are among ' +
            'them.',
          ...reads.flatMap(countText),
          ...unread,
          ...(unread.length > 0 ? [UNREAD] : []),
        ].join('\n'),
        async act(messageId) {
          const context = { caller: CALLER, idempotencyKey: keyOf(messageId, clock.now()) };
          const request = { broker, instrument: null, product: null, side: null } as const;
          return answerText(await gateway.cancelAll({ ...request, scope: 'account' }, context));
        },
      };
    },
  };
}

const UNREAD =
  "There, the gateway's own orders that it knows to be open are cancelled; others once the book can be read.";

function countText({ problem, rows, ...account }: ReadOf<OrderResponse>): readonly string[] {
  if (problem !== null) return [];
  const elsewhere = rows.filter(({ external }) => external).length;
  const placed = elsewhere === 0 ? '' : `, ${elsewhere} of them placed elsewhere`;
  return [`${accountText(account)}: ${rows.length === 0 ? 'none' : `${rows.length}${placed}`}`];
}

const RESULTS = {
  cancelled: 'cancelled',
  cancelling: 'being cancelled',
  over: 'over before',
  refused: 'refused by the broker',
  not_sent: 'not sent',
  uncertain: 'not known',
} as const;

function answerText({ orders, errors, settled, repeated }: CancelAllAnswer): string {
  const counts = Object.entries(RESULTS).flatMap(([result, words]) => {
    const count = orders.filter((each) => each.result === result).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const left = orders.filter(({ result }) => result !== 'cancelled' && result !== 'over');
  const lines = left.slice(0, LISTED).map(({ order, result, reason }) => {
    return `${orderText(order)}: ${RESULTS[result]}${reason === null ? '' : ` (${reason})`}`;
  });
  return [
    `${repeated ? 'That was confirmed before. ' : ''}Orders: ${counts.length === 0 ? 'none found' : counts.join(', ')}.`,
    ...lines,
    ...(left.length > LISTED ? [`and ${left.length - LISTED} more`] : []),
    ...errors.map(
      ({ broker, reason }) =>
        `The order book of ${broker} could not be read: ${reason}. Orders may be open there.`,
    ),
    ...(settled ? [] : ['It goes on. /orders shows how each of them stands.']),
  ].join('\n');
}
