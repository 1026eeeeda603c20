import type { CancelAllAnswer, CancelResult } from '../domain/cancel-all.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import type { AskingCommand } from './confirmation.ts';
import { readOpenOrders, readOpenTriggers, type ReadOf, unreadText } from './held-accounts.ts';
import { accountText, CALLER, keyOf, orderText } from './words.ts';

/** The most orders that are named in one answer. */
const LISTED = 10;

/** The word after the command that means triggers as well. */
const TRIGGERS = 'triggers';

/** `/cancelall`: cancels all open orders, and triggers where asked, once it is confirmed (docs/many-orders.md). */
export function createCancelAllCommand(
  gateway: Pick<Gateway, 'getBrokers' | 'getOrders' | 'getTriggers' | 'cancelAll'>,
  clock: Clock,
): AskingCommand {
  return {
    async ask(words) {
      const withTriggers = words.includes(TRIGGERS);
      const [broker = null, ...more] = words.filter((word) => word !== TRIGGERS);
      const all = gateway.getBrokers();
      const accounts = all.filter((each) => broker === null || each.broker === broker);
      if (more.length > 0 || accounts.length === 0) {
        const names = all.map((each) => each.broker).join(', ');
        return `Not understood. Send /cancelall, or with an account (${names}): /cancelall alt. Triggers are deleted with /cancelall triggers.`;
      }
      const reads = await readOpenOrders(gateway, accounts);
      const lists = withTriggers ? await readOpenTriggers(gateway, accounts) : [];
      const unread = [
        ...unreadText(reads, 'The order book of'),
        ...unreadText(lists, 'The list of triggers of'),
      ];
      if (unread.length === 0 && [...reads, ...lists].every(({ rows }) => rows.length === 0)) {
        const none = withTriggers ? 'No open orders and no triggers' : 'No open orders';
        return `${none} at ${reads.map(accountText).join(', ')}.`;
      }
      return {
        text: [
          withTriggers
            ? 'Cancel all open orders and delete all triggers, those placed elsewhere included? Stops and targets ' +
              'of positions are among them.'
            : 'Cancel all open orders, those placed elsewhere included? Stops and targets of positions are among ' +
              'them.',
          ...reads.flatMap(countText),
          ...lists.flatMap(triggersText),
          ...unread,
          ...(unread.length > 0 ? [UNREAD] : []),
        ].join('\n'),
        async act(messageId) {
          const context = { caller: CALLER, idempotencyKey: keyOf(messageId, clock.now()) };
          const request = { broker, instrument: null, product: null, side: null } as const;
          const triggers = withTriggers ? ({ triggers: true } as const) : {};
          const asked = { ...request, scope: 'account', ...triggers } as const;
          return answerText(await gateway.cancelAll(asked, context));
        },
      };
    },
  };
}

const UNREAD =
  "There, the gateway's own orders that it knows to be open are cancelled; others once the book can be read. Of " +
  'triggers the same holds.';

const triggersText = ({ problem, rows, ...account }: ReadOf<unknown>): readonly string[] =>
  problem === null ? [`${accountText(account)}: ${rows.length} triggers`] : [];

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

/** How many there are of each result. */
function countsOf(all: readonly { readonly result: CancelResult }[]): string {
  const counts = Object.entries(RESULTS).flatMap(([result, words]) => {
    const count = all.filter((each) => each.result === result).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return counts.length === 0 ? 'none found' : counts.join(', ');
}

function answerText({ orders, triggers, errors, settled, repeated }: CancelAllAnswer): string {
  const left = orders.filter(({ result }) => result !== 'cancelled' && result !== 'over');
  const lines = left.slice(0, LISTED).map(({ order, result, reason }) => {
    return `${orderText(order)}: ${RESULTS[result]}${reason === null ? '' : ` (${reason})`}`;
  });
  const waiting = (triggers ?? []).filter(
    ({ result }) => result !== 'cancelled' && result !== 'over',
  );
  return [
    `${repeated ? 'That was confirmed before. ' : ''}Orders: ${countsOf(orders)}.`,
    ...(triggers === undefined ? [] : [`Triggers: ${countsOf(triggers)}.`]),
    ...lines,
    ...(left.length > LISTED ? [`and ${left.length - LISTED} more`] : []),
    ...waiting.slice(0, LISTED).map((each) => {
      const name = `trigger ${each.id ?? each.triggerId ?? ''} of ${each.instrument} at ${each.broker}`;
      return `${name}: ${RESULTS[each.result]}${each.reason === null ? '' : ` (${each.reason})`}`;
    }),
    ...(waiting.length > LISTED ? [`and ${waiting.length - LISTED} more triggers`] : []),
    ...errors.map(({ broker, reason }) =>
      triggers === undefined
        ? `The order book of ${broker} could not be read: ${reason}. Orders may be open there.`
        : `Not everything at ${broker} could be read: ${reason}. What is in no list may wait there.`,
    ),
    ...(settled ? [] : ['It goes on. /orders shows how each of them stands.']),
  ].join('\n');
}
