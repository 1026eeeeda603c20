import { createPlaceBasket } from './baskets/baskets.ts';
import type { SubmitParts } from './submit/place-command.ts';
import { createSubmit } from './submit/submit.ts';
import type { WorkUnderWay } from './ways-out.ts';

/** Places orders, one at a time and in baskets. */
export function createPlacings(parts: SubmitParts, track: WorkUnderWay['track']) {
  const { place, before, repeated } = createSubmit(parts);
  const placeBasket = createPlaceBasket(parts, {
    ...{ place: (command) => track(place(command)), before },
  });
  return { place, repeated, placeBasket };
}
