import { z } from 'zod';
import { epochMs } from '../../units/branded.ts';

const text = z.string();
const maybeText = text.nullable();
const number = z.number();
const maybeNumber = number.nullable();

/** See ListedDerivative. */
const derivative = z
  .object({ expiry: maybeText, inOlderForm: z.literal(true).exactOptional() })
  .exactOptional();

const position = z.object({
  instrument: text,
  product: text,
  quantity: number,
  averagePrice: maybeNumber,
  lastPrice: maybeNumber,
  realisedPnl: maybeNumber,
  unrealisedPnl: maybeNumber,
  buyQuantity: number,
  sellQuantity: number,
  derivative,
});

const holding = z.object({
  instrument: text,
  isin: maybeText,
  quantity: number,
  usedQuantity: number,
  soldToday: number.exactOptional(),
  t1Quantity: number,
  mtfQuantity: maybeNumber.exactOptional(),
  pledgedQuantity: maybeNumber.exactOptional(),
  averagePrice: maybeNumber,
  lastPrice: maybeNumber,
});

const traded = z.object({ buyQuantity: number, sellQuantity: number });

const unreadPortfolioRow = z.object({
  list: z.enum(['positions', 'holdings']),
  instrument: maybeText,
  product: maybeText,
  quantity: maybeNumber,
  reason: text,
  derivative,
  traded: traded
    .extend({ day: traded.exactOptional(), carried: traded.exactOptional() })
    .exactOptional(),
  otherQuantities: z.array(number).exactOptional(),
});

const rows = { positions: z.array(position.loose()), holdings: z.array(holding.loose()) };

const missingRow = z.object({
  list: z.enum(['positions', 'holdings']),
  ...{ instrument: z.string(), product: z.string(), quantity: number },
  since: z.number().int().transform(epochMs),
});

/** What a read of an account found, as the journal keeps it. */
export const portfolioRows = {
  ...rows,
  unread: z.array(unreadPortfolioRow).exactOptional(),
  earlier: z.object(rows).exactOptional(),
  missing: z.array(missingRow).exactOptional(),
};
