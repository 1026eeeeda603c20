import type { BrokerId } from '../domain/broker.ts';
import { brokerInputs } from './inputs.ts';
import { orderBodies } from './order-body.ts';

/** The inputs that depend on the configuration: they take the names of its brokers, and no others. */
export function createRouteInputs(brokers: readonly BrokerId[]) {
  const inputs = brokerInputs(brokers);
  return { ...inputs, ...orderBodies(inputs) };
}
export type RouteInputs = ReturnType<typeof createRouteInputs>;
