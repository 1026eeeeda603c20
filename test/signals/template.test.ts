import { describe, expect, it } from 'vitest';
import type { SignalTemplate } from '../../src/domain/signal-template.ts';
import { mistakesOf } from '../../src/signals/template.ts';
import { CHARTINK, TRADINGVIEW } from './support/templates.ts';

const pathsOf = (change: Partial<SignalTemplate>): readonly string[] =>
  mistakesOf({ ...TRADINGVIEW, ...change }).map(({ path }) => path);
const ofOrder = (change: SignalTemplate['order']): Partial<SignalTemplate> => ({
  order: { ...TRADINGVIEW.order, ...change },
});

describe('a template', () => {
  it('of the documentation has no mistake', () => {
    expect([TRADINGVIEW, CHARTINK].flatMap(mistakesOf)).toEqual([]);
  });

  it.each<[string, Partial<SignalTemplate>, string]>([
    ['an id without a field of the alert', { id: 'always the same' }, 'id'],
    ['an id of the day alone', { id: '{@day}' }, 'id'],
    ['a brace that is not closed', { id: '{id' }, 'id'],
    ['an empty placeholder', ofOrder({ instrument: 'NSE:{}' }), 'order.instrument'],
    ['an empty part of a name', ofOrder({ instrument: '{a..b}' }), 'order.instrument'],
    ['a side that there is not', ofOrder({ side: 'HOLD' }), 'order.side'],
    ['an order type that there is not', ofOrder({ orderType: 'ICEBERG' }), 'order.orderType'],
    ['no bound on the quantity of the alert', { maxQuantity: null }, 'maxQuantity'],
    ['a quantity above its own bound', ofOrder({ quantity: 51 }), 'order.quantity'],
    ['a form that lacks a field', { text: '{id} {at} {action} {ticker}' }, 'order.instrument'],
    ['a form with two fields in a word', { text: '{exchange}:{ticker} {id}' }, 'text'],
    ['a form with a field twice', { text: '{id} {id}' }, 'text'],
    ['a list that the form lacks', { text: '{id}', forEach: ['stocks'] }, 'forEach'],
  ])('with %s is refused', (_what, change, path) => {
    expect(pathsOf(change)).toContain(path);
  });

  it('may say a side by a word of its own', () => {
    expect(pathsOf({ ...ofOrder({ side: 'enter' }), words: { side: { enter: 'BUY' } } })).toEqual(
      [],
    );
  });
});
