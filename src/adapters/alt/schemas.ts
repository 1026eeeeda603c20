import { z } from 'zod';
import { realId } from '../../domain/broker-order.ts';
import { LONGEST_NAME, LONGEST_TAG, MOST_TAGS, statusOf } from '../kit/row-texts.ts';
import { plainWord } from '../kit/row-words.ts';

/**
 * The fields of the broker's replies that the gateway reads (docs/spec/kite-payloads.md). Fields
 * that a row must have are strict, so that no row is half read; fields that the gateway can do
 * without may be null, absent or unknown. A text that tells what a row is of is never longer than it
 * can be; words for people are cut where they are mapped.
 */
const number = z.number();
const maybeNumber = z.number().nullish();
const maybeText = z.string().nullish();
const count = z.number().int().nonnegative();
/** No other check reads a text that is too long. */
const name = z.string().max(LONGEST_NAME, { abort: true });
const maybeName = name.nullish();
const text = name.min(1);
/** A word that the gateway only shows: orders placed elsewhere have words of their own. */
const word = maybeName.transform((given) => given ?? '');
const side = name.transform(plainWord).pipe(z.enum(['BUY', 'SELL']));
const status = maybeText.transform((given) => statusOf(given ?? ''));
const tag = z.string().max(LONGEST_TAG);
/** The number of tags is checked before any of them is read. */
const tags = z
  .custom<unknown>((given) => Array.isArray(given) && given.length <= MOST_TAGS)
  .pipe(z.array(tag))
  .nullish();
const symbol = { exchange: text, tradingsymbol: text };

/** An id of an order or a trigger: digits, which go into paths unchanged, and not only zeros. */
const id = z.string().regex(/^(?=\d{0,31}[1-9])\d{1,32}$/);
/** An id that a row may lack, in whatever words. */
const maybeId = maybeName.transform((given) => realId(given));
const tradeId = text.refine((given) => realId(given) !== null);

/** One of the orders into which an order was split: it has an id, or says why it failed. */
const splitOrder = z.object({
  order_id: id.optional().catch(undefined),
  error: z
    .object({ message: maybeText.catch(null) })
    .optional()
    .catch(undefined),
});

export const acknowledgement = z.object({
  order_id: id,
  children: z.array(splitOrder).nullish(),
});

export const orderRow = z.object({
  ...symbol,
  order_id: id,
  exchange_order_id: maybeId,
  parent_order_id: maybeId,
  status,
  status_message: maybeText,
  status_message_raw: maybeText,
  order_timestamp: maybeText,
  exchange_update_timestamp: maybeText,
  exchange_timestamp: maybeText,
  variety: maybeText,
  order_type: word,
  transaction_type: side,
  validity: word,
  product: word,
  quantity: count,
  filled_quantity: z.unknown().optional(),
  pending_quantity: z.unknown().optional(),
  price: maybeNumber,
  trigger_price: maybeNumber,
  average_price: maybeNumber,
  meta: z.unknown().optional(),
  tag: tag.nullish(),
  tags,
});
export type OrderRow = z.infer<typeof orderRow>;
export const orderRows = z.array(orderRow);
/** What tells how an order is changed, also of a row that is no whole one. */
export const varietyFields = z.object({
  order_id: id,
  /** Only whether there is one matters: one that is too long is cut. */
  exchange_order_id: maybeText
    .transform((given) => realId(given?.slice(0, LONGEST_NAME)))
    .catch(null),
  parent_order_id: maybeId.catch(null),
  variety: maybeText.catch(null),
});
export type VarietyFields = z.infer<typeof varietyFields>;
/** Rows that are read one by one. */
export const anyRows = z.array(z.unknown());

export const tradeRow = z.object({
  trade_id: tradeId,
  order_id: maybeId,
  exchange_order_id: maybeId,
  exchange: maybeName,
  tradingsymbol: maybeName,
  transaction_type: maybeName,
  quantity: z.number().int().positive(),
  average_price: z.number().positive(),
  fill_timestamp: maybeText,
  exchange_timestamp: maybeText,
});
export type TradeRow = z.infer<typeof tradeRow>;
export const tradeRows = z.array(tradeRow);

/** The token goes into a header: visible characters only, and no colon. */
export const session = z.object({
  access_token: z.string().regex(/^[!-9;-~]{1,512}$/),
  user_id: z.string().min(1).max(64),
});

/** Only shown: one that is no number is null, and the quote is read all the same. */
const shown = maybeNumber.catch(null);
const QUOTE_TRADING = {
  average_price: shown,
  last_quantity: shown,
  buy_quantity: shown,
  sell_quantity: shown,
  oi: shown,
  oi_day_high: shown,
  oi_day_low: shown,
};

const level = z.object({ price: number, quantity: number, orders: maybeNumber });

export const quoteRow = z.object({
  timestamp: maybeText,
  last_trade_time: maybeText,
  last_price: z.number().nonnegative(),
  volume: maybeNumber,
  ...QUOTE_TRADING,
  lower_circuit_limit: maybeNumber,
  upper_circuit_limit: maybeNumber,
  ohlc: z
    .object({ open: maybeNumber, high: maybeNumber, low: maybeNumber, close: maybeNumber })
    .nullish(),
  depth: z.object({ buy: z.array(level), sell: z.array(level) }).nullish(),
});
export type QuoteRow = z.infer<typeof quoteRow>;
export const quotesReply = z.record(z.string(), quoteRow);
export const lastPricesReply = z.record(
  z.string(),
  z.object({ last_price: z.number().nonnegative() }),
);

const candle = z.tuple([text, number, number, number, number, number], z.unknown());
export type CandleRow = z.infer<typeof candle>;
export const candlesReply = z.object({ candles: z.array(candle) });

export const postback = z.object({
  order_id: id,
  order_timestamp: z.string().max(64),
  checksum: z.string().max(128),
  status: maybeText,
});

/** Parses data by a schema. Throws an Error that names the first wrong field and no value. */
export function parseAs<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`unexpected shape at ${issue?.path.join('.') || 'data'}: ${issue?.code ?? ''}`);
}

/** The replies of the broker's calculators, in rupees (docs/spec/kite-payloads.md). */
const charges = z
  .object({
    total: z.number(),
    gst: z.object({ total: z.number().nullish() }).nullish(),
  })
  .catchall(z.unknown());
export type ChargesRow = z.infer<typeof charges>;

const marginRow = z.object({ total: z.number(), charges: charges.nullish() }).catchall(z.unknown());
export type MarginRow = z.infer<typeof marginRow>;
/** One row for each order, in the order of the request. */
export const marginRows = z.array(marginRow);

export const basketReply = z.object({
  initial: marginRow,
  final: marginRow,
  orders: z.array(marginRow),
  charges: charges.nullish(),
});
export type BasketReply = z.infer<typeof basketReply>;

/**
 * Replies about good-till-triggered orders (docs/spec/kite-gtt.md). Ids arrive as numbers;
 * parseKiteJson makes them text.
 */
export const triggerAcknowledgement = z.object({ trigger_id: id });

const leg = z.object({
  transaction_type: side,
  product: word,
  order_type: z.string(),
  quantity: z.number(),
  price: z.number(),
  result: z
    .object({
      order_result: z
        .object({ status: maybeText, order_id: maybeText, rejection_reason: maybeText })
        .nullish(),
    })
    .nullish(),
});
export type TriggerLegRow = z.infer<typeof leg>;

export const triggerRow = z.object({
  id: id,
  type: z.string(),
  status: z.string(),
  created_at: maybeText,
  updated_at: maybeText,
  expires_at: maybeText,
  condition: z.object({
    exchange: z.string().min(1),
    tradingsymbol: z.string().min(1),
    trigger_values: z.array(z.number()),
  }),
  orders: z.array(leg),
});
export type TriggerRow = z.infer<typeof triggerRow>;
