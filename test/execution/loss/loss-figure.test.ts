import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src/domain/portfolio.ts';
import type { Account } from '../../../src/domain/ports.ts';
import { readFigure } from '../../../src/execution/loss/loss-figure.ts';
import { AT, instrument, position } from '../support/makers.ts';
import { lyingBroker } from '../support/lying-broker.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const DAY = { buyQuantity: 10, buyValue: 15_000, sellQuantity: 0, sellValue: 0 };
const HELD: Position = position({
  ...{ product: 'INTRADAY', quantity: 10, lastPrice: 1_400, day: DAY },
});

const figureOf = (account: Partial<Account>) =>
  readFigure({
    trading: lyingBroker(new VirtualTime(AT)).trading,
    account: {
      broker: 'primary',
      positions: () => Promise.resolve([HELD]),
      holdings: () => Promise.reject(new Error('holdings are not read')),
      funds: () => Promise.reject(new Error('funds are not read')),
      profile: () => Promise.reject(new Error('the profile is not read')),
      ...account,
    },
    marketHours: 'exchange',
    now: () => AT,
    instruments: { byName: () => instrument() },
    loadInstruments: () => Promise.resolve(),
    quotes: () => Promise.resolve(new Map()),
  });

describe('the figure of an account', () => {
  it('is its day’s profit, by the broker’s own prices where there are no quotes', async () => {
    expect(await figureOf({})).toMatchObject({ kind: 'known', rupees: -1_000 });
  });

  it('is unknown where one row cannot be read, with the rows that can', async () => {
    const row = { list: 'positions', instrument: null, product: null, quantity: null } as const;
    const figure = await figureOf({ unread: () => [{ ...row, reason: 'quantity: not a number' }] });
    expect(figure).toMatchObject({ kind: 'unknown', positions: [HELD] });
    expect(figure).toMatchObject({ reason: expect.stringMatching(/quantity: not a number/) });
  });

  it('is unknown where the positions cannot be read', async () => {
    const figure = await figureOf({ positions: () => Promise.reject(new Error('HTTP 500')) });
    expect(figure).toEqual({ kind: 'unknown', reason: 'HTTP 500' });
  });
});
