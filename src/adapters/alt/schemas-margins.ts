import { z } from 'zod';

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
