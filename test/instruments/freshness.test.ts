import { describe, expect, it } from 'vitest';
import { editionOf, HOUR_MS, isOutdated, isTooOld } from '../../src/instruments/source-list.ts';
import { epochMs, type EpochMs } from '../../src/units/branded.ts';

const ist = (time: string): EpochMs => epochMs(Date.parse(`${time}+05:30`));

describe('a list', () => {
  it.each([
    ['2026-11-06T08:50:00', '2026-11-06T23:59:59'],
    ['2026-11-06T08:50:00', '2026-11-07T00:00:00'],
    ['2026-11-06T11:00:00', '2026-11-07T08:29:59.999'],
    ['2026-11-07T08:30:00', '2026-11-07T08:49:59'],
  ])('of %s is today’s at %s', (fetched, now) => {
    expect(isOutdated(ist(fetched), ist(now), null)).toBe(false);
  });

  it.each([
    ['as the broker makes it anew', '2026-11-06T11:00:00', '2026-11-07T08:30:00'],
    ['as the new one may have come late', '2026-11-07T08:30:00', '2026-11-07T08:50:00'],
    ['after days', '2026-11-02T11:00:00', '2026-11-07T08:00:00'],
    ['when it is from the future', '2026-11-06T11:00:01', '2026-11-06T11:00:00'],
  ])('is outdated %s', (_how, fetched, now) => {
    expect(isOutdated(ist(fetched), ist(now), null)).toBe(true);
  });

  it('is outdated after an hour when it may be used for an hour', () => {
    const fetched = ist('2026-11-06T11:00:00');
    expect(isOutdated(fetched, epochMs(fetched + HOUR_MS - 1), HOUR_MS)).toBe(false);
    expect(isOutdated(fetched, epochMs(fetched + HOUR_MS), HOUR_MS)).toBe(true);
  });

  it('is too old when it is a week away from now, past or future', () => {
    const now = ist('2026-11-13T11:00:00');
    expect(isTooOld(ist('2026-11-06T11:00:00'), now)).toBe(false);
    expect(isTooOld(ist('2026-11-06T10:59:59'), now)).toBe(true);
    expect(isTooOld(ist('2026-11-20T11:00:01'), now)).toBe(true);
  });
});

it('editions rise by one at each boundary, over midnight and before 1970 too', () => {
  const days = ['1969-12-31', '1970-01-01', '2026-11-06', '2026-11-07'];
  const editions = days.map((day) =>
    ['00:00:00', '08:29:59', '08:30:00', '08:49:59', '08:50:00', '23:59:59'].map((time) =>
      editionOf(ist(`${day}T${time}`)),
    ),
  );
  for (const [first, ...others] of editions) {
    expect(others.map((each) => each - first!)).toEqual([0, 1, 1, 2, 2]);
  }
  expect(editions[1]![0]).toBe(editions[0]![5]);
  expect(editions[3]![0]).toBe(editions[2]![5]);
});
