import { describe, expect, it } from 'vitest';
import { notSent } from '../../src/domain/outcome.ts';
import {
  accountBroker,
  marketDataBrokers,
  tradingCandidates,
  type BrokerView,
  type Wish,
} from '../../src/router/policy.ts';

const NO_TOKEN = notSent('token', 'log in');

/** A route written as `alt -primary paper`: a dash marks a broker without a session. */
function route(text: string): BrokerView[] {
  return text
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => {
      const broker = name.replace('-', '');
      const mode = broker === 'paper' ? 'paper' : 'live';
      return { broker, mode, blocked: name.startsWith('-') ? NO_TOKEN : null };
    });
}

const ANY: Wish = { broker: null, mode: null };
const candidates = (text: string, wish: Wish = ANY, paperOnOutage = false): string => {
  const choice = tradingCandidates(route(text), wish, paperOnOutage);
  return choice.kind === 'brokers' ? choice.brokers.join(' ') : 'none';
};

describe('the route of an order', () => {
  it.each([
    ['to the live broker alone, while it has a session', 'alt paper', 'alt'],
    ['to paper when no live broker has one', '-alt paper', 'paper'],
    ['along all live brokers, in the route’s order', 'alt primary paper', 'alt primary'],
    ['in the order that the user gave', 'primary alt', 'primary alt'],
    ['to the live brokers that have a session', '-alt primary paper', 'primary'],
    ['never on to paper from a live one', 'primary -alt paper', 'primary'],
    ['to paper alone when it is named first', 'paper alt', 'paper'],
    ['to paper when all that was named before it has no session', '-alt paper primary', 'paper'],
    ['to nobody when nobody has a session', '-alt -primary', 'none'],
    ['to nobody on an empty route', '', 'none'],
  ])('%s: %s to %s', (_why, text, expected) => {
    expect(candidates(text)).toBe(expected);
  });

  it.each([
    ['alt paper', 'alt paper'],
    ['alt primary paper', 'alt primary paper'],
    ['-alt paper', 'paper'],
    ['paper alt', 'paper'],
  ])('continues to paper in an outage if the setting allows it: %s to %s', (text, expected) => {
    expect(candidates(text, ANY, true)).toBe(expected);
  });

  it.each([
    ['alt paper', 'alt'],
    ['-alt paper', 'none'],
    ['paper alt', 'alt'],
    ['paper', 'none'],
  ])('has live accounts only when the order says live: %s to %s', (text, expected) => {
    const live: Wish = { broker: null, mode: 'live' };
    expect([candidates(text, live), candidates(text, live, true)]).toEqual([expected, expected]);
  });

  it('has the paper account only when the order says paper', () => {
    expect(candidates('alt paper', { broker: null, mode: 'paper' })).toBe('paper');
  });

  it('fails with the reason of the first candidate when no broker is available', () => {
    expect(tradingCandidates(route('-alt -primary'), ANY, false)).toEqual({
      kind: 'none',
      blocked: NO_TOKEN,
    });
    expect(tradingCandidates([], ANY, false)).toEqual({ kind: 'none', blocked: null });
  });
});

describe('the route of a read of the account', () => {
  it.each([
    ['alt paper', 'alt'],
    ['-alt paper', 'paper'],
    ['-alt primary paper', 'primary'],
    ['-alt', null],
    ['', null],
  ])('is the first broker with a session: %s at %s', (text, expected) => {
    expect(accountBroker(route(text))).toBe(expected);
  });
});

describe('the route of market data', () => {
  it.each([
    ['alt primary', ['alt', 'primary']],
    ['-alt primary', ['primary']],
    ['-alt -primary', []],
  ])('is every broker with a session, in order: %s', (text, expected) => {
    expect(marketDataBrokers(route(text))).toEqual(expected);
  });
});
