import { expect, it } from 'vitest';
import { directedDay, PLACES, seedsOf } from './plan-directed.ts';

it('plays each kind of directed day on the seeds that are named for it', () => {
  const days = PLACES.flatMap((place) => [...place.days]);
  const shadowed = days.flatMap((day) =>
    seedsOf(day, 3)
      .filter((seed) => directedDay(String(seed)) !== day)
      .map((seed) => `${day}: afternoon ${seed} is ${directedDay(String(seed))}`),
  );
  expect(shadowed).toEqual([]);
});
