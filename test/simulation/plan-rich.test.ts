import { expect, it } from 'vitest';
import { istDay } from '../../src/domain/ist.ts';
import { epochMs } from '../../src/units/branded.ts';
import { DAY_KINDS } from './hours.ts';
import { planRichDay } from './plan-rich.ts';

const dayOf = (at: number): string => istDay(epochMs(at));

it.each(DAY_KINDS)('what hides orders placed by hand has one to hide: %s', (kind) => {
  const plans = Array.from({ length: 200 }, (_, index) =>
    planRichDay(String(index * 10 + 1), null, kind),
  );
  const hiding = plans.flatMap(({ faults, mishaps }) =>
    faults
      .filter((rule) => rule.kind === 'foreign_hidden')
      .map(({ broker, from = 0 }) => ({ broker, from, mishaps })),
  );
  expect(hiding.length).toBeGreaterThan(20);
  const hasNone = hiding.filter(
    ({ broker, from, mishaps }) =>
      !mishaps.some(
        (each) =>
          each.kind === 'hand_order' &&
          each.broker === broker &&
          each.at <= from &&
          dayOf(each.at) === dayOf(from),
      ),
  );
  expect(hasNone).toEqual([]);
});
