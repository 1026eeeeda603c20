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
import { checkTerms, checkTick, freezeQuantityOf } from '../submit/preflight.ts';

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
    atLeg(place, () => {
      checkTerms(orderOfLeg(instrument.name, leg), instrument);
      checkTick('triggerPrice', leg.triggerPrice, instrument);
    });
    if (!(leg.price > 0)) invalid(place, 'price', ABOVE_0);
    if (!(leg.triggerPrice > 0)) invalid(place, 'triggerPrice', ABOVE_0);
    if (freezeQuantity !== null && leg.quantity > freezeQuantity) {
      throw new GatewayProblem({
        ...problem(
          'quantity_too_large',
          fieldOfLeg(place, 'quantity'),
          `${leg.quantity} is more than the ${freezeQuantity} of ${instrument.name} that the exchange takes in one order, ` +
            'and a trigger is not cut into slices',
        ),
        nearest: [freezeQuantity],
      });
    }
  }
  const [first, second] = legs;
  if (second === undefined) return;
  if (first.side !== second.side || first.product !== second.product) {
    invalid(1, 'side', 'and product are those of the other leg: a pair is for one position');
  }
  if (!(first.triggerPrice < second.triggerPrice)) {
    wrongSide(1, 'takes a price above that of the first leg');
  }
}

/** Whether each leg is on its side of the present price. Throws `trigger_side`. */
export function checkAround({ legs }: TriggerTerms, lastPrice: number): void {
  if (!(lastPrice > 0)) invalidAt('lastPrice', ABOVE_0);
  const [first, second] = legs;
  if (second === undefined) {
    if (first.triggerPrice !== lastPrice) return;
    wrongSide(0, `${lastPrice} is the present price: it would place its order at once`);
  } else if (!(first.triggerPrice < lastPrice && lastPrice < second.triggerPrice)) {
    wrongSide(
      0,
      `takes a price below the present price, ${lastPrice}, and the other leg one above`,
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

/** Runs a check of an order as one of a leg: what is wrong is told as the field of that leg. */
function atLeg(place: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw ofLeg(place, error);
  }
}

/** What is wrong with an order, as what is wrong with the leg that it is made from. Anything else stays as it is. */
export function ofLeg(place: number, error: unknown): unknown {
  if (!(error instanceof GatewayProblem)) return error;
  const { field, ...fields } = error.fields;
  const isOfLeg = field !== undefined && LEG_FIELDS.has(field);
  if (!isOfLeg) return error;
  return new GatewayProblem({
    ...fields,
    detail: `legs.${place}: ${fields.detail}`,
    field: `legs.${place}.${field}`,
  });
}

const LEG_FIELDS: ReadonlySet<string> = new Set<keyof TriggerLegTerms>([
  ...(['triggerPrice', 'side', 'quantity', 'product', 'price'] as const),
]);

const ABOVE_0 = 'takes a price above 0';

const fieldOfLeg = (place: number, field: keyof TriggerLegTerms): string =>
  `legs.${place}.${field}`;

const problem = <Code extends 'invalid_request' | 'trigger_side' | 'quantity_too_large'>(
  code: Code,
  field: string,
  what: string,
) => ({ code, detail: `${field} ${what}`, field, mayHaveExecuted: false }) as const;

const invalid = (place: number, field: keyof TriggerLegTerms, what: string): never =>
  invalidAt(fieldOfLeg(place, field), what);

function invalidAt(field: string, what: string): never {
  throw new GatewayProblem(problem('invalid_request', field, what));
}

function wrongSide(place: number, what: string): never {
  throw new GatewayProblem(problem('trigger_side', fieldOfLeg(place, 'triggerPrice'), what));
}
