import { gain } from '../../src/domain/rupees.ts';
import { type Context, PRODUCT_NAMES, type PRODUCTS } from '../command.ts';
import {
  canBe,
  deliveryText,
  type DeliveryShares,
  type HeldNow,
  readHeld,
  sharesLeft,
  unreadText,
} from './held.ts';
import { accountText } from './orders.ts';

/** What a closing is asked for. */
export interface ClosingWords {
  readonly product?: (typeof PRODUCTS)[number];
  readonly side?: 'BUY' | 'SELL';
  readonly instrument?: string;
  readonly holdings?: readonly string[];
  readonly includeUndelivered?: boolean;
  readonly broker?: string;
  readonly mine?: boolean;
}

/** What is held now. A closing takes what matches its filters, of what is held when it begins. */
export async function whatIsClosed(
  context: Pick<Context, 'client'>,
  options: ClosingWords,
): Promise<readonly string[]> {
  const accounts = await readHeld(context.client, options.broker);
  return [
    ...accounts.flatMap((account) => linesOfAccount(account, options)),
    ...(await scopeLines(context, options)),
  ];
}

function linesOfAccount(account: HeldNow, options: ClosingWords): readonly string[] {
  if (account.problem !== null) return [unreadText(account)];
  const { product, side, instrument, holdings = [] } = options;
  const wanted = product === undefined ? null : PRODUCT_NAMES[product];
  const isOfInstrument = (name: string): boolean =>
    instrument === undefined || canBe(instrument, name);
  const positions = account.positions.filter(
    (each) =>
      (wanted === null || each.product === wanted) &&
      (side === undefined || each.quantity > 0 === (side === 'BUY')) &&
      isOfInstrument(each.instrument),
  );
  const isNamed = (each: DeliveryShares): boolean =>
    holdings.some((name) => canBe(name, each.instrument)) && isOfInstrument(each.instrument);
  const sold = account.delivery.filter(isNamed);
  const kept = account.delivery.filter((each) => !isNamed(each)).map(deliveryText);
  const where = accountText(account);
  const rows = [
    ...positions.map(
      (each) =>
        `  ${each.quantity} ${each.instrument} ${each.product}, unrealised ${gain(each.unrealisedPnl)}`,
    ),
    ...sold.map((each) => `  ${saleText(each, options.includeUndelivered === true)}`),
  ];
  return [
    rows.length === 0
      ? `${where} has no position that the closing was asked for.`
      : `Open at ${where}; the closing takes these:`,
    ...rows,
    ...(kept.length === 0
      ? []
      : [`Delivery shares stay at ${where} (--holdings names what is sold): ${kept.join(', ')}`]),
  ];
}

/** As the gateway counts: without the option neither T1 shares are sold nor those bought today. */
function saleText(shares: DeliveryShares, includeUndelivered: boolean): string {
  const { instrument, holdings, t1, today } = shares;
  const all = Math.max(0, sharesLeft(shares));
  const sold = includeUndelivered ? all : Math.max(0, holdings - t1 + Math.min(0, today));
  const rest = all - sold;
  const text = `SELL ${sold} ${instrument} CNC, delivery shares`;
  return rest === 0
    ? text
    : `${text}; ${rest} are not delivered yet, and stay without --include-undelivered`;
}

/** Whether the closing takes whole positions, or what the orders of the key have made of them. */
async function scopeLines(
  { client }: Pick<Context, 'client'>,
  { mine }: ClosingWords,
): Promise<readonly string[]> {
  const isMine = mine === true || (await client.getKey({ id: 'me' })).data.scope !== 'admin';
  return isMine
    ? ['Of each, it closes only what the orders of this key have bought and sold.']
    : [];
}
