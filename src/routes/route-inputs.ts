import type { BrokerId } from '../domain/broker.ts';
import { brokerInputs } from './inputs.ts';
import { orderBodies } from './order-body.ts';

/** The inputs that depend on the configuration: they accept only the names of its brokers. */
export function createRouteInputs(brokers: readonly BrokerId[]) {
  const inputs = brokerInputs(brokers);
  return { ...inputs, ...orderBodies(inputs) };
}
export type RouteInputs = ReturnType<typeof createRouteInputs>;
