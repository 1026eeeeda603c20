import { describe, expect, it } from 'vitest';
import {
  isSessionOpen,
  nextOpening,
  sessionEnd,
  takesOrders,
} from '../../../src/adapters/paper/sessions.ts';
import { epochMs, type EpochMs } from '../../../src/units/branded.ts';

const at = (text: string): EpochMs => epochMs(Date.parse(`${text}+05:30`));

const SHARE = 'NSE:INFY';
const OPTION = 'NFO:NIFTY26NOV24450CE';

describe('a session of the exchange', () => {
  it('trades from 09:15 to 15:30 on a trading day', () => {
    expect(isSessionOpen(at('2026-01-05T09:14:59'), 'exchange', SHARE)).toBe(false);
    expect(isSessionOpen(at('2026-01-05T09:15:00'), 'exchange', SHARE)).toBe(true);
    expect(isSessionOpen(at('2026-01-05T15:29:59'), 'exchange', SHARE)).toBe(true);
    expect(isSessionOpen(at('2026-01-05T15:30:00'), 'exchange', SHARE)).toBe(false);
    expect(isSessionOpen(at('2026-01-04T10:00:00'), 'exchange', SHARE)).toBe(false);
    expect(isSessionOpen(at('2026-01-26T10:00:00'), 'exchange', SHARE)).toBe(false);
  });

  it('accepts orders from 09:00 on, before it trades', () => {
    expect(takesOrders(at('2026-01-05T08:59:59'), 'exchange', SHARE)).toBe(false);
    expect(takesOrders(at('2026-01-05T09:00:00'), 'exchange', SHARE)).toBe(true);
  });

  it('opens next on the next trading day, over weekend and holiday', () => {
    expect(nextOpening(at('2026-01-05T09:05:00'), 'exchange')).toBe(at('2026-01-05T09:15:00'));
    expect(nextOpening(at('2026-01-05T09:15:00'), 'exchange')).toBe(at('2026-01-06T09:15:00'));
    expect(nextOpening(at('2026-01-23T18:00:00'), 'exchange')).toBe(at('2026-01-27T09:15:00'));
  });

  it('ends at 15:30', () => {
    expect(sessionEnd(at('2026-01-05T10:00:00'), 'exchange', SHARE)).toBe(
      at('2026-01-05T15:30:00'),
    );
  });
});

describe('a session of derivatives', () => {
  it('is ten minutes longer', () => {
    expect(isSessionOpen(at('2026-11-06T09:14:59'), 'exchange', OPTION)).toBe(false);
    expect(isSessionOpen(at('2026-11-06T15:39:59'), 'exchange', OPTION)).toBe(true);
    expect(isSessionOpen(at('2026-11-06T15:40:00'), 'exchange', OPTION)).toBe(false);
    expect(takesOrders(at('2026-11-06T15:39:59'), 'exchange', OPTION)).toBe(true);
    expect(sessionEnd(at('2026-11-06T15:35:00'), 'exchange', OPTION)).toBe(
      at('2026-11-06T15:40:00'),
    );
  });
});

describe('a session that is always on', () => {
  it('is open at night and on Sundays', () => {
    expect(isSessionOpen(at('2026-01-04T02:00:00'), 'always', SHARE)).toBe(true);
    expect(takesOrders(at('2026-01-04T02:00:00'), 'always', SHARE)).toBe(true);
  });

  it('ends half an hour before the next one begins, at 06:00', () => {
    expect(sessionEnd(at('2026-01-04T10:00:00'), 'always', SHARE)).toBe(at('2026-01-05T05:30:00'));
    expect(sessionEnd(at('2026-01-04T05:30:00'), 'always', SHARE)).toBe(at('2026-01-05T05:30:00'));
    expect(nextOpening(at('2026-01-04T05:00:00'), 'always')).toBe(at('2026-01-04T06:00:00'));
  });
});
