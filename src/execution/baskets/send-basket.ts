import { notSent } from '../../domain/outcome.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { OrderStatus } from '../../domain/order.ts';
import { type Moment, momentOf } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { type OrderRecord, reasonOf, statusOf } from '../order/order.ts';
import type { Checked } from '../submit/guards.ts';
import { purposeOf } from '../submit/last-look.ts';
import { BASKET_WITHIN_MS, tooLate } from '../submit/late-orders.ts';
import {
  closingProblem,
  notSentProblem,
  type SubmitParts,
  type TimeLimit,
  timesAt,
} from '../submit/place-command.ts';
import type { Submit } from '../submit/submit.ts';
import { type BasketOutcome, type CheckedItem, outcomeOf, placeInBasket } from './basket.ts';

/**
 * Orders of a basket at one broker that are on their way at the same time: as many as a second of its limit
 * leaves to entries. Those behind them wait here, where they do not age.
 */
const AT_ONCE = 8;

type Ready = Extract<CheckedItem, { kind: 'ready' }>;

/** Sends the orders of a basket that was checked whole. Never rejects. */
export interface SendBasket {
  /** Ways out first, otherwise in the order given; none waits for the answer of one long before it. */
  together(items: readonly CheckedItem[], arrived: Moment): Promise<readonly BasketOutcome[]>;
  /** One after the other, up to the first that is not acknowledged. */
  inOrder(items: readonly CheckedItem[], arrived: Moment): Promise<readonly BasketOutcome[]>;
}

export function createSendBasket(parts: SubmitParts, place: Submit['place']): SendBasket {
  const { writer, clock, log } = parts;
  const { state } = writer;

  const checkedOf = ({ command, order }: Ready): Checked | null => {
    const [first] = command.candidates;
    const { terms, orderId } = order;
    if (!first) return null;
    return { broker: first.broker, mode: first.mode, terms, orderId, forcedBy: command.forcedBy };
  };

  function isWayOut(item: Ready): boolean {
    const [first] = item.command.candidates;
    const checked = checkedOf(item);
    if (!first || !checked) return false;
    return purposeOf(parts, { ...checked, ...timesAt(parts, first) }) === 'way_out';
  }

  /** One order, whose turn has come. */
  async function send(item: Ready, within: TimeLimit): Promise<BasketOutcome> {
    if (parts.closing()) return { kind: 'failed', error: closingProblem() };
    const checked = checkedOf(item);
    const late = checked === null ? null : await tooLate(parts, checked, [within]);
    if (late !== null) return { kind: 'failed', error: NO_TURN() };
    const command = { ...item.command, arrived: momentOf(clock), within };
    const outcome = await outcomeOf(place(command));
    if (outcome.kind === 'failed' && !(outcome.error instanceof GatewayProblem)) {
      const reason = messageOf(outcome.error);
      log.error('an order of a basket failed with an unexpected error', { reason });
    }
    return outcome;
  }

  const turn = (item: CheckedItem, within: TimeLimit): Promise<BasketOutcome> => {
    switch (item.kind) {
      case 'before':
        return item.outcome;
      case 'refused':
        return Promise.resolve({ kind: 'failed', error: item.problem });
      case 'ready':
        return send(item, within);
    }
  };

  return {
    async together(items, arrived) {
      const within = { since: arrived, withinMs: BASKET_WITHIN_MS };
      const outcomes: Promise<BasketOutcome>[] = [];
      const queues = new Map<string, ReturnType<typeof createTurns>>();
      for (const [index, item] of items.entries()) {
        if (item.kind !== 'ready') {
          outcomes[index] = turn(item, within);
          continue;
        }
        const broker = item.command.candidates[0]?.broker ?? '';
        const turns = queues.get(broker) ?? createTurns(isWayOut, (each) => send(each, within));
        queues.set(broker, turns);
        outcomes[index] = turns.add(item);
      }
      for (const turns of queues.values()) turns.begin();
      return Promise.all(outcomes);
    },
    async inOrder(items, arrived) {
      const within = { since: arrived, withinMs: BASKET_WITHIN_MS };
      const outcomes: BasketOutcome[] = [];
      let stopped: string | null = null;
      for (const [index, item] of items.entries()) {
        if (stopped !== null && item.kind === 'ready') {
          outcomes.push({ kind: 'kept', reason: stopped });
          continue;
        }
        const outcome = await turn(item, within);
        outcomes.push(outcome);
        const why = whyNotTaken(state, outcome);
        if (why !== null) {
          stopped ??= `${placeInBasket(index)} is ${why}, and what comes after it in an ordered basket is not sent`;
        }
      }
      return outcomes;
    },
  };
}

const NO_TURN = (): GatewayProblem =>
  notSentProblem(
    notSent(
      'late',
      `its turn did not come within the ${BASKET_WITHIN_MS / 1_000} seconds of its basket: send it again if ` +
        'it is still wanted',
    ),
  );

const NOT_TAKEN: ReadonlySet<OrderStatus> = new Set([
  ...(['accepted', 'sending', 'uncertain', 'disputed', 'rejected', 'not_sent'] as const),
]);

/** Why an order does not count as acknowledged, for people; null where the broker has it, and all of it. */
function whyNotTaken(state: ExecutionState, outcome: BasketOutcome): string | null {
  if (outcome.kind === 'failed') return `not placed (${messageOf(outcome.error)})`;
  if (outcome.kind !== 'placed') return null;
  const { order } = outcome.result;
  const slices = [...(state.slicesOf.get(order.id) ?? [])];
  const parts = [order, ...slices.map((id) => required(state.orders, id, 'order'))];
  const bad = parts.find((each) => NOT_TAKEN.has(statusOf(each)));
  return bad === undefined ? null : told(bad);
}

function told(order: OrderRecord): string {
  const reason = reasonOf(order);
  return `${statusOf(order)}${reason === null ? '' : ` (${reason})`}`;
}

/** Gives turns to so many at once: to ways out first, and otherwise in the order in which they were added. */
function createTurns(
  isUrgent: (item: Ready) => boolean,
  run: (item: Ready) => Promise<BasketOutcome>,
) {
  const waiting: { readonly item: Ready; readonly start: () => Promise<void> }[] = [];
  let running = 0;
  function next(): void {
    while (running < AT_ONCE && waiting.length > 0) {
      const urgent = waiting.findIndex(({ item }) => isUrgent(item));
      const [chosen] = waiting.splice(Math.max(0, urgent), 1);
      if (!chosen) return;
      running += 1;
      void chosen.start().finally(() => {
        running -= 1;
        next();
      });
    }
  }
  return {
    add: (item: Ready): Promise<BasketOutcome> =>
      new Promise((resolve) => {
        waiting.push({ item, start: async () => resolve(await run(item)) });
      }),
    begin: next,
  };
}
