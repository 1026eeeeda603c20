import { exchangeOf } from '../domain/instrument.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { GatewayModules } from './gateway.ts';

/** The exchanges of what was traded or held today, by the gateway's orders and the accounts as they were read last. */
export function exchangesOfToday(
  { execution: { state, books } }: Pick<GatewayModules, 'execution'>,
  clock: Clock,
): readonly string[] {
  const day = tradingDay(clock.now());
  const traded = [...(state.ordersOfDay.get(day)?.values() ?? [])].map(({ terms }) => terms);
  const held = books.positions(day, () => true).map(({ line }) => line);
  const accounts = [...state.portfolios.values()].flatMap(({ positions }) => positions);
  return [
    ...new Set([...traded, ...held, ...accounts].map(({ instrument }) => exchangeOf(instrument))),
  ];
}
