import { tradingDay } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/values.ts';
import type { AccountPositions } from '../reminder/square-off.ts';
import type { GatewayModules } from './gateway.ts';

/**
 * What the live accounts of the trading route hold, for the square-off reminder. One that cannot be read is
 * given as it was last known today; without a login today there is nothing to tell of it.
 */
export async function readLiveAccounts(
  { gateway, execution }: Pick<GatewayModules, 'gateway' | 'execution'>,
  clock: Clock,
): Promise<readonly AccountPositions[]> {
  const live = gateway
    .getBrokers()
    .filter(({ mode, serves }) => mode === 'live' && serves.includes('account'));
  const accounts = live.map(async ({ broker, available }): Promise<AccountPositions | null> => {
    try {
      const { data, meta } = await gateway.getPositions({ broker });
      return { broker, positions: data, problem: null, asOf: meta.asOf };
    } catch (error) {
      const problem = messageOf(error);
      const last = execution.state.portfolios.get(broker);
      const today = tradingDay(clock.now());
      if (last !== undefined && tradingDay(last.readAt) === today) {
        return { broker, positions: last.positions, problem, asOf: last.readAt };
      }
      return available ? { broker, positions: [], problem, asOf: null } : null;
    }
  });
  return (await Promise.all(accounts)).filter((account) => account !== null);
}
