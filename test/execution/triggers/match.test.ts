import { describe, expect, it } from 'vitest';
import { couldBe, isMadeAtOnce } from '../../../src/execution/triggers/match-trigger.ts';
import { plus } from '../../../src/units/branded.ts';
import { AT, brokerTrigger, triggerRecord } from './makers.ts';

const made = (ms: number) => brokerTrigger({ createdAt: plus(AT, ms) });

describe('a row of the list of triggers', () => {
  it('could be what a request has made by a clock that is up to a minute ahead, and ten minutes later', () => {
    const times = [-70_000, -60_000, -9_500, 0, 30_000, 599_000, 601_000];
    const could = times.filter((ms) => couldBe(triggerRecord(), made(ms)));
    expect(could).toEqual([-60_000, -9_500, 0, 30_000, 599_000]);
  });

  it('could not be it where it was there before, or has other terms', () => {
    expect(couldBe(triggerRecord(), brokerTrigger({ triggerId: '7' }))).toBe(false);
    expect(couldBe(triggerRecord(), brokerTrigger({ instrument: 'NSE:SBIN' }))).toBe(false);
  });

  it.each([
    { triggerPrice: 1_449 },
    { price: 1_449 },
    { side: 'BUY' },
    { quantity: 11 },
    { product: 'INTRADAY' },
  ] as const)('could not be it where its leg has %j', (other) => {
    const [leg] = brokerTrigger().legs;
    expect(couldBe(triggerRecord(), brokerTrigger({ legs: [leg!] }))).toBe(true);
    expect(couldBe(triggerRecord(), brokerTrigger({ legs: [{ ...leg!, ...other }] }))).toBe(false);
  });

  it('was made at once within half a minute of the request, or where it tells no time', () => {
    const times = [-9_500, 0, 30_000, 31_000];
    expect(times.filter((ms) => isMadeAtOnce(triggerRecord(), made(ms)))).toEqual([
      ...[-9_500, 0, 30_000],
    ]);
    expect(isMadeAtOnce(triggerRecord(), brokerTrigger({ createdAt: null }))).toBe(true);
  });
});
