import type { Side } from '../../domain/order.ts';
import type { RejectionClass } from '../../domain/rejection.ts';
import { rupees } from '../../domain/rupees.ts';
import type { ExitLeg, ExitPlan } from './exit.ts';

type Leg = Pick<ExitLeg, 'orderType' | 'price' | 'atProtection'>;

/**
 * The last attempt of an exit whose LIMIT has rested at the edge of the exchange's price protection is a MARKET, as after
 * a refusal for the price: the LIMIT that it wanted would have been refused. Null where that is not so, or where the
 * broker takes none.
 */
export function asMarket(plan: ExitPlan, { orderType, price, atProtection }: Leg): ExitPlan | null {
  if (orderType !== 'LIMIT' || price === null || atProtection !== true) return null;
  return plan.isMarketBlocked ? null : { ...plan, orderType: 'MARKET', protectedAt: price };
}

/** Why an exit has not filled of which the price protection lets no LIMIT reach the other side; null where it would. */
export function outsideProtection(
  { attempt, protectedAt }: ExitPlan,
  leg: Leg,
  {
    rejection,
    reason,
  }: { readonly rejection: RejectionClass | null; readonly reason: string | null },
  side: Side,
): string | null {
  const edge = leg.orderType === 'MARKET' ? protectedAt : leg.atProtection && leg.price;
  if (edge === undefined || edge === null) return null;
  const [nobody, beyond, others] =
    side === 'SELL'
      ? [`nobody bids ${rupees(edge)} or more`, 'below', 'bids']
      : [`nobody offers at ${rupees(edge)} or less`, 'above', 'offers'];
  const refused = `the MARKET order after it was refused (${reason ?? 'without a reason'})`;
  const market = rejection === null ? 'the MARKET order after it did not fill in time' : refused;
  const last = leg.orderType === 'MARKET' ? market : 'the broker takes no MARKET orders of it';
  return (
    `it did not fill in attempt ${attempt}, the last: ${nobody}, by its last price the exchange takes no LIMIT order ` +
    `${beyond} that (its price protection), and ${last}. Once it has traded nearer to the ${others}, exit again; or ` +
    "place an order in the broker's app"
  );
}
