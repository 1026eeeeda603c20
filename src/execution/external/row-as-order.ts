import { type BrokerOrder, externalId } from '../../domain/broker-order.ts';
import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { InstrumentLookup, Segment } from '../../domain/instrument.ts';
import { ORDER_TYPES, PRODUCTS, VALIDITIES } from '../../domain/order.ts';
import { type EpochMs, epochMs, type TradingDay } from '../../units/branded.ts';
import { datedBy } from '../order/newest-row.ts';
import type { OrderRecord } from '../order/order.ts';

/** Exchanges of contracts; at the others, shares are traded. */
const OF_CONTRACTS = new Set(['NFO', 'BFO', 'CDS', 'BCD', 'MCX', 'NCO']);

/** By the lists, or by the exchange in its name, so that a cancel does not wait for lists. */
export function segmentOf(name: string, instruments: Pick<InstrumentLookup, 'byName'>): Segment {
  const known = instruments.byName(name)?.segment;
  return known ?? (OF_CONTRACTS.has(name.split(':')[0] ?? '') ? 'DERIVATIVE' : 'EQUITY');
}

const known = <T extends string>(all: readonly T[], word: string): T | undefined =>
  all.find((each) => each === word);

/** Why an order placed elsewhere is not one that the gateway can modify; null where it is. */
export function whyNotModified(row: BrokerOrder): string | null {
  const words = [
    ['type', row.orderType, ORDER_TYPES],
    ['product', row.product, PRODUCTS],
    ['validity', row.validity, VALIDITIES],
  ] as const;
  const odd = words.find(([, word, all]) => !all.some((each) => each === word));
  if (!odd) return null;
  const [what, word] = odd;
  return `its ${what} ${word} is none that the gateway can modify: modify it in the broker's app, or cancel it`;
}

/**
 * A row of a book as an order, so that the rules of a change are those of an order of ours. Its caller is who
 * asks for the change. Nothing of it is kept. A word that the gateway does not know is replaced, which is
 * only right for a cancel: see `whyNotModified`.
 */
export function rowAsOrder(
  asRead: BrokerOrder,
  of: {
    /** When the book was asked for that has it (epoch ms); null where that is not known. */
    readonly asOf: EpochMs | null;
    readonly broker: BrokerId;
    readonly mode: Mode;
    readonly caller: string;
    readonly day: TradingDay;
    readonly instruments: Pick<InstrumentLookup, 'byName'>;
  },
): OrderRecord {
  const { asOf, broker, mode, caller, day } = of;
  const row = asOf === null ? asRead : datedBy(asRead, asOf);
  const { brokerOrderId, instrument, side, quantity, price, triggerPrice } = row;
  const at: EpochMs = row.createdAt ?? epochMs(0);
  return {
    id: externalId(broker, brokerOrderId),
    ...{ caller, idempotencyKey: '', requestHash: '', parentId: null, day, broker, mode },
    terms: {
      ...{ instrument, side, quantity, price, triggerPrice, amo: false },
      orderType: known(ORDER_TYPES, row.orderType) ?? 'LIMIT',
      product: known(PRODUCTS, row.product) ?? 'CNC',
      validity: known(VALIDITIES, row.validity) ?? 'DAY',
    },
    ...{ scripCode: null, segment: segmentOf(instrument, of.instruments), callerTag: null },
    state: {
      kind: 'working',
      binding: { brokerOrderId, by: 'id', exchangeOrderId: row.exchangeOrderId, row },
      fill: {
        ...{ filledQuantity: row.filledQuantity, averagePrice: row.averagePrice },
        fillPriceSource: null,
      },
      ...{ cancelWanted: false, unrecognisedSince: null },
    },
    ...{ createdAt: at, updatedAt: row.updatedAt ?? at },
  };
}
