import { z } from 'zod';
import type { TriggerPrices } from '../domain/broker-order-details.ts';
import type { OrderResponse } from '../domain/order.ts';
import { atOrNull, figure, isoOrNull, word } from './answer-parts.ts';

const triggerPrices = (description: string) =>
  z
    .object({
      trigger: figure(
        'The price, in rupees, at which it goes out; null where the broker tells none',
      ),
      limit: figure('The limit, in rupees, with which it then goes out; null likewise'),
    })
    .nullable()
    .meta({ description });

/**
 * What the last book of the broker tells of an order besides, as answers show it: null where it does not
 * tell it, and where the book does not have the order.
 */
export const brokerOrderFields = {
  isin: word('The ISIN of the share, where the row of the broker has one'),
  variety: word('How the broker takes it: regular, amo, iceberg, …'),
  disclosedQuantity: figure(
    'Shares or units of it that the market sees; 0 for all, null where it is not told',
  ),
  iceberg: z
    .object({
      leg: figure('The leg that the quantities of the order are of'),
      legs: figure('How many legs it has'),
      legQuantity: figure('Shares or units of one leg'),
      totalQuantity: figure('Shares or units of all legs'),
      remainingQuantity: figure('Shares or units of the legs after this one'),
    })
    .nullable()
    .meta({ description: 'Null also for an order that is no iceberg' }),
  validityMinutes: figure('After how many minutes the broker ends an order with the validity TTL'),
  algoId: word(
    'The id of an algorithm that was sent: of the order, of its key, or of the settings; null where none was, and elsewhere',
  ),
  marketProtection: figure(
    'Percent, as the book of the broker has it, else as it was sent; -1 is the broker’s own choice',
  ),
  pendingQuantity: figure(
    'Shares or units that wait, as the broker has it, also of an order that is over',
  ),
  cancelledQuantity: figure('Shares or units of which the broker says that they were cancelled'),
  rawReason: word('The reason in the words of the broker’s systems'),
  placedBy: word('The user at the broker who placed it'),
  parentBrokerOrderId: word(
    "The broker's id of the order that it belongs to, as the second leg of a cover order does",
  ),
  modified: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether it was changed since it was placed, as the broker says' }),
  registeredAt: atOrNull('When the broker had it; some move that on with a change'),
  exchangeAt: atOrNull('When the exchange had it'),
  exchangeUpdatedAt: atOrNull('When the exchange changed it last'),
  stopLoss: triggerPrices('The stop of a smart order of the primary brokerage; null for any other'),
  target: triggerPrices('The target of a smart order of the primary brokerage; null for any other'),
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
