import { z } from 'zod';
import {
  UNTOLD_FIGURES,
  type Funds,
  type FundsDetails,
  type FundsFigure,
  type Holding,
  type Position,
  type Profile,
  type Turnover,
} from '../domain/portfolio.ts';
import { isoOrNull, time } from './define-route.ts';

/** What the account holds, as answers show it (docs/spec/portfolio.md). */
const figure = z.number().nullable();
const word = z.string().nullable();
const words = z.array(z.string()).nullable();

const turnover = z.object({
  buyQuantity: z.number(),
  buyValue: z.number(),
  sellQuantity: z.number(),
  sellValue: z.number(),
});

export const positionSchema = z
  .object({
    instrument: z.string(),
    isin: word,
    product: z.string(),
    quantity: z.number().meta({ description: 'Negative when short' }),
    multiplier: figure.meta({ description: 'Units of one of quantity, where the broker says so' }),
    overnightQuantity: figure.meta({ description: 'Carried over from the day before' }),
    averagePrice: figure,
    lastPrice: figure,
    closePrice: figure.meta({ description: 'Of the day before' }),
    value: figure.meta({ description: 'Received less paid' }),
    realisedPnl: figure,
    unrealisedPnl: figure,
    pnl: figure,
    m2m: figure.meta({ description: 'Profit since the close of the day before' }),
    buyQuantity: z.number(),
    buyPrice: figure,
    buyValue: figure,
    buyM2m: figure,
    sellQuantity: z.number(),
    sellPrice: figure,
    sellValue: figure,
    sellM2m: figure,
    day: turnover
      .extend({ buyPrice: figure, sellPrice: figure })
      .nullable()
      .meta({ description: 'Traded today; null where the broker does not distinguish it' }),
    carried: turnover.nullable().meta({ description: 'Carried over from earlier days' }),
  })
  .meta({ id: 'Position' });

export const holdingSchema = z
  .object({
    instrument: z.string(),
    isin: word,
    product: word,
    quantity: z.number().meta({ description: 'All shares, T1 included' }),
    usedQuantity: z.number(),
    t1Quantity: z.number(),
    t1AveragePrice: figure,
    deliveredQuantity: figure.meta({ description: 'Of quantity: all but T1' }),
    deliveredAveragePrice: figure,
    openingQuantity: figure.meta({ description: 'Held when the day began' }),
    shortQuantity: figure,
    authorisedQuantity: figure.meta({
      description: 'May be sold by the authorisation at the depository',
    }),
    authorisedAt: time.nullable(),
    collateralQuantity: figure.meta({ description: 'Pledged for margin' }),
    collateralType: word,
    discrepancy: z.boolean().nullable(),
    averagePrice: figure,
    lastPrice: figure,
    closePrice: figure.meta({ description: 'Of the day before' }),
    pnl: figure,
    dayChange: figure.meta({ description: 'Of one share, since the close of the day before' }),
    dayChangePercent: figure,
    mtf: z
      .object({
        quantity: figure,
        usedQuantity: figure,
        averagePrice: figure,
        value: figure,
        initialMargin: figure,
      })
      .nullable()
      .meta({ description: "Bought with the broker's money; not counted in quantity" }),
  })
  .meta({ id: 'Holding' });

const segmentFundsFields = {
  enabled: z.boolean().nullable().meta({ description: 'Whether the account may trade it' }),
  cash: figure.meta({ description: 'Without collateral' }),
  openingBalance: figure,
  liveBalance: figure,
  collateral: figure.meta({ description: 'Margin for pledged securities' }),
  collateralLeft: figure,
  liquidCollateral: figure.meta({ description: 'Used of the collateral in liquid funds' }),
  stockCollateral: figure.meta({ description: 'Used of the collateral in stocks' }),
  adhocMargin: figure,
  payin: figure.meta({ description: 'Paid in today' }),
  payout: figure.meta({ description: 'Paid out today' }),
  withdrawable: figure,
  span: figure.meta({ description: 'SPAN margin in use' }),
  exposure: figure.meta({ description: 'Exposure margin in use' }),
  optionPremium: figure,
  delivery: figure,
  holdingSales: figure,
  turnover: figure,
  realisedPnl: figure.meta({ description: "The day's, by the broker's own count" }),
  unrealisedPnl: figure,
  brokerage: figure.meta({ description: 'Charges of the day, as the next two' }),
  equityCharges: figure,
  derivativeCharges: figure,
} satisfies Record<FundsFigure | 'enabled', z.ZodType>;

export const fundsSchema = z
  .object({
    available: z.number().meta({ description: 'Buying power, rupees' }),
    used: figure,
    total: figure,
    byProduct: z.record(z.string(), z.number()),
    ...segmentFundsFields,
    commodity: z
      .object({ available: figure, used: figure, total: figure, ...segmentFundsFields })
      .nullable()
      .meta({ description: 'Funds of the commodity segment; null where the broker tells none' }),
  })
  .meta({ id: 'Funds' });

export const profileSchema = z
  .object({
    userId: z.string(),
    name: word,
    email: word,
    shortName: word,
    userType: word,
    exchanges: words.meta({ description: 'Where the account may trade' }),
    products: words,
    orderTypes: words,
    dematId: word,
    dematConsent: word,
    clientCode: word,
  })
  .meta({ id: 'Profile' });

export function positionView(position: Position): z.output<typeof positionSchema> {
  const { day, carried, details } = position;
  return {
    instrument: position.instrument,
    isin: details?.isin ?? null,
    product: position.product,
    quantity: position.quantity,
    multiplier: details?.multiplier ?? null,
    overnightQuantity: details?.overnightQuantity ?? null,
    averagePrice: position.averagePrice,
    lastPrice: position.lastPrice,
    closePrice: details?.closePrice ?? null,
    value: details?.value ?? null,
    realisedPnl: position.realisedPnl,
    unrealisedPnl: position.unrealisedPnl,
    pnl: details?.pnl ?? null,
    m2m: details?.m2m ?? null,
    buyQuantity: position.buyQuantity,
    buyPrice: details?.bought.price ?? null,
    buyValue: details?.bought.value ?? null,
    buyM2m: details?.bought.m2m ?? null,
    sellQuantity: position.sellQuantity,
    sellPrice: details?.sold.price ?? null,
    sellValue: details?.sold.value ?? null,
    sellM2m: details?.sold.m2m ?? null,
    day: day
      ? {
          ...turnoverView(day),
          buyPrice: details?.dayBuyPrice ?? null,
          sellPrice: details?.daySellPrice ?? null,
        }
      : null,
    carried: carried ? turnoverView(carried) : null,
  };
}

const turnoverView = ({ buyQuantity, buyValue, sellQuantity, sellValue }: Turnover) => ({
  buyQuantity,
  buyValue,
  sellQuantity,
  sellValue,
});

export function holdingView(holding: Holding): z.output<typeof holdingSchema> {
  const { details } = holding;
  return {
    instrument: holding.instrument,
    isin: holding.isin,
    product: details?.product ?? null,
    quantity: holding.quantity,
    usedQuantity: holding.usedQuantity,
    t1Quantity: holding.t1Quantity,
    t1AveragePrice: details?.t1AveragePrice ?? null,
    deliveredQuantity: details?.deliveredQuantity ?? null,
    deliveredAveragePrice: details?.deliveredAveragePrice ?? null,
    openingQuantity: details?.openingQuantity ?? null,
    shortQuantity: details?.shortQuantity ?? null,
    authorisedQuantity: details?.authorisedQuantity ?? null,
    authorisedAt: isoOrNull(details?.authorisedAt ?? null),
    collateralQuantity: details?.collateralQuantity ?? null,
    collateralType: details?.collateralType ?? null,
    discrepancy: details?.discrepancy ?? null,
    averagePrice: holding.averagePrice,
    lastPrice: holding.lastPrice,
    closePrice: details?.closePrice ?? null,
    pnl: details?.pnl ?? null,
    dayChange: details?.dayChange ?? null,
    dayChangePercent: details?.dayChangePercent ?? null,
    mtf: details?.mtf ? { ...details.mtf } : null,
  };
}

export function fundsView(funds: Funds): z.output<typeof fundsSchema> {
  const { available, used, total, byProduct, details, commodity } = funds;
  return {
    ...{ available, used, total, byProduct: { ...byProduct } },
    ...detailsView(details),
    commodity: commodity
      ? {
          ...{ available: commodity.available, used: commodity.used, total: commodity.total },
          ...detailsView(commodity.details),
        }
      : null,
  };
}

const detailsView = (details: FundsDetails | undefined) => ({
  enabled: details?.enabled ?? null,
  ...UNTOLD_FIGURES,
  ...details?.figures,
});

export function profileView(profile: Profile): z.output<typeof profileSchema> {
  const { userId, name, email, details } = profile;
  const copy = (list: readonly string[] | null | undefined) => (list ? [...list] : null);
  return {
    ...{ userId, name, email },
    shortName: details?.shortName ?? null,
    userType: details?.userType ?? null,
    exchanges: copy(details?.exchanges),
    products: copy(details?.products),
    orderTypes: copy(details?.orderTypes),
    dematId: details?.dematId ?? null,
    dematConsent: details?.dematConsent ?? null,
    clientCode: details?.clientCode ?? null,
  };
}
