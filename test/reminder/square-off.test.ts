import { describe, expect, it } from 'vitest';
import type { SlotRecord } from '../../src/reminder/policy.ts';
import {
  type AccountPositions,
  dueSquareOffs,
  squareOffText,
  squareOffTimes,
  type SquareOffSettings,
} from '../../src/reminder/square-off.ts';
import { epochMs } from '../../src/units/branded.ts';

const SETTINGS: SquareOffSettings = {
  times: new Map([
    ['NSE', '15:10'],
    ['BSE', '15:10'],
    ['NFO', '15:20'],
  ]),
  minutesBefore: 15,
};
const ist = (text: string) => epochMs(Date.parse(`${text}+05:30`));
const due = (at: string, records: readonly SlotRecord[] = []) =>
  dueSquareOffs({ now: ist(at), settings: SETTINGS, records });
const keys = (at: string, records: readonly SlotRecord[] = []) =>
  due(at, records).map(({ key }) => key);

const account = (parts: Partial<AccountPositions> = {}): AccountPositions => ({
  broker: 'alt',
  positions: [{ instrument: 'NSE:INFY', product: 'INTRADAY', quantity: 10 }],
  problem: null,
  asOf: ist('2026-11-06T14:55:00'),
  ...parts,
});
const textOf = (accounts: readonly AccountPositions[], exchanges = ['NSE', 'BSE']) =>
  squareOffText(
    { key: '2026-11-06T15:10', time: '15:10', exchanges, again: false },
    accounts,
    ist('2026-11-06T14:55:00'),
  );

describe('a square-off reminder', () => {
  it('is due from some minutes before until the time itself, each time by itself', () => {
    expect(squareOffTimes(SETTINGS)).toEqual(['14:55', '15:05']);
    expect(keys('2026-11-06T14:54:59')).toEqual([]);
    expect(keys('2026-11-06T14:55:00')).toEqual(['2026-11-06T15:10']);
    expect(keys('2026-11-06T15:06:00')).toEqual(['2026-11-06T15:10', '2026-11-06T15:20']);
    expect(keys('2026-11-06T15:10:00')).toEqual(['2026-11-06T15:20']);
    expect(keys('2026-11-06T15:20:00')).toEqual([]);
    expect(due('2026-11-06T14:55:00')[0]?.exchanges).toEqual(['NSE', 'BSE']);
  });

  it('is not due on a day without trading', () => {
    expect(keys('2026-11-07T14:56:00')).toEqual([]);
    expect(keys('2026-11-10T14:56:00')).toEqual([]);
  });

  it('is sent once, and once more where the process ended while it was being sent', () => {
    const key = '2026-11-06T15:10';
    const record = (state: SlotRecord['state'], again = false) => [{ key, state, again }];
    const at = '2026-11-06T14:56:00';
    expect(keys(at, record('sent'))).toEqual([]);
    expect(keys(at, record('refused'))).toEqual([]);
    expect(keys(at, record('owed'))).toEqual([key]);
    expect(due(at, record('sending'))).toMatchObject([{ key, again: true }]);
    expect(keys(at, record('sending', true))).toEqual([]);
  });
});

describe('the text of a square-off reminder', () => {
  it('names the positions of these exchanges, how long they trade, and what to press', () => {
    const text = textOf([
      account({
        positions: [
          { instrument: 'NSE:INFY', product: 'INTRADAY', quantity: 10 },
          { instrument: 'BSE:ITC', product: 'INTRADAY', quantity: -5 },
          { instrument: 'NSE:SBIN', product: 'CNC', quantity: 7 },
          { instrument: 'NSE:TCS', product: 'INTRADAY', quantity: 0 },
          { instrument: 'NFO:NIFTY26NOVFUT', product: 'INTRADAY', quantity: 65 },
        ],
      }),
    ]);
    expect(text?.split('\n')).toEqual([
      'Fri 6 Nov, 14:55 IST: the broker closes intraday positions in NSE, BSE at about 15:10.',
      'alt: NSE:INFY, 10 bought',
      'alt: BSE:ITC, 5 sold',
      expect.stringContaining('Shares trade until 15:15; then'),
      expect.stringMatching(/POST \/api\/v1\/exits .* Exit, under Positions in the broker's app/),
    ]);
    const derivatives = [{ instrument: 'NFO:NIFTY26NOVFUT', product: 'INTRADAY', quantity: 65 }];
    expect(textOf([account({ positions: derivatives })], ['NFO'])).toContain(
      'NFO trades until 15:40.',
    );
  });

  it('is none where every account was read and holds none there', () => {
    expect(textOf([])).toBeNull();
    expect(textOf([account({ positions: [] })])).toBeNull();
    expect(textOf([account()], ['NFO'])).toBeNull();
  });

  it('tells of an account that could not be read, and what it held when it last was', () => {
    const problem = 'the broker is away';
    expect(textOf([account({ positions: [], problem, asOf: null })])).toContain(
      'alt: its positions cannot be read (the broker is away), look in its app.',
    );
    const text = textOf([account({ problem, asOf: ist('2026-11-06T14:02:00') })]);
    expect(text).toContain(
      'look in its app; as of Fri 6 Nov, 14:02 IST:\nalt: NSE:INFY, 10 bought',
    );
  });

  it('names fifteen positions of an account, and counts the others', () => {
    const positions = Array.from({ length: 17 }, (_, number) => ({
      instrument: `NSE:X${number}`,
      product: 'INTRADAY',
      quantity: 1,
    }));
    const text = textOf([account({ positions })]) ?? '';
    expect(text.match(/bought/g)).toHaveLength(15);
    expect(text).toContain('alt: 2 more');
  });
});
