import { sleep } from '../../src/platform/clock.ts';
import type { AskedOwnList } from './asked-own-lists.ts';
import { call, type CallersParts, type Heard } from './call.ts';
import { createDice } from './dice.ts';
import type { ToldOwnList } from './http-own-lists.ts';
import type { World } from './world.ts';

/** The programs that place triggers. */
const CALLERS = ['caller-1', 'caller-2'] as const;

/** Programs that ask for the orders and the trades of their own key, on days about the orders of triggers. */
export async function runOwnLists({ world }: CallersParts): Promise<void> {
  const { plan, time } = world;
  if (plan.directed !== 'triggers_mine') return;
  const dice = createDice(`${plan.seed}/own-lists`);
  for (const { from, until } of plan.hours.placing) {
    await sleep(time, from - time.now());
    while (time.now() < until) {
      await sleep(time, dice.between(5_000, 20_000));
      const caller = dice.pick(CALLERS);
      const what = dice.pick(['orders', 'trades'] as const);
      const at = time.now();
      const heard = await call(world, `${caller}/own-${what}`, (gateway) =>
        gateway.ownList(what, 'alt', { caller, idempotencyKey: null }),
      );
      note(world, { at, caller, what }, heard);
    }
  }
}

function note(
  { time, timeline, asked }: World,
  request: Pick<AskedOwnList, 'at' | 'caller' | 'what'>,
  heard: Heard<ToldOwnList>,
): void {
  const { caller, what } = request;
  if (heard.kind !== 'answer') {
    const why = heard.kind === 'lost' ? 'nothing' : heard.problem.fields.code;
    timeline.note('caller', `${caller}: asks for its ${what}, and is told ${why}`);
    return;
  }
  const { rows, uncertainTriggers } = heard.value;
  const shown = rows.flatMap(({ orderId, triggeredBy }) => (triggeredBy ? [orderId] : []));
  const unknown = uncertainTriggers.join(', ');
  timeline.note('caller', `${caller}: its ${what} by triggers: ${shown.join(', ')}; ? ${unknown}`);
  asked.ownLists.push({ ...request, answeredAt: time.now(), told: heard.value });
}
