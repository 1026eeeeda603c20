import type {
  FundsDetails,
  HoldingDetails,
  PositionDetails,
  ProfileDetails,
} from '../../domain/portfolio.ts';
import { isObject } from './envelope.ts';
import { number, price, text, type Row } from './schemas.ts';

/**
 * What rows of the account tell besides the figures that the gateway decides by
 * (docs/spec/portfolio.md). None of it can make a row unreadable: a figure that is no number is null.
 */
export function positionDetailsOf(given: unknown): PositionDetails {
  const row = fieldsOf(given);
  const side = (name: 'buy' | 'sell') => ({
    price: price(row, `${name}_avg`),
    value: null,
    m2m: null,
  });
  return {
    isin: text(row, 'isin'),
    multiplier: number(row.multiplier),
    overnightQuantity: carriedOver(row),
    closePrice: null,
    value: number(row.market_value),
    pnl: number(row.pnl_absolute),
    m2m: null,
    bought: side('buy'),
    sold: side('sell'),
    dayBuyPrice: null,
    daySellPrice: null,
  };
}

/** The broker writes null for the side that has nothing; a row without either says nothing. */
function carriedOver(row: Row): number | null {
  const sides = [row.cf_buy_qty, row.cf_sell_qty];
  if (sides.some((value) => value === undefined)) return null;
  const [bought, sold] = sides.map((value) => (value === null || value === '' ? 0 : number(value)));
  return typeof bought === 'number' && typeof sold === 'number' ? bought - sold : null;
}

export function holdingDetailsOf(given: unknown): HoldingDetails {
  const row = fieldsOf(given);
  return {
    product: null,
    t1AveragePrice: price(row, 't1_avg_price'),
    deliveredQuantity: number(row.dp_qty),
    deliveredAveragePrice: price(row, 'dp_avg_price'),
    openingQuantity: null,
    shortQuantity: null,
    authorisedQuantity: null,
    authorisedAt: null,
    collateralQuantity: null,
    collateralType: null,
    discrepancy: null,
    closePrice: null,
    pnl: null,
    dayChange: null,
    dayChangePercent: null,
    mtf: null,
  };
}

export function fundsDetailsOf(given: unknown): FundsDetails {
  const data = fieldsOf(given);
  return {
    enabled: null,
    figures: {
      openingBalance: number(data.sod_balance),
      collateral: number(data.pledge_received),
      collateralLeft: number(data.pledge_remained),
      withdrawable: number(data.withdrawal_balance),
      payin: number(data.funds_added),
      payout: number(data.funds_withdrawn),
      realisedPnl: number(data.realized_pnl),
      unrealisedPnl: number(data.unrealized_pnl),
      brokerage: number(data.brokerage),
      equityCharges: number(data.eq_charges),
      derivativeCharges: number(data.fno_charges),
    },
  };
}

/** The segments in which the account may trade, by the names of the flags that say so. */
const SEGMENTS = {
  is_nse_onboarded: 'NSE',
  is_bse_onboarded: 'BSE',
  is_nse_fno_onboarded: 'NFO',
  is_bse_fno_onboarded: 'BFO',
};

export function profileDetailsOf(given: unknown): ProfileDetails {
  const row = fieldsOf(given);
  const told = Object.keys(SEGMENTS).some((flag) => typeof row[flag] === 'boolean');
  const open = Object.entries(SEGMENTS).filter(([flag]) => row[flag] === true);
  const ddpi = row.is_ddpi_active;
  return {
    shortName: null,
    userType: null,
    exchanges: told ? open.map(([, exchange]) => exchange) : null,
    products: null,
    orderTypes: null,
    dematId: text(row, 'demat_id'),
    // A standing instruction to the depository, with which each sale needs no consent of its own.
    dematConsent: typeof ddpi === 'boolean' ? (ddpi ? 'ddpi' : 'none') : null,
    clientCode: text(row, 'ucc'),
  };
}

const fieldsOf = (given: unknown): Row => (isObject(given) ? given : {});
