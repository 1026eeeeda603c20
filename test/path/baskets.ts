import type { InProcessReply, InProcessRequest } from '../support/in-process-http.ts';
import type { Rig } from '../support/rig.ts';
import { RESTING } from './walk.ts';

export const BASKET = '/api/v1/orders/basket';

export interface ToldItem {
  readonly clientOrderId: string;
  readonly result: string;
  readonly httpStatus: number | null;
  readonly repeated: boolean;
  readonly order: { readonly id: string; readonly status: string } | null;
  readonly problem: { readonly code: string; readonly detail: string } | null;
}

/** So many orders that rest, no two alike, under the keys `order-0`, `order-1`, … */
export const resting = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ ...RESTING, quantity: 1, price: 1_440 + index / 2, clientOrderId: `order-${index}` },
    ...more,
  }));

export const requestOf = (orders: readonly object[], more: object = {}): InProcessRequest => ({
  ...{ method: 'POST', path: BASKET },
  json: { orders, ...more },
});

export const placeBasket = (
  rig: Rig,
  orders: readonly object[],
  more: object = {},
): Promise<InProcessReply> => rig.call(requestOf(orders, more));

export const itemsOf = ({ body }: InProcessReply): ToldItem[] => body.data;
export const resultsOf = (reply: InProcessReply): string[] =>
  itemsOf(reply).map(({ result }) => result);

/** All orders of the journal, however they ended. */
export const ordersOnDisk = (rig: Rig) => [...rig.composed.execution.state.orders.values()];
