import { describe, expect, it } from 'vitest';
import { nextReadAt, nextResolvingRead } from '../../../src/execution/reconcile/read-schedule.ts';
import { elapsedMs, LONG_AGO } from '../../../src/units/branded.ts';
import { ist, orderRecord } from '../support/makers.ts';

describe('the book, for something uncertain', () => {
  it('is read at a quarter, a half, 1, 2 and 4 seconds, then every five', () => {
    const reads: number[] = [];
    let last = -Infinity;
    while (reads.length < 8)
      reads.push((last = nextResolvingRead(elapsedMs(1_000), elapsedMs(last), false)));
    expect(reads.map((at) => at - 1_000)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 9_000, 14_000, 19_000,
    ]);
  });

  it.each([
    ['before it became uncertain', -400, 250],
    ['at the very moment', 0, 250],
    ['a little late', 300, 500],
    ['exactly on time', 500, 1_000],
    ['for another one', 61_000, 66_000],
  ])('that was read %s is due at the next point', (_when, last, due) => {
    expect(nextResolvingRead(elapsedMs(0), elapsedMs(last), false)).toBe(due);
  });

  it('is read once a minute while the market is shut, but at once for what is new', () => {
    expect(nextResolvingRead(elapsedMs(0), elapsedMs(100_000), true)).toBe(160_000);
    expect(nextResolvingRead(elapsedMs(90_000), elapsedMs(90_300), true)).toBe(90_500);
  });
});

describe('the book, for an order that may never be explained', () => {
  it.each([
    ['disputed', 'every 15 seconds while its exchange trades', '2026-11-06T15:00:00', 15_000],
    ['disputed', 'every minute in the evening', '2026-11-06T20:59:59', 60_000],
    ['disputed', 'every five minutes from 21:00', '2026-11-06T21:00:00', 300_000],
    ['uncertain', 'every five seconds while its exchange trades', '2026-11-06T15:00:00', 5_000],
    ['uncertain', 'every minute in the evening', '2026-11-06T20:59:59', 60_000],
    ['uncertain', 'every five minutes from 21:00', '2026-11-06T21:00:00', 300_000],
    ['uncertain', 'two seconds after its book is gone', '2026-11-07T05:58:00', 122_000],
    ['uncertain', 'then too where it was read a second before', '2026-11-07T06:00:01', 1_000],
    ['uncertain', 'every five minutes from then on', '2026-11-07T06:00:02', 300_000],
  ] as const)('%s is read %s', (kind, _how, now, after) => {
    const order = orderRecord({ kind, createdAt: ist('2026-11-06T11:00:00') });
    const due = nextReadAt({
      watched: [order],
      uncertainSince: new Map([[order.id, elapsedMs(0)]]),
      hasSession: true,
      recovering: false,
      late: new Set(),
      ofTriggers: [],
      hasEndedDays: false,
      comparisonIn: null,
      hasGaps: false,
      lastBegun: elapsedMs(1_000_000),
      failures: 0,
      wantedFrom: null,
      told: { from: null, countsUntil: LONG_AGO },
      startedAt: elapsedMs(0),
      now: ist(now),
      elapsed: elapsedMs(1_000_000),
      pollMs: 3_000,
      marketHours: 'exchange',
    });
    expect(due).toBe(1_000_000 + after);
  });
});
