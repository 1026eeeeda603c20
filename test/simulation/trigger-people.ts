import { sleep } from '../../src/platform/clock.ts';
import { triggerBindingOf } from '../../src/execution/triggers/trigger.ts';
import { call, type CallersParts } from './call.ts';
import { createDice, type Dice } from './dice.ts';
import type { PlannedTriggers, TriggerAct } from './planned-triggers.ts';
import type { World } from './world.ts';

/** When a person looks at triggers whose outcome is open: after the close, minutes after the last placing. */
const LOOKED_AT_AFTER_MS = 25 * 60_000;

/** What people do with triggers in the broker's own app, and what they tell the gateway. */
export async function runTriggerPeople(
  parts: CallersParts,
  { acts }: PlannedTriggers,
): Promise<void> {
  const { world } = parts;
  const { time, plan } = world;
  const dice = createDice(`${plan.seed}/people/triggers`);
  const each = [...acts].sort((one, other) => one.at - other.at);
  await Promise.all([
    (async () => {
      for (const planned of each) {
        await sleep(time, planned.at - time.now());
        perform(world, dice, planned);
      }
    })(),
    (async () => {
      for (const { until } of plan.hours.placing) {
        await sleep(time, until + LOOKED_AT_AFTER_MS - time.now());
        await settleOpen(parts);
      }
    })(),
  ]);
}

function perform(world: World, dice: Dice, act: TriggerAct): void {
  const { sandbox, timeline } = world;
  const { kite } = sandbox;
  const active = kite
    .triggers()
    .filter(({ status, placedBy }) => status === 'active' && placedBy === 'api');
  const one = active.length === 0 ? null : dice.pick(active);
  if (act.kind === 'hand_place') return placeByHand(world, dice, act.twin);
  if (one === null) return;
  timeline.note('world', `trigger ${one.id}: ${JSON.stringify(act)}`);
  if (act.kind === 'hand_delete') kite.deleteTriggerByHand(one.id);
  if (act.kind === 'hide') kite.hideTrigger(one.id, act.forMs);
  if (act.kind !== 'fire') return;
  kite.fireTrigger(one.id, dice.whole(0, one.orders.length - 1));
  if (act.lateMs === 0) return;
  for (const id of kite.trigger(one.id)?.orderIds ?? []) kite.hide(id, act.lateMs, 'all');
}

/** A twin has the terms of the gateway's latest: it was placed after that, so that a list shows both. */
function placeByHand({ sandbox, timeline }: World, dice: Dice, isTwin: boolean): void {
  const { kite, exchange } = sandbox;
  const model = kite.triggers().findLast(({ placedBy }) => placedBy === 'api');
  const last = exchange.price('NSE:INFY') / 100;
  const price = Math.round(last * 0.9);
  const own = {
    ...{ instrument: 'NSE:INFY', triggers: [price] },
    orders: [
      {
        ...{ transaction_type: 'SELL', product: 'CNC', order_type: 'LIMIT' },
        ...{ quantity: dice.pick([4, 9]), price },
      },
    ],
  };
  const { instrument, triggers, orders } = isTwin && model ? model : own;
  const type = triggers.length === 1 ? ('single' as const) : ('two-leg' as const);
  const lastPrice = exchange.price(instrument) / 100;
  const made = kite.placeTriggerByHand({ instrument, triggers, orders, type, lastPrice });
  timeline.note('world', `by hand: trigger ${made.id}, ${isTwin ? 'a twin' : 'no twin'}`);
}

/** Looks in the broker's app at what is open, and says what is there. */
async function settleOpen({ world }: CallersParts): Promise<void> {
  const state = world.current()?.composed?.execution.state;
  if (!state) return;
  const { asked, takenTriggers, timeline, sandbox } = world;
  for (const trigger of [...state.triggers.values()]) {
    if (trigger.state.kind !== 'uncertain' || triggerBindingOf(trigger) !== null) continue;
    const wanted = `${trigger.caller}/${trigger.idempotencyKey}`;
    const found = takenTriggers.find((each) => each.wanted === wanted);
    const word = found
      ? ({ kind: 'placed', triggerId: found.triggerId, force: true } as const)
      : ({ kind: 'absent' } as const);
    if (found && (sandbox.kite.trigger(found.triggerId)?.hiddenUntil ?? 0) > world.time.now())
      continue;
    asked.triggers.worded.add(trigger.id);
    timeline.note('world', `a person says of ${wanted}: ${JSON.stringify(word)}`);
    const context = { caller: 'person', idempotencyKey: null };
    await call(world, wanted, (gateway) => gateway.resolveTrigger(trigger.id, word, context));
  }
}
