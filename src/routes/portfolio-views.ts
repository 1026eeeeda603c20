import type { z } from 'zod';
import {
  UNTOLD_FIGURES,
  type Funds,
  type FundsDetails,
  type Holding,
  type Position,
  type Profile,
  type Turnover,
} from '../domain/portfolio.ts';
import { isoOrNull } from './answer-parts.ts';
import type {
  fundsSchema,
  holdingSchema,
  positionSchema,
  profileSchema,
} from './portfolio-schemas.ts';

/** Field by field, so that nothing that is kept of an account is published by accident. */

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
