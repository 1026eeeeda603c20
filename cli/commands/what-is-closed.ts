import type { Answer, Client } from '../../client/index.ts';
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

type Position = Answer<'getPositions'>['data'][number];

/** What is held now. A closing takes what matches its filters, of what is held when it begins. */
export async function whatIsClosed(
  { client }: Pick<Context, 'client'>,
  options: ClosingWords,
): Promise<readonly string[]> {
  const isMine =
    options.mine === true || (await client.getKey({ id: 'me' })).data.scope !== 'admin';
  const accounts = await readHeld(client, options.broker);
  const lines = accounts.map(async (account) =>
    linesOfAccount(account, options, isMine ? await ownPositions(client, account) : null),
  );
  return [
    ...(await Promise.all(lines)).flat(),
    ...(isMine
      ? [
          'Of each, it closes only what the orders of this key have bought and sold, and never more than the account has.',
        ]
      : []),
  ];
}

/** What the orders of the key hold at an account. */
async function ownPositions(client: Client, { broker }: HeldNow): Promise<readonly Position[]> {
  const { data } = await client.getPositions({ broker, scope: 'mine', maxAgeMs: 0 });
  return data.filter(({ quantity }) => quantity !== 0);
}

/** `own` is what the key holds; null where whole positions are closed. */
function linesOfAccount(
  account: HeldNow,
  options: ClosingWords,
  own: readonly Position[] | null,
): readonly string[] {
  if (account.problem !== null) return [unreadText(account)];
  const { product, side, instrument, holdings = [] } = options;
  const wanted = product === undefined ? null : PRODUCT_NAMES[product];
  const isOfInstrument = (name: string): boolean =>
    instrument === undefined || canBe(instrument, name);
  const positions = (own ?? account.positions).filter(
    (each) =>
      each.product !== 'CNC' &&
      (wanted === null || each.product === wanted) &&
      (side === undefined || each.quantity > 0 === (side === 'BUY')) &&
      isOfInstrument(each.instrument),
  );
  const isNamed = (each: DeliveryShares): boolean =>
    holdings.some((name) => canBe(name, each.instrument)) && isOfInstrument(each.instrument);
  const sold = account.delivery.filter(isNamed);
  const kept = account.delivery.filter((each) => !isNamed(each)).map(deliveryText);
  const where = accountText(account);
  const most = ({ instrument: name }: DeliveryShares): number =>
    own === null
      ? Infinity
      : own
          .filter((each) => each.product === 'CNC' && each.instrument === name)
          .reduce((sum, each) => sum + Math.max(0, each.quantity), 0);
  const rows = [
    ...positions.map(
      (each) =>
        `  ${each.quantity} ${each.instrument} ${each.product}, unrealised ${gain(each.unrealisedPnl)}`,
    ),
    ...sold.map((each) => `  ${saleText(each, options.includeUndelivered === true, most(each))}`),
  ];
  return [
    rows.length === 0
      ? `${where} has no position that the closing was asked for.`
      : `Open at ${where}${own === null ? '' : ', by the orders of this key'}; the closing takes these:`,
    ...rows,
    ...(kept.length === 0
      ? []
      : [`Delivery shares stay at ${where} (--holdings names what is sold): ${kept.join(', ')}`]),
  ];
}

/** As the gateway counts: without the option neither T1 shares are sold nor those bought today. */
function saleText(shares: DeliveryShares, includeUndelivered: boolean, most: number): string {
  const { instrument, holdings, t1, today } = shares;
  const all = Math.max(0, sharesLeft(shares));
  const free = includeUndelivered ? all : Math.max(0, holdings - t1 + Math.min(0, today));
  const sold = Math.min(free, most);
  const text = `SELL ${sold} ${instrument} CNC, delivery shares`;
  if (sold < free) return `${text}; the others were not bought by the orders of this key, and stay`;
  const rest = all - free;
  return rest === 0
    ? text
    : `${text}; ${rest} are not delivered yet, and stay without --include-undelivered`;
}
