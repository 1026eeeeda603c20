import { describe, expect, it } from 'vitest';
import { textOf, unchanging } from '../../src/routes/shared-texts.ts';

const success = (data: unknown, rest: object = {}) => ({ status: 'success', data, ...rest });

describe('the text of an answer', () => {
  it.each([
    success({ 'NSE:INFY': unchanging({ price: 1, at: null }) }),
    success(
      { '500325': unchanging({ price: 2 }), 'NSE:M&M "x"': unchanging({ depth: { buy: [] } }) },
      { errors: { 'NSE:NONE': 'is not known' }, meta: { ageMs: 3, gone: undefined } },
    ),
    success({}, { errors: {}, meta: {} }),
    success({ 'NSE:INFY': unchanging({ price: 1 }), 'NSE:TCS': { price: 2 } }, { meta: {} }),
    success({ 'NSE:INFY': null }),
    success([unchanging({ price: 1 })], { meta: {} }),
    { status: 'success', other: 1 },
    ['text', null],
    null,
  ])('is that of JSON.stringify, each time: %j', (value) => {
    expect([textOf(value), textOf(value)]).toEqual([JSON.stringify(value), JSON.stringify(value)]);
  });

  it('has another quote once that has changed', () => {
    const meta = { meta: { ageMs: 0 } };
    textOf(success({ 'NSE:INFY': unchanging({ price: 1 }) }, meta));
    const next = success({ 'NSE:INFY': unchanging({ price: 2 }) }, meta);
    expect(JSON.parse(textOf(next))).toEqual(next);
  });

  it('is written once of what does not change', () => {
    let times = 0;
    const quote = unchanging({
      get price() {
        times += 1;
        return 1;
      },
    });
    for (const ageMs of [1, 2, 3]) textOf(success({ 'NSE:INFY': quote }, { meta: { ageMs } }));
    expect(times).toBe(1);
  });
});
