import type {
  TriggerLeg,
  TriggerLegTerms,
  TriggerLegs,
  TriggerTerms,
} from '../../domain/trigger.ts';
import { hasTerms } from './match-trigger.ts';
import { type TriggerRecord, triggerRowOf } from './trigger.ts';

/** Of how many earlier terms a list may still show the row. */
const REPLACED_KEPT = 8;

/**
 * The terms that a trigger has at its broker, as far as they are known: those of its row, which a person may have
 * changed in the broker's app since the gateway gave it its own. A list may still show terms that a change of the
 * gateway has replaced: such a row says nothing. What a row lacks is as the gateway has it.
 */
export function termsAtBroker(trigger: TriggerRecord): TriggerTerms {
  const { terms, replacedTerms = [] } = trigger;
  const row = triggerRowOf(trigger);
  if (row === null || row.instrument !== terms.instrument) return terms;
  if (row.legs.length !== terms.legs.length) return terms;
  if (row.legs.some(({ side }) => side !== terms.legs[0].side)) return terms;
  if (replacedTerms.some((each) => hasTerms(row, each))) return terms;
  return withLegs(terms, (leg, place) => shownLeg(leg, row.legs[place]));
}

function shownLeg(leg: TriggerLegTerms, row: TriggerLeg | undefined): TriggerLegTerms {
  if (row === undefined) return leg;
  const { quantity } = row;
  return {
    ...leg,
    triggerPrice: priceOr(row.triggerPrice, leg.triggerPrice),
    quantity: Number.isSafeInteger(quantity) && quantity > 0 ? quantity : leg.quantity,
    price: priceOr(row.price, leg.price),
  };
}

const priceOr = (shown: number | null, known: number): number =>
  shown !== null && Number.isFinite(shown) && shown > 0 ? shown : known;

/** Of what the gateway has given a trigger and what its row shows, the smaller quantity and price of each leg. */
export const smallestTerms = (trigger: TriggerRecord): TriggerTerms => eachOf(trigger, Math.min);

/** Of what the gateway has given a trigger and what its row shows, the larger quantity and price of each leg. */
export const largestTerms = (trigger: TriggerRecord): TriggerTerms => eachOf(trigger, Math.max);

function eachOf(
  trigger: TriggerRecord,
  pick: (one: number, other: number) => number,
): TriggerTerms {
  const { legs } = termsAtBroker(trigger);
  return withLegs(trigger.terms, (leg, place) => {
    const shown = legs[place] ?? leg;
    const quantity = pick(leg.quantity, shown.quantity);
    return { ...leg, quantity, price: pick(leg.price, shown.price) };
  });
}

function withLegs(
  terms: TriggerTerms,
  of: (leg: TriggerLegTerms, place: number) => TriggerLegTerms,
): TriggerTerms {
  const [first, second] = terms.legs;
  const legs: TriggerLegs = second === undefined ? [of(first, 0)] : [of(first, 0), of(second, 1)];
  return { ...terms, legs };
}

/** A trigger with new terms, and those that a list may go on to show until it shows the new ones. */
export function withTerms(trigger: TriggerRecord, terms: TriggerTerms): TriggerRecord {
  const replaced = [...(trigger.replacedTerms ?? []), trigger.terms, termsAtBroker(trigger)];
  return withoutReplaced({
    ...trigger,
    terms,
    replacedTerms: replaced.slice(-REPLACED_KEPT),
  });
}

/** Without the earlier terms, once its row shows the present ones. */
export function withoutReplaced(trigger: TriggerRecord): TriggerRecord {
  const row = triggerRowOf(trigger);
  if (row === null || !hasTerms(row, trigger.terms)) return trigger;
  const { replacedTerms, ...rest } = trigger;
  return replacedTerms === undefined ? trigger : rest;
}
