import { describe, expect, it } from 'vitest';
import { type ExitPlan, FIRST_PLAN } from '../../../src/execution/exits/exit.ts';
import { type AfterLeg, afterLeg, type LegEnd } from '../../../src/execution/exits/next-leg.ts';

const after = (plan: Partial<ExitPlan>, end: Partial<LegEnd>, lotSize = 1): AfterLeg =>
  afterLeg(
    { ...FIRST_PLAN, ...plan },
    { orderType: 'LIMIT', quantity: 100, price: 100 },
    { filled: 0, rejection: null, reason: null, ...end },
    { attempts: 3, lotSize, side: 'SELL' },
  );

describe('the attempts of an exit', () => {
  it('begin anew once a leg has filled', () => {
    const plan = { orderType: 'LIMIT', attempt: 1 };
    expect(after({ attempt: 3 }, { filled: 100 })).toMatchObject({ kind: 'again', plan });
  });

  it('go on, and end with the third, where a leg has filled in part', () => {
    const second = { kind: 'again', plan: { attempt: 2 } };
    expect(after({ attempt: 1 }, { filled: 99 })).toMatchObject(second);
    expect(after({ attempt: 3 }, { filled: 99 })).toMatchObject({ why: 'not_filled' });
  });
});

describe('the pauses of an exit', () => {
  it('are 15 seconds in all, also where legs have filled in between', () => {
    const waits: number[] = [];
    let plan = FIRST_PLAN;
    for (let round = 0; round < 20; round += 1) {
      const next = after(plan, { rejection: 'rate_limited' });
      if (next.kind === 'stop') break;
      waits.push(next.waitMs);
      const filled = after(next.plan, { filled: 100 });
      if (filled.kind === 'again') plan = filled.plan;
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(after(plan, { rejection: 'not_sent' })).toMatchObject({ why: 'waited_too_long' });
  });
});

describe('a leg that was refused', () => {
  it('for its quantity is halved to whole lots, and not below one', () => {
    const end = { rejection: 'other', reason: 'Quantity exceeds the freeze quantity' } as const;
    expect(after({}, end, 30)).toMatchObject({ kind: 'again', plan: { most: 30 } });
    expect(after({}, end, 75)).toMatchObject({ kind: 'stop', why: 'refused' });
  });

  it('for its price is no MARKET where MARKET orders are blocked', () => {
    const plan = { orderType: 'LIMIT', attempt: 2 };
    expect(after({ isMarketBlocked: true }, { rejection: 'price' })).toMatchObject({ plan });
  });
});
