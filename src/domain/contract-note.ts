import type { BrokerId } from './broker.ts';
import type { InstrumentName } from './instrument.ts';
import { decimal, sum, toPaisa, ZERO } from './money.ts';
import type { Side } from './order.ts';
import type { BrokerOrderId, TradingDay } from '../units/branded.ts';

/** An order of the day as far as it has filled: what a broker needs to compute its charges. */
export interface ExecutedOrder {
  readonly brokerOrderId: BrokerOrderId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  /** As in the row of the order; likewise `orderType` and `variety`. */
  readonly product: string;
  readonly orderType: string;
  /** Null where the broker does not tell it. */
  readonly variety: string | null;
  /** What has filled. */
  readonly quantity: number;
  /** The average price of that, rupees. */
  readonly price: number;
}

/** What an order cost besides its price, rupees; null where the broker does not tell or does not book it. */
export interface OrderCharges {
  readonly transactionTax: number | null;
  /** Which tax that is, by the broker's own name: `stt` of securities, `ctt` of commodities. */
  readonly transactionTaxType: string | null;
  readonly exchangeTurnover: number | null;
  readonly sebiTurnover: number | null;
  readonly brokerage: number | null;
  readonly stampDuty: number | null;
  readonly gst: GstCharges | null;
  readonly total: number;
}

export interface GstCharges {
  readonly igst: number | null;
  readonly cgst: number | null;
  readonly sgst: number | null;
  readonly total: number | null;
}

/** An order of the day that has filled, with its charges. */
export interface ContractNoteOrder extends Omit<ExecutedOrder, 'quantity' | 'price'> {
  /** Our order, or `<broker>:<brokerOrderId>`. */
  readonly orderId: string;
  readonly external: boolean;
  /** What has filled; null where the broker's row does not say it. */
  readonly quantity: number | null;
  /** Its average price, rupees; likewise. */
  readonly price: number | null;
  /** Null where they are not known. */
  readonly charges: OrderCharges | null;
}

export interface ContractNote {
  readonly day: TradingDay;
  /** In the order of the broker's book. */
  readonly orders: readonly ContractNoteOrder[];
  /** Of these orders; null where the charges of one are not known. */
  readonly total: OrderCharges | null;
}

export interface ContractNoteQuery {
  readonly broker?: BrokerId | undefined;
  /** Only the orders of this caller; absent for those of the account. */
  readonly caller?: string | undefined;
}

/** The sums of some orders, to the paisa. A sum is null where one order's figure is not known. */
export function totalCharges(charges: readonly OrderCharges[]): OrderCharges {
  const of = (figure: (one: OrderCharges) => number | null): number | null => {
    const figures = charges.map(figure);
    return figures.some((each) => each === null)
      ? null
      : toPaisa(sum(figures.map((each) => each ?? 0)));
  };
  const [tax = null, ...others] = new Set(charges.map((one) => one.transactionTaxType));
  const total = charges.reduce((all, one) => all.plus(decimal(one.total)), ZERO);
  const isOfGst = charges.every(({ gst }) => gst !== null);
  return {
    transactionTax: of((one) => one.transactionTax),
    transactionTaxType: others.length > 0 ? null : tax,
    exchangeTurnover: of((one) => one.exchangeTurnover),
    sebiTurnover: of((one) => one.sebiTurnover),
    brokerage: of((one) => one.brokerage),
    stampDuty: of((one) => one.stampDuty),
    gst: isOfGst
      ? {
          igst: of(({ gst }) => gst?.igst ?? null),
          cgst: of(({ gst }) => gst?.cgst ?? null),
          sgst: of(({ gst }) => gst?.sgst ?? null),
          total: of(({ gst }) => gst?.total ?? null),
        }
      : null,
    total: toPaisa(total.toNumber()),
  };
}
