import { readableTime } from '../domain/ist.ts';
import { isFillLost, type TriggerRecord } from '../execution/triggers/trigger.ts';
import { type Need, needOf } from './needs.ts';

/**
 * Triggers of which a person has to say, or may have to, what became of them; newest first. One whose outcome is not known
 * stays one over the days: it can place an order until it is found.
 */
export function triggerNeeds(triggers: readonly TriggerRecord[]): readonly Need[] {
  return triggers
    .flatMap((trigger) => {
      const text = textOf(trigger);
      return text === null ? [] : { trigger, text };
    })
    .toSorted((one, other) => other.trigger.createdAt - one.trigger.createdAt)
    .map(({ trigger: { broker, id }, text }) => needOf('trigger', text, { broker, id }));
}

/** Null where nobody has to look. */
function textOf(trigger: TriggerRecord): string | null {
  const { broker, state, createdAt, terms } = trigger;
  const legs = terms.legs.map(
    ({ side, quantity, triggerPrice }) => `${side} ${quantity} at ${triggerPrice}`,
  );
  const what =
    `the trigger ${terms.instrument} (${legs.join('; or ')}) at ${broker} of ` +
    readableTime(createdAt);
  if (state.kind !== 'uncertain') {
    if (!isFillLost(trigger)) return null;
    return (
      `nothing tells any more how much the order of ${what} has filled: look in the app of the broker, then ` +
      'resolve it by what it shows, 0 for nothing'
    );
  }
  const toDo =
    state.candidates.length === 0
      ? 'the gateway is finding out; do not place it again'
      : `each of ${state.candidates.join(', ')} at the broker could be it: look in the app of the broker, then ` +
        'resolve it';
  return `it is not known whether ${what} was placed (${state.reason}): ${toDo}`;
}
