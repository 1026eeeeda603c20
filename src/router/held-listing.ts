import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentName } from '../domain/instrument.ts';
import type { Product } from '../domain/order.ts';
import type { Execution } from '../execution/execution.ts';

/**
 * Whether an account of one of these brokers was last known to hold an instrument of this very name: in a
 * position of a product (null for any), or, where holdings count, among those.
 */
export function isHeldAt(
  { portfolios }: Execution['state'],
  name: InstrumentName,
  of: {
    readonly brokers: readonly BrokerId[];
    readonly product: Product | null;
    readonly holdings: boolean;
  },
): boolean {
  return of.brokers.some((broker) => {
    const held = portfolios.get(broker);
    const isPosition = held?.positions.some(
      ({ instrument, product, quantity }) =>
        instrument === name && quantity !== 0 && (of.product ?? product) === product,
    );
    const isHolding =
      of.holdings &&
      held?.holdings.some(({ instrument, quantity }) => instrument === name && quantity !== 0);
    return isPosition === true || isHolding === true;
  });
}
