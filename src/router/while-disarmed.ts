import { GatewayProblem } from '../domain/problem.ts';
import type { Gateway } from './gateway.ts';
import type { Overview } from './overview.ts';
import { needOf } from './needs.ts';

/**
 * The interface on a data directory that may be a copy: whatever would send something to a broker is refused with
 * `disarmed` while `why` names a reason (decision 0063). What only stops work of the gateway itself passes.
 */
export function refusingWhileDisarmed(gateway: Gateway, why: () => string | null): Gateway {
  async function mustBeArmed(): Promise<void> {
    const detail = why();
    if (detail !== null) throw new GatewayProblem({ code: 'disarmed', detail });
  }
  const refusing =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await mustBeArmed();
      return call(...args);
    };
  return {
    ...gateway,
    placeOrder: refusing(gateway.placeOrder),
    placeBasket: refusing(gateway.placeBasket),
    cancelOrder: refusing(gateway.cancelOrder),
    cancelAll: refusing(gateway.cancelAll),
    modifyOrder: refusing(gateway.modifyOrder),
    startExit: refusing(gateway.startExit),
    closeAll: refusing(gateway.closeAll),
    placeTrigger: refusing(gateway.placeTrigger),
    modifyTrigger: refusing(gateway.modifyTrigger),
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
