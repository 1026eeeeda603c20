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
const symbol = { exchange: name.min(1), tradingsymbol: name.min(1) };

export const positionRow = z.object({
  ...symbol,
  product: name.min(1),
  quantity: number,
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
/** Its rows are read one by one. */
export const positionsReply = z.object({ net: anyRows });

export const holdingRow = z.object({
  ...symbol,
  isin: name.nullish(),
  quantity: number,
  used_quantity: maybeNumber,
  t1_quantity: maybeNumber,
  realised_quantity: maybeNumber,
  average_price: maybeNumber,
  last_price: maybeNumber,
});
export type HoldingRow = z.infer<typeof holdingRow>;

export const margins = z.object({
  net: number,
  utilised: z.object({ debits: maybeNumber }).nullish(),
});
export type Margins = z.infer<typeof margins>;

export const profile = z.object({
  user_id: z.string().min(1).max(64),
  user_name: maybeText,
  email: maybeText,
});
export type KiteProfile = z.infer<typeof profile>;
