import { createPlaceBasket } from './baskets/baskets.ts';
import { closingProblem, type PlaceCommand, type SubmitParts } from './submit/place-command.ts';
import { createSubmit, type Submit } from './submit/submit.ts';
import type { WorkUnderWay } from './ways-out.ts';

/** Places orders, one at a time and in baskets. */
export function createPlacings(parts: SubmitParts, track: WorkUnderWay['track']) {
  const { place, before, repeated, madeUnder } = createSubmit(parts);
  const tracked: Submit['place'] = (command) => track(place(command));
  const placeBasket = createPlaceBasket(parts, { place: tracked, before });

  /** Nothing new is begun while the gateway stops; a used key is answered all the same. */
  async function placeAsked(command: PlaceCommand) {
    if (!parts.closing()) return tracked(command);
    const { idempotencyKey } = command;
    const ahead = idempotencyKey === null ? null : before({ ...command, idempotencyKey });
    if (ahead === null) throw closingProblem();
    return ahead;
  }

  return {
    /** For work of the gateway itself: an exit that stops decides by itself what it still sends. */
    place,
    /** What callers ask for. */
    asked: { place: placeAsked, repeated, madeUnder, placeBasket },
  };
}
