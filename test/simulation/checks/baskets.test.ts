import { describe, expect, it } from 'vitest';
import { createState } from '../../../src/execution/journal/state.ts';
import type { SentAnswer } from '../traffic.ts';
import { leavesInTurn } from './baskets.ts';

const acknowledged: SentAnswer = {
  ...{ at: 1_000, honest: true },
  reaction: {
    ...{ kind: 'answer', status: 200, headers: {}, delayMs: 0 },
    body: '{"data":{"order_id":"1"}}',
  },
};
const refused: SentAnswer = {
  ...{ at: 1_000, honest: true },
  reaction: { kind: 'answer', status: 400, headers: {}, body: '{}', delayMs: 0 },
};
const lost: SentAnswer = { at: 1_000, honest: false, reaction: { kind: 'reset', delayMs: 0 } };

const ordered = { wanted: ['me/a', 'me/b', 'me/c'], ordered: true, isWrong: false };
const leaving = { at: 2_000, wanted: 'me/b', inBasket: 'me/basket#1' };

/** What is said where the order before was answered so. */
const said = (answer: SentAnswer | null, basket = ordered, leaves = leaving): readonly string[] =>
  leavesInTurn(basket, leaves, {
    sent: [{ placing: true, wanted: 'me/a', answer }],
    state: createState(),
  }).map(({ property }) => property);

describe('the check of baskets', () => {
  it('goes red where an ordered basket goes on after an order that was not acknowledged', () => {
    expect(said(acknowledged)).toEqual([]);
    expect([said(lost), said(refused), said(null)]).toEqual([['S31'], ['S31'], ['S31']]);
  });

  it('goes red where the acknowledgement comes after the next order has left', () => {
    expect(said({ ...acknowledged, at: 2_001 })).toEqual(['S31']);
  });

  it('looks at every order before, and at none of a basket that is not ordered', () => {
    expect(said(acknowledged, ordered, { ...leaving, wanted: 'me/c' })).toEqual(['S31']);
    expect(said(lost, { ...ordered, ordered: false })).toEqual([]);
  });

  it('goes red where anything leaves of a basket that is wrong', () => {
    const wrong = { ...ordered, ordered: false, isWrong: true };
    expect(said(acknowledged, wrong)).toEqual(['S31']);
  });
});
