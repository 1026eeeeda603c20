import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../../docs/alt-broker.md', import.meta.url), 'utf8');

/** `trading.test › reads …`, or a file alone; beside this one, else below `test`. */
const proofs = [...page.matchAll(/`([a-z][\w./-]*\.test)(?: › ([^`]+))?`/g)].map(
  ([, file = '', title]) => ({ file, title }),
);

const textOf = (file: string): string | null => {
  const found = [`./${file}.ts`, `../../${file}.ts`]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url));
  return found ? readFileSync(found, 'utf8') : null;
};

describe('docs/alt-broker.md', () => {
  it('names proofs', () => {
    expect(proofs.length).toBeGreaterThan(80);
  });

  it('names no test that is not there', () => {
    const missing = proofs.filter(({ file, title }) => {
      const text = textOf(file);
      return text === null || (title !== undefined && !text.includes(title));
    });
    expect(missing).toEqual([]);
  });

  it('has something to show for every row that is not marked as not done', () => {
    const bare = page.split('\n').filter((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      // Every table ends in its column of proofs; a row without one says so itself.
      return cells.length > 3 && cells.at(-2) === '' && !cells.at(-3)!.startsWith('not done');
    });
    expect(bare).toEqual([]);
  });
});
