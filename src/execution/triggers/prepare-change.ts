import { notSent } from '../../domain/outcome.ts';
import type { TriggerTerms } from '../../domain/trigger.ts';
import { plus } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import { notSentProblem } from '../submit/place-command.ts';
import { brokerDayOf, checkLegs, onlyReduces } from './check-legs.ts';
import { changedTerms, checkAround, checkTrigger, isLarger } from './check-trigger.ts';
import type { CheckedLeg } from './decide-trigger.ts';
import type { TriggerChangeKey } from './decide-trigger-change.ts';
import { lastPriceOf, PREPARING_MS } from './prepare-trigger.ts';
import { smallestTerms, termsAtBroker } from './terms-at-broker.ts';
import type { ChangeCommand, TriggerParts } from './trigger-parts.ts';
import { stateProblem } from './trigger-problems.ts';
import { triggerBindingOf } from './trigger.ts';
import type { TriggerWatch } from './trigger-watch.ts';

/** What goes out: new terms with the present price, or a deletion. */
export interface Wanted {
  readonly key: TriggerChangeKey;
  readonly terms: TriggerTerms | null;
  /** What it was when the change was prepared; null for a deletion. */
  readonly before: TriggerTerms | null;
  readonly lastPrice: number;
  readonly legs: readonly CheckedLeg[];
}

/** Checks a change, and gathers what it needs. Rejects with a GatewayProblem where it may not go out. */
export async function prepareChange(
  parts: TriggerParts,
  { of: { trading } }: TriggerWatch,
  command: ChangeCommand,
  key: TriggerChangeKey,
): Promise<Wanted> {
  const { clock } = parts;
  const { state } = parts.writer;
  const { id, changes, forcedBy } = command;
  const trigger = required(state.triggers, id, 'trigger');
  if (changes === null) return { key, terms: null, before: null, lastPrice: 0, legs: [] };
  if (triggerBindingOf(trigger) === null || trigger.state.kind !== 'waiting') {
    throw stateProblem(trigger, 'only one that waits can be changed');
  }
  const instrument = parts.instrumentOf(trigger.terms.instrument);
  if (instrument === null) {
    const why = `no instrument list has ${trigger.terms.instrument}`;
    throw notSentProblem(notSent('not_open', why));
  }
  // What is not named stays as it is at the broker, where a person may have changed it.
  const before = termsAtBroker(trigger);
  const terms = changedTerms(before, changes);
  checkTrigger(terms, instrument, {
    ...{ told: parts.freezeQuantities, day: brokerDayOf(parts, trading) },
  });
  const lastPrice = await lastPriceOf(parts, instrument, command.lastPrice);
  checkAround(terms, lastPrice);
  const smallest = smallestTerms(trigger);
  const legs = terms.legs.filter((leg, place) => {
    const least = smallest.legs[place];
    return least === undefined || isLarger(leg, least);
  });
  const deadline = plus(clock.elapsed(), PREPARING_MS);
  // The limits are those of the key that placed it, whoever asks for the change.
  const of = { id, caller: trigger.caller, forcedBy, trading, instrument, legs };
  const checked = await checkLegs(parts, of, deadline);
  const blocked = trading.blocked(onlyReduces(parts, checked, id) ? 'way_out' : 'modify');
  if (blocked) throw notSentProblem(blocked);
  return { key, terms, before, lastPrice, legs: checked };
}
