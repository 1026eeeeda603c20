import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLANTED_BUGS } from './planted.ts';

/** Whether the checker finds them takes minutes: planted.slow.test.ts. */
describe('each planted bug', () => {
  const edits = PLANTED_BUGS.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));

  it.each(edits)('has its place in the source, once: $name', ({ file, find, replace }) => {
    expect(readFileSync(file, 'utf8').split(find).length).toBe(2);
    expect(replace).not.toBe(find);
  });
});
