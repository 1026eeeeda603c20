import { z } from 'zod';
import type { ExecutedOrder, OrderCharges } from '../../domain/contract-note.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import type { Account } from '../../domain/ports.ts';
import type { MarginsParts } from './margins.ts';
import { PRODUCTS } from './request.ts';
import { parseAs } from './schemas.ts';
import type { SdkParams } from './sdk.ts';

const figure = z.number().nullish();

/** A row of `POST /charges/orders`, rupees. What it repeats of the order tells that it is the order's. */
const chargesRow = z.object({
  exchange: z.string(),
  tradingsymbol: z.string(),
  transaction_type: z.string(),
  quantity: z.number(),
  charges: z
    .object({
      transaction_tax: figure,
      transaction_tax_type: z.string().max(16).nullish().catch(null),
      exchange_turnover_charge: figure,
      sebi_turnover_charge: figure,
      brokerage: figure,
      stamp_duty: figure,
      gst: z.object({ igst: figure, cgst: figure, sgst: figure, total: figure }).nullish(),
      total: z.number(),
    })
    .nullish(),
});
type ChargesRow = z.infer<typeof chargesRow>;

const chargesReply = z.array(chargesRow);

/**
 * The charges of orders that have filled (docs/spec/kite-payloads.md, "Contract note"). All of them go into
 * one request: the tax on a position that was closed the same day is less than that of its orders alone.
 * The reply has no ids, and a row for each order in the order of the request; each is compared with its order.
 */
export function createAltCharges(parts: MarginsParts): NonNullable<Account['charges']> {
  const { client, guardedCalls, queues } = parts;
  return async (orders) => {
    if (orders.length === 0) return [];
    const params = orders.map(chargeParams);
    return guardedCalls.read(
      queues.asked,
      (token) => client.orderCharges(token, params),
      (data) => {
        const rows = parseAs(chargesReply, data);
        if (rows.length !== orders.length) {
          throw new Error('the charges do not have one row for each order');
        }
        return rows.map((row, place) => {
          const asked = params[place];
          if (asked && isOf(row, asked)) return toCharges(row);
          throw new Error(`row ${place} of the charges is of another order than was asked about`);
        });
      },
    );
  };
}

const isOf = (row: ChargesRow, asked: SdkParams): boolean =>
  row.exchange === asked['exchange'] &&
  row.tradingsymbol === asked['tradingsymbol'] &&
  row.transaction_type === asked['transaction_type'] &&
  row.quantity === asked['quantity'];

/** Null where the broker has calculated nothing: no order is free of charges. */
function toCharges({ charges }: ChargesRow): OrderCharges | null {
  if (!charges || charges.total <= 0) return null;
  const { gst } = charges;
  return {
    transactionTax: charges.transaction_tax ?? null,
    transactionTaxType: charges.transaction_tax_type ?? null,
    exchangeTurnover: charges.exchange_turnover_charge ?? null,
    sebiTurnover: charges.sebi_turnover_charge ?? null,
    brokerage: charges.brokerage ?? null,
    stampDuty: charges.stamp_duty ?? null,
    gst: gst
      ? {
          igst: gst.igst ?? null,
          cgst: gst.cgst ?? null,
          sgst: gst.sgst ?? null,
          total: gst.total ?? null,
        }
      : null,
    total: charges.total,
  };
}

export function chargeParams(order: ExecutedOrder): SdkParams {
  const { brokerOrderId, instrument, side, product, orderType, variety, quantity, price } = order;
  const exchange = exchangeOf(instrument);
  return {
    order_id: brokerOrderId,
    exchange,
    tradingsymbol: instrument.slice(exchange.length + 1),
    transaction_type: side,
    variety: variety ?? 'regular',
    product: isOurs(product) ? PRODUCTS[product] : product,
    order_type: orderType,
    quantity,
    average_price: price,
  };
}

const isOurs = (product: string): product is keyof typeof PRODUCTS => product in PRODUCTS;
