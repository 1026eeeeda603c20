import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapSignal, textFields } from '../../src/signals/map-signal.ts';
import type { SignalTemplate } from '../../src/domain/signal-template.ts';
import { ALERT, CHARTINK, SCAN, TRADINGVIEW } from './support/templates.ts';

const DAY = '2026-11-23';
const map = (fields: unknown, template: SignalTemplate = TRADINGVIEW) =>
  mapSignal(template, fields, DAY);

describe('an alert', () => {
  it('of TradingView becomes one order, with its own id and time', () => {
    expect(map(ALERT)).toEqual({
      kind: 'mapped',
      alertId: 'Long 2026-11-23T03:45:01Z',
      alertAt: Date.parse('2026-11-23T03:45:01Z'),
      orders: [
        {
          ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10 },
          ...{ orderType: 'MARKET', product: 'INTRADAY' },
        },
      ],
    });
  });

  it('of ChartInk becomes an order for each stock, and its id has the trading day', () => {
    const mapped = map(SCAN, CHARTINK);
    expect(mapped).toMatchObject({
      kind: 'mapped',
      alertId: 'breakouts 9:20 am INFY,TCS 2026-11-23',
      orders: [
        { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, price: 1500.5 },
        { instrument: 'NSE:TCS', side: 'BUY', quantity: 1, price: 3000 },
      ],
    });
    const lists = { ...SCAN, stocks: ['INFY', 'TCS'], trigger_prices: [1500.5, 3000] };
    expect(map(lists, CHARTINK)).toEqual(mapped);
  });

  it.each([
    ['buy', 'BUY'],
    ['LONG', 'BUY'],
    [' Sell ', 'SELL'],
    ['short', 'SELL'],
    ['exit', 'SELL'],
    // The form of an order refuses it afterwards.
    ['hold', 'HOLD'],
  ])('of the word %s has the side %s', (action, side) => {
    const template = { ...TRADINGVIEW, words: { side: { Exit: 'SELL' } } };
    expect(map({ ...ALERT, action }, template)).toMatchObject({ orders: [{ side }] });
  });

  it('has its instrument under the name that the words of the template say', () => {
    expect(map({ ...ALERT, ticker: 'm_m' })).toMatchObject({ orders: [{ instrument: 'NSE:M&M' }] });
  });

  it.each([
    ['1795405501', 1_795_405_501_000],
    ['1795405501123', 1_795_405_501_123],
    [1_795_405_501, 1_795_405_501_000],
    ['2026-11-23T09:15:01.5+05:30', Date.parse('2026-11-23T03:45:01.5Z')],
  ])('has the time %s', (at, expected) => {
    expect(map({ ...ALERT, at })).toMatchObject({ alertAt: expected });
  });

  it.each([
    ['a missing field', { action: undefined }, 'order.side'],
    ['an empty field', { action: ' ' }, 'order.side'],
    ['a field that is null', { ticker: null }, 'order.instrument'],
    ['an object', { ticker: { name: 'INFY' } }, 'order.instrument'],
    ['true', { ticker: true }, 'order.instrument'],
    ['a placeholder that was not filled in', { id: '{{strategy.order.id}}' }, 'id'],
    ['an id of more than 15 digits', { id: 1763871234.12345678 }, 'id'],
    ['an unprintable character', { ticker: 'INFY\u202e' }, 'order.instrument'],
    ['a very long text', { ticker: 'X'.repeat(300) }, 'order.instrument'],
    ['a quantity above the bound', { quantity: 51 }, 'order.quantity'],
    ['a negative quantity', { quantity: -1 }, 'order.quantity'],
    ['a quantity with an exponent', { quantity: '1e1' }, 'order.quantity'],
    ['a quantity in hexadecimal', { quantity: '0x10' }, 'order.quantity'],
    ['a quantity that is infinite', { quantity: Infinity }, 'order.quantity'],
    ['a separator of thousands', { quantity: '1,0' }, 'order.quantity'],
    ['a time without a zone', { at: '2026-11-23T03:45:01' }, 'time'],
    ['a day that is not there', { at: '2026-13-45T03:45:01Z' }, 'time'],
    ['a time of day alone', { at: '9:20 am' }, 'time'],
  ])('with %s is refused as a whole', (_what, change, path) => {
    const mapped = map({ ...ALERT, ...change });
    expect(mapped.kind).toBe('refused');
    const paths = mapped.kind === 'refused' ? mapped.errors.map((each) => each.path) : [];
    expect(paths).toContain(path);
  });

  it.each([
    ['too few prices', { trigger_prices: '1500.5' }],
    ['too many prices', { trigger_prices: '1500.5,3000,1' }],
    ['a stock twice', { stocks: 'INFY,INFY' }],
    ['an empty place', { stocks: 'INFY,', trigger_prices: '1,2' }],
    ['no stock', { stocks: '', trigger_prices: '' }],
    ['an empty list', { stocks: [], trigger_prices: [] }],
    ['a number for a list', { stocks: 5, trigger_prices: 5 }],
    [
      'more stocks than one alert may have',
      {
        stocks: Array.from({ length: 21 }, (_none, index) => `S${index}`).join(','),
        trigger_prices: Array.from({ length: 21 }, () => '1').join(','),
      },
    ],
  ])('with %s places none of its orders', (_what, change) => {
    expect(map({ ...SCAN, ...change }, CHARTINK).kind).toBe('refused');
  });

  it('is never quoted in what is wrong with it', () => {
    const secret = 'hunter2-hunter2';
    for (const name of Object.keys(ALERT)) {
      const mapped = map({ ...ALERT, [name]: `${secret}\u0000` });
      expect(JSON.stringify(mapped)).not.toContain(secret);
    }
  });

  it('of plain text is read by its form', () => {
    const form = '{action} {ticker} qty={quantity} now';
    expect(textFields(form, 'buy  INFY\tqty=10 now\n')).toEqual({
      ...{ action: 'buy', ticker: 'INFY', quantity: '10' },
    });
    const others = [
      'buy INFY qty=10',
      'buy INFY 10 now',
      'buy INFY qty= now',
      'buy INFY qty=1 now x',
    ];
    expect(others.map((each) => textFields(form, each))).toEqual([null, null, null, null]);
  });
});

describe('an alert of any content', () => {
  const field = fc.oneof(fc.jsonValue(), fc.string(), fc.double(), fc.constant('{{ticker}}'));
  const name = fc.constantFrom(...Object.keys(ALERT), '__proto__', 'constructor', 'toString');

  it('is refused, or becomes orders within the bounds of the template, each time the same', () => {
    fc.assert(
      fc.property(fc.dictionary(name, field), fc.boolean(), (odd, isWhole) => {
        const mapped = map(isWhole ? { ...ALERT, ...odd } : odd);
        expect(map(isWhole ? { ...ALERT, ...odd } : odd)).toEqual(mapped);
        if (mapped.kind === 'refused') {
          expect(mapped.errors.length).toBeGreaterThan(0);
          return;
        }
        for (const order of mapped.orders) {
          expect(order['quantity']).toBeLessThanOrEqual(50);
          expect(order).toMatchObject({ orderType: 'MARKET', product: 'INTRADAY' });
          expect(JSON.stringify(order)).not.toContain('{{');
        }
        expect(mapped.alertId).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it('makes as many orders as its lists have places, and no more than are allowed', () => {
    const list = fc.oneof(fc.array(field, { maxLength: 30 }), fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(list, list, (stocks, prices) => {
        const mapped = map({ ...SCAN, stocks, trigger_prices: prices }, CHARTINK);
        if (mapped.kind === 'refused') return;
        const count = Array.isArray(stocks) ? stocks.length : String(stocks).split(',').length;
        expect(mapped.orders.length).toBe(count);
        expect(count).toBeLessThanOrEqual(20);
      }),
      { numRuns: 500 },
    );
  });

  it('has fields of its own alone', () => {
    const template = { ...TRADINGVIEW, id: '{constructor.name} {toString}' };
    expect(map(ALERT, template)).toMatchObject({ kind: 'refused' });
  });
});
