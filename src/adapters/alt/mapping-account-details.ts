import { sum, toPaisa } from '../../domain/money.ts';
import type {
  FundsDetails,
  HoldingDetails,
  PositionDetails,
  ProfileDetails,
  SegmentFunds,
} from '../../domain/portfolio.ts';
import { positive, toProduct, wallTime } from './mapping.ts';
import {
  holdingDetails,
  type KiteProfile,
  type MarginDetails,
  marginDetails,
  positionDetails,
} from './schemas-portfolio.ts';

/**
 * What rows of the account tell besides the figures that the gateway decides by
 * (docs/spec/kite-payloads.md). None of it can make a row unreadable.
 */
export function positionDetailsOf(given: unknown): PositionDetails {
  const row = positionDetails.parse(given);
  return {
    isin: null,
    multiplier: row.multiplier ?? null,
    overnightQuantity: row.overnight_quantity ?? null,
    closePrice: positive(row.close_price),
    value: rupees(row.value),
    pnl: rupees(row.pnl),
    m2m: rupees(row.m2m),
    bought: {
      price: positive(row.buy_price),
      value: rupees(row.buy_value),
      m2m: rupees(row.buy_m2m),
    },
    sold: {
      price: positive(row.sell_price),
      value: rupees(row.sell_value),
      m2m: rupees(row.sell_m2m),
    },
    dayBuyPrice: positive(row.day_buy_price),
    daySellPrice: positive(row.day_sell_price),
  };
}

export function holdingDetailsOf(given: unknown): HoldingDetails {
  const row = holdingDetails.parse(given);
  return {
    product: row.product ? toProduct(row.product) : null,
    t1AveragePrice: null,
    deliveredQuantity: row.realised_quantity ?? null,
    deliveredAveragePrice: null,
    openingQuantity: row.opening_quantity ?? null,
    shortQuantity: row.short_quantity ?? null,
    authorisedQuantity: row.authorised_quantity ?? null,
    authorisedAt: wallTime(row.authorised_date),
    collateralQuantity: row.collateral_quantity ?? null,
    collateralType: row.collateral_type || null,
    discrepancy: row.discrepancy ?? null,
    closePrice: positive(row.close_price),
    pnl: rupees(row.pnl),
    dayChange: rupees(row.day_change),
    dayChangePercent: row.day_change_percentage ?? null,
    mtf: row.mtf
      ? {
          quantity: row.mtf.quantity ?? null,
          usedQuantity: row.mtf.used_quantity ?? null,
          averagePrice: positive(row.mtf.average_price),
          value: rupees(row.mtf.value),
          initialMargin: rupees(row.mtf.initial_margin),
        }
      : null,
  };
}

/** Funds of a segment that is not readable are absent. */
export function segmentFunds(given: unknown): SegmentFunds | undefined {
  const row = marginDetails.safeParse(given).data;
  if (row === undefined) return undefined;
  const available = rupees(row.net);
  const used = rupees(row.utilised?.debits);
  const total = available === null || used === null ? null : sum([available, used]);
  return { available, used, total, details: fundsDetails(row) };
}

function fundsDetails({ enabled, available, utilised }: MarginDetails): FundsDetails {
  const figures = {
    cash: rupees(available?.cash),
    openingBalance: rupees(available?.opening_balance),
    liveBalance: rupees(available?.live_balance),
    collateral: rupees(available?.collateral),
    liquidCollateral: rupees(utilised?.liquid_collateral),
    stockCollateral: rupees(utilised?.stock_collateral),
    adhocMargin: rupees(available?.adhoc_margin),
    payin: rupees(available?.intraday_payin),
    payout: rupees(utilised?.payout),
    span: rupees(utilised?.span),
    exposure: rupees(utilised?.exposure),
    optionPremium: rupees(utilised?.option_premium),
    delivery: rupees(utilised?.delivery),
    holdingSales: rupees(utilised?.holding_sales),
    turnover: rupees(utilised?.turnover),
    realisedPnl: rupees(utilised?.m2m_realised),
    unrealisedPnl: rupees(utilised?.m2m_unrealised),
  };
  return { enabled: enabled ?? null, figures };
}

export function profileDetails(row: KiteProfile): ProfileDetails {
  return {
    shortName: row.user_shortname || null,
    userType: row.user_type || null,
    exchanges: row.exchanges ?? null,
    products: row.products?.map(toProduct) ?? null,
    orderTypes: row.order_types ?? null,
    dematId: null,
    dematConsent: row.meta?.demat_consent || null,
    clientCode: null,
  };
}

/** Sums have the rounding noise of binary fractions. */
function rupees(value: number | null | undefined): number | null {
  return typeof value === 'number' ? toPaisa(value) : null;
}
