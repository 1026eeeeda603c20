import { GatewayProblem } from '../domain/problem.ts';
import type { CallContext, Gateway } from './gateway.ts';
import type { Overview } from './overview.ts';
import { needOf } from './needs.ts';

type Keyed = Pick<CallContext, 'idempotencyKey'>;

/**
 * The interface on a data directory that may be a copy: whatever would send something to a broker is refused with
 * `disarmed` while `why` names a reason (decision 0063). What only stops work of the gateway itself passes.
 */
export function refusingWhileDisarmed(gateway: Gateway, why: () => string | null): Gateway {
  /**
   * A key may have been used at the gateway of the original after the copy was made: what its request has done there is not
   * known here.
   */
  function mustBeArmed(isKeyed: boolean): void {
    const detail = why();
    if (detail === null) return;
    throw new GatewayProblem({
      code: 'disarmed',
      detail,
      mayHaveExecuted: isKeyed,
    });
  }
  const refusing =
    <Request, Context extends Keyed, Result>(
      call: (request: Request, context: Context) => Promise<Result>,
    ) =>
    async (request: Request, context: Context): Promise<Result> => {
      mustBeArmed(context.idempotencyKey !== null);
      return call(request, context);
    };
  return {
    ...gateway,
    placeOrder: refusing(gateway.placeOrder),
    async placeBasket(basket, caller) {
      mustBeArmed(true);
      return gateway.placeBasket(basket, caller);
    },
    cancelOrder: refusing(gateway.cancelOrder),
    cancelAll: refusing(gateway.cancelAll),
    async modifyOrder(id, changes, context) {
      mustBeArmed(context.idempotencyKey !== null);
      return gateway.modifyOrder(id, changes, context);
    },
    startExit: refusing(gateway.startExit),
    closeAll: refusing(gateway.closeAll),
    placeTrigger: refusing(gateway.placeTrigger),
    async modifyTrigger(id, changes, context) {
      mustBeArmed(context.idempotencyKey !== null);
      return gateway.modifyTrigger(id, changes, context);
    },
    deleteTrigger: refusing(gateway.deleteTrigger),
    getOverview(query) {
      const overview = gateway.getOverview(query);
      const detail = why();
      return detail === null ? overview : disarmedOverview(overview, detail);
    },
  };
}

function disarmedOverview(overview: Overview, detail: string): Overview {
  return {
    ...overview,
    ...{ trading: 'none', accepts: 'none', ordersFrom: null },
    sentence: `No: ${detail}.`,
    account: null,
    needs: [needOf('disarmed', detail), ...overview.needs],
  };
}
