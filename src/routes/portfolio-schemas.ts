import { z } from 'zod';
import type { FundsFigure } from '../domain/portfolio.ts';
import { atOrNull, figure, instrumentShown, number, text, word } from './answer-parts.ts';
import { productShown } from './order-fields.ts';

/** What the account holds, as answers show it (docs/spec/portfolio.md). */
const UNTOLD = '; null where the broker does not tell it';
const words = (description: string) => z.array(z.string()).nullable().meta({ description });

const turnover = z.object({
  buyQuantity: number('Shares or units bought'),
  buyValue: number('Rupees paid for them'),
  sellQuantity: number('Shares or units sold'),
  sellValue: number('Rupees received for them'),
});

export const positionSchema = z
  .object({
    instrument: instrumentShown,
    isin: word(`The ISIN of the instrument${UNTOLD}`),
    product: productShown.meta({
      description: "CNC, INTRADAY or MARGIN, or the broker's own word, such as MTF",
    }),
    quantity: number('Shares or units that are open, negative when short; 0 once it is closed'),
    multiplier: figure(
      `Units of the underlying in one of quantity, as the broker states it${UNTOLD}`,
    ),
    overnightQuantity: figure(`Carried over from the day before, negative when short${UNTOLD}`),
    averagePrice: figure(`Rupees per share or unit that it was opened at on average${UNTOLD}`),
    lastPrice: figure(`The last traded price, in rupees${UNTOLD}`),
    closePrice: figure(`The close of the day before, in rupees${UNTOLD}`),
    value: figure(`Rupees received less rupees paid, as the broker has it${UNTOLD}`),
    realisedPnl: figure(`Rupees that closing it has made, without charges${UNTOLD}`),
    unrealisedPnl: figure(`Rupees that what is open has made so far, without charges${UNTOLD}`),
    pnl: figure(`Rupees that it has made in all, by the broker's own count${UNTOLD}`),
    m2m: figure(
      `Rupees made since the close of the day before, by the broker's own count${UNTOLD}`,
    ),
    buyQuantity: number('Shares or units bought, with those carried over'),
    buyPrice: figure(`Rupees per share or unit of them on average${UNTOLD}`),
    buyValue: figure(`Rupees paid for them${UNTOLD}`),
    buyM2m: figure(`Rupees of them, with what was carried over valued at the last close${UNTOLD}`),
    sellQuantity: number('Shares or units sold, with those carried over'),
    sellPrice: figure(`Rupees per share or unit of these on average${UNTOLD}`),
    sellValue: figure(`Rupees received for these${UNTOLD}`),
    sellM2m: figure(
      `Rupees of these, with what was carried over valued at the last close${UNTOLD}`,
    ),
    day: turnover
      .extend({
        buyPrice: figure(`Rupees per share or unit bought today on average${UNTOLD}`),
        sellPrice: figure(`Rupees per share or unit sold today on average${UNTOLD}`),
      })
      .nullable()
      .meta({ description: 'Traded today; null where the broker does not distinguish it' }),
    carried: turnover.nullable().meta({
      description: 'Carried over from earlier days; null where the broker does not distinguish it',
    }),
  })
  .meta({ id: 'Position' });

export const holdingSchema = z
  .object({
    instrument: instrumentShown,
    isin: word(`The ISIN of the share${UNTOLD}`),
    product: word(`The broker's word for how the shares are held${UNTOLD}`),
    quantity: number('All shares, T1 included'),
    usedQuantity: number(
      'Pledged, sold or otherwise blocked shares; they are not subtracted from quantity',
    ),
    t1Quantity: number('Shares of quantity that were bought and are still to be delivered'),
    t1AveragePrice: figure(`Rupees per share of these on average${UNTOLD}`),
    deliveredQuantity: figure(`Shares of quantity in the demat account: all but T1${UNTOLD}`),
    deliveredAveragePrice: figure(`Rupees per share of these on average${UNTOLD}`),
    openingQuantity: figure(`Shares held when the day began${UNTOLD}`),
    shortQuantity: figure(`Shares that the broker counts as short${UNTOLD}`),
    authorisedQuantity: figure(
      `Shares that may be sold today by the owner's authorisation at the depository${UNTOLD}`,
    ),
    authorisedAt: atOrNull(`Of when that authorisation is${UNTOLD}`),
    collateralQuantity: figure(`Shares pledged for margin${UNTOLD}`),
    collateralType: word(`The broker's word for the kind of the pledge${UNTOLD}`),
    discrepancy: z
      .boolean()
      .nullable()
      .meta({
        description: `Whether the broker says that its figures of this holding need a correction${UNTOLD}`,
      }),
    averagePrice: figure(`Rupees per share that it was bought at on average${UNTOLD}`),
    lastPrice: figure(`The last traded price, in rupees${UNTOLD}`),
    closePrice: figure(`The close of the day before, in rupees${UNTOLD}`),
    pnl: figure(`Rupees that it has made so far, by the broker's own count${UNTOLD}`),
    dayChange: figure(`Rupees of one share since the close of the day before${UNTOLD}`),
    dayChangePercent: figure(`The same in percent of that close${UNTOLD}`),
    mtf: z
      .object({
        quantity: figure(`Shares held so${UNTOLD}`),
        usedQuantity: figure(`Shares of these that were sold or are blocked${UNTOLD}`),
        averagePrice: figure(`Rupees per share of these on average${UNTOLD}`),
        value: figure(`The broker's value of these, in rupees${UNTOLD}`),
        initialMargin: figure(`Rupees of margin that these took at first${UNTOLD}`),
      })
      .nullable()
      .meta({
        description:
          "Bought with the broker's money (margin trading facility); not counted in quantity. Null where the broker tells none",
      }),
  })
  .meta({ id: 'Holding' });

const rupees = (description: string) => figure(`${description}, in rupees${UNTOLD}`);
const used = rupees('What positions and open orders use of the margin');
const total = rupees('What is available and what is used together');

const segmentFundsFields = {
  enabled: z
    .boolean()
    .nullable()
    .meta({
      description: `Whether the account may trade the segment${UNTOLD}`,
    }),
  cash: rupees('Cash, without collateral'),
  openingBalance: rupees('The balance when the day began'),
  liveBalance: rupees("The broker's present balance"),
  collateral: rupees('Margin for pledged securities'),
  collateralLeft: rupees('What of that margin is left'),
  liquidCollateral: rupees('Used of the collateral in liquid funds'),
  stockCollateral: rupees('Used of the collateral in stocks'),
  adhocMargin: rupees('Further margin that the broker grants'),
  payin: rupees('Paid in today'),
  payout: rupees('Paid out today'),
  withdrawable: rupees('What could be paid out'),
  span: rupees('SPAN margin in use'),
  exposure: rupees('Exposure margin in use'),
  optionPremium: rupees("The broker's figure for premium of options in use"),
  delivery: rupees("The broker's figure for margin of deliveries in use"),
  holdingSales: rupees("The broker's figure for holdings that were sold"),
  turnover: rupees("The broker's figure for turnover in use"),
  realisedPnl: rupees("The day's profit of what was closed, by the broker's own count"),
  unrealisedPnl: rupees("The day's profit of what is open, by the broker's own count"),
  brokerage: rupees('Brokerage of the day'),
  equityCharges: rupees('Other charges of the day for shares'),
  derivativeCharges: rupees('Other charges of the day for derivatives'),
} satisfies Record<FundsFigure | 'enabled', z.ZodType>;

export const fundsSchema = z
  .object({
    available: number('Buying power, rupees'),
    ...{ used, total },
    byProduct: z.record(z.string(), z.number()).meta({
      description:
        "Buying power in rupees by product, in the broker's words; empty where the broker does not distinguish products",
    }),
    ...segmentFundsFields,
    commodity: z
      .object({
        available: rupees('Buying power of the segment'),
        ...{ used, total },
        ...segmentFundsFields,
      })
      .nullable()
      .meta({ description: 'Funds of the commodity segment; null where the broker tells none' }),
  })
  .meta({ id: 'Funds' });

export const profileSchema = z
  .object({
    userId: text('The id of the user at the broker'),
    name: word(`The name of the person${UNTOLD}`),
    email: word(`The address that the broker writes to${UNTOLD}`),
    shortName: word(`What the broker calls the person${UNTOLD}`),
    userType: word(`The broker's word for the kind of the user${UNTOLD}`),
    exchanges: words(`Where the account may trade${UNTOLD}`),
    products: words(`Products that the account may use, in the broker's words${UNTOLD}`),
    orderTypes: words(`Types of orders that the account may use, in the broker's words${UNTOLD}`),
    dematId: word(`The id of the account at the depository${UNTOLD}`),
    dematConsent: word(
      `How the owner lets the broker deliver shares that are sold, such as \`physical\` or \`ddpi\`${UNTOLD}`,
    ),
    clientCode: word(`The client's code at the exchange${UNTOLD}`),
  })
  .meta({ id: 'Profile' });
