import { z } from 'zod';
import { LONGEST_NAME } from '../kit/row-texts.ts';
import { anyRows } from './schemas.ts';

/**
 * The fields of positions, holdings, funds and the profile (docs/spec/kite-payloads.md), read as those
 * of orders are (schemas.ts).
 */
const number = z.number();
const maybeNumber = z.number().nullish();
const maybeText = z.string().nullish();
const name = z.string().max(LONGEST_NAME);
/**
 * Figures and words that are only shown. One of another type is null: nothing decides by it, and the
 * exit guard must not lose a row because of it.
 */
const shown = z.number().nullish().catch(null);
const shownText = name.nullish().catch(null);
const shownFlag = z.boolean().nullish().catch(null);
const shownWords = z.array(name).max(64).nullish().catch(null);
const symbol = { exchange: name.min(1), tradingsymbol: name.min(1) };

export const positionRow = z.object({
  ...symbol,
  product: name.min(1),
  quantity: number,
  overnight_quantity: maybeNumber.catch(null),
  multiplier: maybeNumber,
  average_price: maybeNumber,
  last_price: maybeNumber,
  pnl: maybeNumber,
  realised: maybeNumber,
  unrealised: maybeNumber,
  buy_quantity: number,
  sell_quantity: number,
  buy_value: maybeNumber,
  sell_value: maybeNumber,
  day_buy_quantity: maybeNumber,
  day_buy_value: maybeNumber,
  day_sell_quantity: maybeNumber,
  day_sell_value: maybeNumber,
});
export type PositionRow = z.infer<typeof positionRow>;
/** What is read of a row of which the rest cannot be. */
export const positionQuantities = positionRow.pick({
  ...{ quantity: true, overnight_quantity: true, buy_quantity: true, sell_quantity: true },
  ...{ day_buy_quantity: true, day_sell_quantity: true },
});
export type PositionQuantities = z.infer<typeof positionQuantities>;
/** Its rows are read one by one. */
export const positionsReply = z.object({ net: anyRows });
export const dayPositionsReply = z.object({ day: anyRows });

export const positionDetails = z.object({
  multiplier: shown,
  overnight_quantity: shown,
  close_price: shown,
  value: shown,
  pnl: shown,
  m2m: shown,
  buy_price: shown,
  buy_value: shown,
  buy_m2m: shown,
  sell_price: shown,
  sell_value: shown,
  sell_m2m: shown,
  day_buy_price: shown,
  day_sell_price: shown,
});

export const holdingRow = z.object({
  ...symbol,
  isin: name.nullish(),
  quantity: number,
  used_quantity: maybeNumber,
  t1_quantity: maybeNumber,
  realised_quantity: maybeNumber,
  collateral_quantity: z.unknown().optional(),
  mtf: z.unknown().optional(),
  average_price: maybeNumber,
  last_price: maybeNumber,
});
export type HoldingRow = z.infer<typeof holdingRow>;

export const holdingDetails = z.object({
  product: shownText,
  realised_quantity: shown,
  opening_quantity: shown,
  short_quantity: shown,
  authorised_quantity: shown,
  authorised_date: shownText,
  collateral_quantity: shown,
  collateral_type: shownText,
  discrepancy: shownFlag,
  close_price: shown,
  pnl: shown,
  day_change: shown,
  day_change_percentage: shown,
  mtf: z
    .object({
      quantity: shown,
      used_quantity: shown,
      average_price: shown,
      value: shown,
      initial_margin: shown,
    })
    .nullish()
    .catch(null),
});

export const margins = z.object({
  net: number,
  utilised: z.object({ debits: maybeNumber }).nullish(),
});
export type Margins = z.infer<typeof margins>;
/** Of the whole account; each segment is read by itself. */
export const allMargins = z.object({ equity: z.unknown(), commodity: z.unknown().optional() });

export const marginDetails = z.object({
  enabled: shownFlag,
  net: shown,
  available: z
    .object({
      adhoc_margin: shown,
      cash: shown,
      opening_balance: shown,
      live_balance: shown,
      collateral: shown,
      intraday_payin: shown,
    })
    .nullish()
    .catch(null),
  utilised: z
    .object({
      debits: shown,
      exposure: shown,
      m2m_realised: shown,
      m2m_unrealised: shown,
      option_premium: shown,
      payout: shown,
      span: shown,
      holding_sales: shown,
      turnover: shown,
      liquid_collateral: shown,
      stock_collateral: shown,
      delivery: shown,
    })
    .nullish()
    .catch(null),
});
export type MarginDetails = z.infer<typeof marginDetails>;

export const profile = z.object({
  user_id: z.string().min(1).max(64),
  user_name: maybeText,
  email: maybeText,
  user_type: shownText,
  user_shortname: shownText,
  exchanges: shownWords,
  products: shownWords,
  order_types: shownWords,
  meta: z.object({ demat_consent: shownText }).nullish().catch(null),
});
export type KiteProfile = z.infer<typeof profile>;
