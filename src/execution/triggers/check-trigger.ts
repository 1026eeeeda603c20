import type { Instrument } from '../../domain/instrument.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import {
  orderOfLeg,
  type TriggerLegChange,
  type TriggerLegTerms,
  type TriggerLegs,
  type TriggerTerms,
} from '../../domain/trigger.ts';
import type { TradingDay } from '../../units/branded.ts';
import { checkTerms, freezeQuantityOf } from '../submit/preflight.ts';

/**
 * The checks of a trigger that need no broker (docs/triggers.md, "Before anything is sent"). Throws a
 * GatewayProblem that says what would be right; nothing is rounded.
 */
export function checkTrigger(
  { legs }: TriggerTerms,
  instrument: Instrument,
  freeze: { readonly told: ReadonlyMap<string, number>; readonly day: TradingDay },
): void {
  const freezeQuantity = freezeQuantityOf(instrument, freeze.told, freeze.day);
  for (const [place, leg] of legs.entries()) {
    at(place, () => {
      checkTerms(orderOfLeg(instrument.name, leg), instrument);
      checkTerms({ ...orderOfLeg(instrument.name, leg), price: leg.triggerPrice }, instrument);
    });
    if (!(leg.price > 0)) invalid(place, 'price', 'is above 0');
    if (!(leg.triggerPrice > 0)) invalid(place, 'triggerPrice', 'is above 0');
    if (freezeQuantity !== null && leg.quantity > freezeQuantity) {
      const most = `the exchange takes at most ${freezeQuantity} of ${instrument.name} in one order`;
      invalid(place, 'quantity', `is too large: ${most}, and a trigger is not cut into slices`);
    }
  }
  const [first, second] = legs;
  if (second === undefined) return;
  if (first.side !== second.side || first.product !== second.product) {
    invalid(1, 'side', 'and product are those of the other leg: a pair is for one position');
  }
  if (!(first.triggerPrice < second.triggerPrice)) {
    invalid(1, 'triggerPrice', 'is above that of the first leg');
  }
}

/** Whether each leg is on its side of the present price. Throws `invalid_request`. */
export function checkAround({ legs }: TriggerTerms, lastPrice: number): void {
  if (!(lastPrice > 0)) invalidAt('lastPrice', 'is above 0');
  const [first, second] = legs;
  if (second === undefined) {
    if (first.triggerPrice !== lastPrice) return;
    invalid(
      0,
      'triggerPrice',
      `is the present price, ${lastPrice}: it would place its order at once`,
    );
  } else if (!(first.triggerPrice < lastPrice && lastPrice < second.triggerPrice)) {
    invalid(
      0,
      'triggerPrice',
      `and that of the other leg lie around the present price, ${lastPrice}`,
    );
  }
}

/** The terms that a trigger would have after a change. Throws `invalid_request` where that would be the same. */
export function changedTerms(
  terms: TriggerTerms,
  changes: readonly TriggerLegChange[],
): TriggerTerms {
  const { legs } = terms;
  if (changes.length !== legs.length) {
    const count = legs.length === 1 ? 'one leg' : 'two legs';
    invalidAt('legs', `has one entry for each leg: this trigger has ${count}`);
  }
  const [first, second] = legs;
  const [ofFirst, ofSecond] = changes;
  const changed: TriggerLegs =
    second === undefined
      ? [changedLeg(first, ofFirst)]
      : [changedLeg(first, ofFirst), changedLeg(second, ofSecond)];
  if (changed.every((leg, place) => isSameLeg(leg, legs[place]))) {
    invalidAt('legs', 'changes nothing of the trigger');
  }
  return { ...terms, legs: changed };
}

function changedLeg(leg: TriggerLegTerms, change: TriggerLegChange | undefined): TriggerLegTerms {
  return {
    ...leg,
    triggerPrice: change?.triggerPrice ?? leg.triggerPrice,
    quantity: change?.quantity ?? leg.quantity,
    price: change?.price ?? leg.price,
  };
}

const isSameLeg = (one: TriggerLegTerms, other: TriggerLegTerms | undefined): boolean =>
  one.triggerPrice === other?.triggerPrice &&
  one.quantity === other.quantity &&
  one.price === other.price;

/** Whether a leg could trade more, or for more, than before. */
export const isLarger = (now: TriggerLegTerms, before: TriggerLegTerms): boolean =>
  now.quantity > before.quantity || now.price > before.price;

function at(place: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof GatewayProblem)) throw error;
    const { field, ...fields } = error.fields;
    throw new GatewayProblem({
      ...fields,
      detail: `legs.${place}: ${fields.detail}`,
      ...(field === undefined ? {} : { field: `legs.${place}.${field}` }),
    });
  }
}

const invalid = (place: number, field: keyof TriggerLegTerms, what: string): never =>
  invalidAt(`legs.${place}.${field}`, what);

function invalidAt(field: string, what: string): never {
  const detail = `${field} ${what}`;
  throw new GatewayProblem({ code: 'invalid_request', detail, field, mayHaveExecuted: false });
}
