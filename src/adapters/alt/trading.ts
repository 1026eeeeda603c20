import type { BrokerOrder } from '../../domain/broker-order.ts';
import { BrokerError } from '../../domain/failure.ts';
import { notSent, uncertain, type Outcome } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Capability } from './capability.ts';
import type { KiteClient } from './client.ts';
import { outcomeOf, type OrderCall } from './errors.ts';
import { toBrokerFill, toBrokerOrder } from './mapping.ts';
import type { Lanes } from './pace.ts';
import type { KiteAnswer } from './reply.ts';
import { isOrderId, isVariety, modifyParams, placeParams, varietyOf } from './request.ts';
import { acknowledgement, orderRows, parseAs, tradeRows } from './schemas.ts';

export interface TradingParts {
  readonly client: KiteClient;
  /** Apart from the reads: a book that cannot be read must not hold back a cancel. */
  readonly changes: Capability;
  readonly reads: Capability;
  readonly lanes: Lanes;
}

/** Orders at the alternative broker (docs/spec/kite-orders.md). */
export function createAltTrading({ client, changes, reads, lanes }: TradingParts): Trading {
  /**
   * The broker wants an order's variety in the path of a change, and an attempt does not have it:
   * the book of the day does, and what was placed since.
   */
  const varieties = new Map<string, string>();

  async function change(
    call: OrderCall,
    send: (token: string) => Promise<KiteAnswer>,
  ): Promise<Outcome> {
    try {
      const read = (data: unknown): string => parseAs(acknowledgement, data).order_id;
      const brokerOrderId = await changes.change(send, read);
      return { kind: 'acknowledged', brokerOrderId };
    } catch (error) {
      if (error instanceof BrokerError) return outcomeOf(call, error.failure);
      // Nothing is known to lead here, so nothing is known of the order.
      return uncertain({ kind: 'bad_payload', message: String(error) });
    }
  }

  const variety = (brokerOrderId: string): string => varieties.get(brokerOrderId) ?? 'regular';

  return {
    broker: 'alt',
    mode: 'live',
    tagging: 'always',
    blocked: () => changes.blocked(),

    async permit(waitMs) {
      if (await lanes.orders.limiter.acquire(waitMs)) return null;
      return notSent('no_permit', "no place within the broker's limits on orders");
    },

    async place(attempt) {
      // An order that could not be watched is not sent.
      const unwatched = reads.blocked();
      if (unwatched) return unwatched;
      const way = varietyOf(attempt.terms);
      const params = placeParams(attempt);
      const outcome = await change('place', (token) => client.placeOrder(token, way, params));
      if (outcome.kind === 'acknowledged') varieties.set(outcome.brokerOrderId, way);
      return outcome;
    },

    async cancel({ brokerOrderId }) {
      if (!isOrderId(brokerOrderId)) return notSent('not_open', 'not an order id of this broker');
      return change('cancel', (token) =>
        client.cancelOrder(token, variety(brokerOrderId), brokerOrderId),
      );
    },

    async modify(attempt) {
      const { brokerOrderId } = attempt;
      if (!isOrderId(brokerOrderId)) return notSent('not_open', 'not an order id of this broker');
      const way = varieties.get(brokerOrderId) ?? varietyOf(attempt.terms);
      const params = modifyParams(attempt);
      return change('modify', (token) => client.modifyOrder(token, way, brokerOrderId, params));
    },

    orderBook: () =>
      reads.read(lanes.account, client.orders, (data): readonly BrokerOrder[] => {
        const rows = parseAs(orderRows, data);
        for (const row of rows) {
          if (row.variety && isVariety(row.variety)) varieties.set(row.order_id, row.variety);
        }
        return rows.map(toBrokerOrder);
      }),

    trades: () =>
      reads.read(lanes.account, client.trades, (data) =>
        parseAs(tradeRows, data).map(toBrokerFill),
      ),
  };
}
