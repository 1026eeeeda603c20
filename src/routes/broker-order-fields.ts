import { z } from 'zod';
import type { TriggerPrices } from '../domain/broker-order-details.ts';
import type { OrderResponse } from '../domain/order.ts';
import { isoOrNull, time } from './define-route.ts';

const figure = z.number().nullable();
const word = z.string().nullable();
const triggerPrices = z.object({ trigger: figure, limit: figure }).nullable();

/**
 * What the last book of the broker tells of an order besides, as answers show it: null where it does not
 * tell it, and where the book does not have the order.
 */
export const brokerOrderFields = {
  isin: word,
  variety: word.meta({ description: 'How the broker takes it: regular, amo, iceberg, …' }),
  disclosedQuantity: figure,
  iceberg: z
    .object({
      leg: figure.meta({ description: 'The leg that the quantities of the order are of' }),
      legs: figure,
      legQuantity: figure,
      totalQuantity: figure,
      remainingQuantity: figure.meta({ description: 'Of the legs after this one' }),
    })
    .nullable()
    .meta({ description: 'Null also for an order that is no iceberg' }),
  validityMinutes: figure.meta({
    description: 'After how many minutes the broker ends an order with the validity TTL',
  }),
  algoId: word.meta({
    description:
      'What was sent: of the order, of its key, or of the settings; null where none was, and elsewhere',
  }),
  marketProtection: figure.meta({
    description:
      'Percent, as the book of the broker has it, else as it was sent; -1 is the broker’s own choice',
  }),
  pendingQuantity: figure.meta({
    description: 'As the broker has it, also of an order that is over',
  }),
  cancelledQuantity: figure,
  rawReason: word.meta({ description: 'The reason in the words of the broker’s systems' }),
  placedBy: word,
  parentBrokerOrderId: word,
  modified: z.boolean().nullable(),
  registeredAt: time
    .nullable()
    .meta({ description: 'At the broker; some move it on with a change' }),
  exchangeAt: time.nullable(),
  exchangeUpdatedAt: time.nullable(),
  stopLoss: triggerPrices,
  target: triggerPrices,
};

export function brokerOrderView({
  details,
  algoId,
  marketProtection,
}: Pick<OrderResponse, 'details' | 'algoId' | 'marketProtection'>) {
  return {
    isin: details?.isin ?? null,
    variety: details?.variety ?? null,
    disclosedQuantity: details?.disclosedQuantity ?? null,
    iceberg: details?.iceberg ? { ...details.iceberg } : null,
    validityMinutes: details?.validityMinutes ?? null,
    algoId: algoId ?? null,
    marketProtection: details?.marketProtection ?? marketProtection ?? null,
    pendingQuantity: details?.pendingQuantity ?? null,
    cancelledQuantity: details?.cancelledQuantity ?? null,
    rawReason: details?.rawReason ?? null,
    placedBy: details?.placedBy ?? null,
    parentBrokerOrderId: details?.parentBrokerOrderId ?? null,
    modified: details?.modified ?? null,
    registeredAt: isoOrNull(details?.registeredAt ?? null),
    exchangeAt: isoOrNull(details?.exchangeAt ?? null),
    exchangeUpdatedAt: isoOrNull(details?.exchangeUpdatedAt ?? null),
    stopLoss: pricesView(details?.stopLoss),
    target: pricesView(details?.target),
  };
}

const pricesView = (prices: TriggerPrices | null | undefined) =>
  prices ? { trigger: prices.trigger, limit: prices.limit } : null;
