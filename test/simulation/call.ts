import { GatewayProblem } from '../../src/domain/problem.ts';
import type { Violation } from './checks/context.ts';
import type { CalledGateway } from './http-callers.ts';
import { insist } from './impatience.ts';
import type { ToldOrder } from './told-orders.ts';
import type { PriceOf } from './plan.ts';
import type { Answered, Statement } from './statements.ts';
import type { World } from './world.ts';

/** A problem, with the number of the call that it answers. */
export interface HeardProblem {
  readonly problem: GatewayProblem;
  readonly call: number;
}

/** What came of a call, as the program that made it sees it. */
export type Heard<T> =
  | { readonly kind: 'answer'; readonly value: T; readonly call: number }
  | ({ readonly kind: 'problem' } & HeardProblem)
  /** The gateway was down, or went down before it answered. */
  | { readonly kind: 'lost' };

export interface CallersParts {
  readonly world: World;
  readonly told: (statement: Statement) => void;
  readonly notice: (violation: Violation) => void;
  readonly priceOf: PriceOf;
}

export interface CallOptions<T> {
  /** Names the requests that are the same one under one key, where somebody counts what has left for them. */
  readonly under?: string;
  /**
   * A program that times out makes the same request again while the first one is under way, on the days on which programs
   * do so: this is told of each answer but the first, which `call` returns.
   */
  readonly late?: (heard: Heard<T>) => void;
}

/**
 * Makes one call of the gateway that is up now, and waits no longer than that one lives. On days with impatient programs,
 * it is made again while there is no answer.
 */
export async function call<T>(
  world: World,
  wanted: string,
  make: (gateway: CalledGateway) => Promise<T>,
  { under, late }: CallOptions<T> = {},
): Promise<Heard<T>> {
  if (world.plan.impatient && late) {
    return insist(
      world,
      wanted,
      () => call(world, wanted, make, under === undefined ? {} : { under }),
      late,
    );
  }
  const incarnation = world.current();
  const gateway = incarnation?.called;
  if (!incarnation || !gateway) return { kind: 'lost' };
  const readAt = incarnation.readAt();
  const made = () => world.onBehalf.run(wanted, () => make(gateway));
  const number = world.asked.calls.length + 1;
  const asking = { number, wanted, under: under ?? null };
  world.asked.calls.push(asking);
  const asked = () => world.asking.run(asking, made);
  const answer = world.readAt.run(readAt, async (): Promise<Heard<T>> => {
    try {
      return { kind: 'answer', value: await asked(), call: asking.number };
    } catch (error) {
      if (error instanceof GatewayProblem)
        return { kind: 'problem', problem: error, call: asking.number };
      // What is not a problem is answered with 500 over HTTP: nothing is known.
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const problem = new GatewayProblem({ code: 'internal', detail, mayHaveExecuted: true });
      return { kind: 'problem', problem, call: asking.number };
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

export function tellProblem(
  parts: CallersParts,
  wanted: string,
  heard: HeardProblem,
  of: Question,
): void {
  const { code, detail } = heard.problem.fields;
  parts.world.timeline.note('caller', `${wanted}: told ${code} (${detail})`);
  keepProblem(parts, wanted, heard, of);
}

/** What a problem answers: see Statement. */
export interface Question {
  readonly of: Answered;
  readonly under?: string;
}

/** As `tellProblem`, where the timeline has it already, or never had it. */
export function keepProblem(
  parts: CallersParts,
  wanted: string,
  heard: HeardProblem,
  { of, under = null }: { readonly of: Answered; readonly under?: string | null },
): void {
  const { code, detail, mayHaveExecuted = false } = heard.problem.fields;
  const { call } = heard;
  const at = parts.world.time.now();
  const events = eventsOf(parts.world);
  parts.told({
    kind: 'problem',
    at,
    call,
    wanted,
    of,
    under,
    code,
    detail,
    mayHaveExecuted,
    events,
  });
}

const eventsOf = (world: World): number =>
  world.current()?.composed?.execution.state.lastEvent ?? 0;
