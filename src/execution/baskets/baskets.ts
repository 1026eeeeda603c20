import type { SubmitParts } from '../submit/place-command.ts';
import type { Submit } from '../submit/submit.ts';
import {
  type BasketCommand,
  type BasketOutcome,
  type BasketResult,
  type CheckedItem,
  outcomeOf,
  placeInBasket,
} from './basket.ts';
import { createBasketEvents } from './basket-events.ts';
import { createCheckBasket } from './check-basket.ts';
import { createSendBasket } from './send-basket.ts';

/**
 * Places many orders with one request, each under its own key (docs/many-orders.md, "A basket of orders").
 * All are checked before the first one leaves: where one is refused, none is sent.
 */
export function createPlaceBasket(
  parts: SubmitParts,
  { place, before }: Pick<Submit, 'place' | 'before'>,
): (command: BasketCommand) => Promise<BasketResult> {
  const check = createCheckBasket(parts, before);
  const send = createSendBasket(parts, place);
  const events = createBasketEvents(parts);
  const sentBeside = createSentBeside(before);

  return async function placeBasket({ arrived, ordered, dryRun, orders }) {
    const items = await check(orders);
    const wrong = items.findIndex(({ kind }) => kind === 'refused');
    if (wrong >= 0) {
      const reason = `${placeInBasket(wrong)} was refused, so none of the basket was sent`;
      const unsent = await withoutSending(items, { kind: 'kept', reason });
      return { refused: true, outcomes: await sentBeside(unsent, items) };
    }
    if (dryRun) {
      return { refused: false, outcomes: await withoutSending(items, { kind: 'checked' }) };
    }
    events.begun(items, ordered);
    const sent = ordered ? send.inOrder(items, arrived) : send.together(items, arrived);
    const outcomes = await sentBeside(await sent, items);
    events.over(items, outcomes, ordered);
    return { refused: false, outcomes };
  };
}

/**
 * An order that did not leave by this request may have left by another one under its key meanwhile, alone: then it is
 * answered as that one. While one of these is waited for, another may leave, so they are looked up until none has.
 */
function createSentBeside(before: Submit['before']) {
  async function lookUp(
    outcome: BasketOutcome,
    item: CheckedItem | undefined,
  ): Promise<BasketOutcome> {
    const command = item === undefined || item.kind === 'before' ? undefined : item.command;
    if (outcome.kind === 'placed' || command === undefined) return outcome;
    try {
      const beside = before(command);
      return beside === null ? outcome : await outcomeOf(beside);
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  return async (
    outcomes: readonly BasketOutcome[],
    items: readonly CheckedItem[],
  ): Promise<readonly BasketOutcome[]> => {
    let known = outcomes;
    for (;;) {
      const earlier = known;
      known = await Promise.all(earlier.map((each, index) => lookUp(each, items[index])));
      if (known.every(({ kind }, index) => kind !== 'placed' || earlier[index]?.kind === kind)) {
        return known;
      }
    }
  };
}

/** What was asked for before is answered as it stands; `ready` is told of the others that passed. */
function withoutSending(
  items: readonly CheckedItem[],
  ready: BasketOutcome,
): Promise<readonly BasketOutcome[]> {
  return Promise.all(
    items.map((item): BasketOutcome | Promise<BasketOutcome> => {
      switch (item.kind) {
        case 'before':
          return item.outcome;
        case 'refused':
          return { kind: 'failed', error: item.problem };
        case 'ready':
          return ready;
      }
    }),
  );
}
