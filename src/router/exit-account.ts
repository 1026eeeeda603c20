import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Product } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { heldOf } from '../execution/reconcile/held.ts';
import { accountBroker, type BrokerView } from './policy.ts';
import { noBroker } from './reads.ts';

/**
 * The accounts that an exit without a broker may be of (docs/exits.md). A paper account is among them only where no
 * live one that is set up stands before it in the route: else it is reached for want of a session alone, and what it
 * holds says nothing of the live position.
 */
export function exitAccounts(
  route: readonly BrokerView[],
  mode: Mode | null,
): readonly BrokerView[] {
  const wanted = route.filter((view) => mode === null || view.mode === mode);
  const setUp = wanted.filter(({ notSetUp }) => notSetUp === undefined);
  const [first] = setUp;
  if (first && first.mode === 'paper') return setUp;
  return (setUp.length > 0 ? setUp : wanted).filter((view) => view.mode === 'live');
}

export interface ExitShares {
  readonly instrument: string;
  readonly product: Product;
}

interface ExitAccountParts {
  readonly execution: Pick<Execution, 'state' | 'exits'>;
  readonly isinOf: (instrument: string) => string | null;
}

/**
 * The one of the accounts that was last known to hold what an exit is of; where none is known to, by a read of a
 * moment ago, the first one with a session. Throws `wrong_account` where several hold it, and `token_absent` or
 * `no_broker` where none can be used.
 */
export async function accountOfExit(
  { execution, isinOf }: ExitAccountParts,
  accounts: readonly BrokerView[],
  shares: ExitShares,
): Promise<BrokerId> {
  const brokers = accounts.map(({ broker }) => broker);
  const holdersNow = () => holdersOf(execution.state, brokers, shares, isinOf);
  let holders = holdersNow();
  if (holders.length === 0 && brokers.length > 1) {
    await execution.exits.readAccounts(brokers, shares, 'anew');
    holders = holdersNow();
  }
  const [first, second] = holders;
  if (first !== undefined && second !== undefined) {
    const { instrument, product } = shares;
    throw new GatewayProblem({
      code: 'wrong_account',
      detail: `${instrument} (${product}) is held at ${holders.join(' and at ')}: name the broker`,
      mayHaveExecuted: false,
    });
  }
  const broker = first ?? accountBroker(accounts);
  if (broker === null) throw unusable(accounts);
  return broker;
}

function holdersOf(
  { portfolios }: Execution['state'],
  brokers: readonly BrokerId[],
  { instrument, product }: ExitShares,
  isinOf: ExitAccountParts['isinOf'],
): readonly BrokerId[] {
  const of = { instrument, product, side: 'SELL' } as const;
  const holding = (likely: boolean): readonly BrokerId[] =>
    brokers.filter(
      (each) => heldOf(portfolios.get(each), of, isinOf, { earlier: true, likely }) !== 0,
    );
  const certain = holding(false);
  // Delivery shares that are the same by their symbol alone count where nothing else tells who holds them.
  return certain.length > 0 ? certain : holding(true);
}

function unusable(accounts: readonly BrokerView[]): GatewayProblem {
  const known = accounts.find(({ blocked }) => blocked !== null);
  if (known?.blocked?.cause !== 'token') {
    return noBroker('no broker takes orders now: GET /api/v1/brokers says why');
  }
  return new GatewayProblem({
    code: 'token_absent',
    detail:
      `${known.blocked.reason}. What ${known.broker} holds is not known, and no exit goes to paper in its place: log in, ` +
      'or name the broker whose position it is',
    broker: known.broker,
    mayHaveExecuted: false,
  });
}
