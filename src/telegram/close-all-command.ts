import { PRODUCTS, type Product } from '../domain/order.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import type { AskingCommand } from './confirmation.ts';
import { type HeldPosition, readHeld, tradingAccounts, unreadText } from './held-accounts.ts';
import { accountText, CALLER, keyOf } from './words.ts';

const USAGE = 'Send /closeall, or with an account, a product or both: /closeall alt INTRADAY.';

/** `/closeall`: ends all positions but delivery shares, once it is confirmed (docs/exits.md). */
export function createCloseAllCommand(
  gateway: Pick<Gateway, 'getBrokers' | 'getPositions' | 'getHoldings' | 'closeAll'>,
  clock: Clock,
): AskingCommand {
  return {
    async ask(words) {
      let [broker, product]: [string | null, Product | null] = [null, null];
      for (const word of words) {
        const named = gateway.getBrokers().find((each) => each.broker === word)?.broker;
        const ofProduct = PRODUCTS.find((each) => each === word.toUpperCase() && each !== 'CNC');
        if (named !== undefined && broker === null) broker = named;
        else if (ofProduct !== undefined && product === null) product = ofProduct;
        else return `Not understood: ${word.slice(0, 40)}. ${USAGE}`;
      }
      const accounts = gateway.getBrokers().filter((each) => each.broker === broker);
      const reads = await readHeld(gateway, broker === null ? tradingAccounts(gateway) : accounts);
      const unread = unreadText(reads, 'What is held at');
      // A closing begins only where each of its accounts can be read.
      if (unread.length > 0) {
        const others = reads.flatMap((each) => (each.problem === null ? [each.broker] : []));
        const instead =
          broker === null && others.length > 0
            ? [`Of one account alone: ${others.map((each) => `/closeall ${each}`).join(', ')}`]
            : [];
        return [...unread, 'Nothing was asked. Send it again in a moment.', ...instead].join('\n');
      }
      const counted = reads.map((read) => ({ read, open: read.rows.filter(isClosed(product)) }));
      if (counted.every(({ open }) => open.length === 0)) {
        const where = reads.map(accountText).join(', ');
        return `No open positions at ${where}. Delivery shares are not counted here.`;
      }
      const request = { broker, product, instrument: null, side: null, holdings: [] };
      return {
        text: [
          `Close all ${product === null ? '' : `${product} `}positions?`,
          ...counted.map(({ read, open }) => `${accountText(read)}: ${countText(open)}`),
          'Of each underlying what is short is closed first, and what is long is kept where that fails. ' +
            'Delivery shares are kept.',
        ].join('\n'),
        async act(messageId) {
          const context = { caller: CALLER, idempotencyKey: keyOf(messageId, clock.now()) };
          const asked = { ...request, includeUndelivered: false, scope: 'account' } as const;
          const { closing, repeated } = await gateway.closeAll(asked, context);
          const { id, positions, unread, status } = closing;
          if (repeated) return `That was confirmed before: closing ${id} is ${status}.`;
          return (
            `Closing ${id} of ${positions.length} positions has begun. ${unreadRows(unread.length)}A message follows when it is over. ` +
            `To end it: DELETE /api/v1/positions/close-all/${id}`
          );
        },
      };
    },
  };
}

const isClosed =
  (wanted: Product | null) =>
  ({ product }: HeldPosition): boolean =>
    product !== 'CNC' && (wanted === null || product === wanted);

const unreadRows = (rows: number): string =>
  rows === 0
    ? ''
    : `${rows} of the account's rows cannot be read: they are not closed, nor what may cover them. `;

function countText(open: readonly HeldPosition[]): string {
  const short = open.filter(({ quantity }) => quantity < 0).length;
  return open.length === 0
    ? 'none'
    : `${open.length} (${open.length - short} long, ${short} short)`;
}
