import { GatewayProblem } from '../../src/domain/problem.ts';
import type { Violation } from './checks/context.ts';
import type { CalledGateway } from './http-callers.ts';
import type { ToldOrder } from './told-orders.ts';
import type { PriceOf } from './plan.ts';
import type { Statement } from './statements.ts';
import type { World } from './world.ts';

/** What came of a call, as the program that made it sees it. */
export type Heard<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'problem'; readonly problem: GatewayProblem }
  /** The gateway was down, or went down before it answered. */
  | { readonly kind: 'lost' };

export interface CallersParts {
  readonly world: World;
  readonly told: (statement: Statement) => void;
  readonly notice: (violation: Violation) => void;
  readonly priceOf: PriceOf;
}

/** Makes one call of the gateway that is up now, and waits no longer than that one lives. */
export async function call<T>(
  world: World,
  wanted: string,
  make: (gateway: CalledGateway) => Promise<T>,
): Promise<Heard<T>> {
  const incarnation = world.current();
  const gateway = incarnation?.called;
  if (!incarnation || !gateway) return { kind: 'lost' };
  const readAt = incarnation.readAt();
  const made = () => world.onBehalf.run(wanted, () => make(gateway));
  const answer = world.readAt.run(readAt, async (): Promise<Heard<T>> => {
    try {
      return { kind: 'answer', value: await made() };
    } catch (error) {
      if (error instanceof GatewayProblem) return { kind: 'problem', problem: error };
      // What is not a problem is answered with 500 over HTTP: nothing is known.
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const problem = new GatewayProblem({ code: 'internal', detail, mayHaveExecuted: true });
      return { kind: 'problem', problem };
    }
  });
  const lost = incarnation.died.then((): Heard<T> => ({ kind: 'lost' }));
  const heard = await Promise.race([answer, lost]);
  return incarnation.alive ? heard : { kind: 'lost' };
}

export function tellOrder(parts: CallersParts, wanted: string, order: ToldOrder): void {
  const { world, told } = parts;
  const { id, status, filledQuantity, broker, reason } = order;
  world.timeline.note(
    'caller',
    `${wanted}: told ${status}, filled ${filledQuantity}, ${id} at ${broker}${reason ? ` (${reason})` : ''}`,
  );
  told({
    kind: 'order',
    at: world.time.now(),
    wanted,
    orderId: id,
    status,
    filledQuantity,
    broker,
    reason,
    events: eventsOf(world),
  });
}

export function tellProblem(parts: CallersParts, wanted: string, problem: GatewayProblem): void {
  const { code, detail, mayHaveExecuted = false } = problem.fields;
  parts.world.timeline.note('caller', `${wanted}: told ${code} (${detail})`);
  const at = parts.world.time.now();
  const events = eventsOf(parts.world);
  parts.told({ kind: 'problem', at, wanted, code, detail, mayHaveExecuted, events });
}

const eventsOf = (world: World): number =>
  world.current()?.composed?.execution.state.lastEvent ?? 0;
