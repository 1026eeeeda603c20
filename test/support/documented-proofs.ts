import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

/**
 * Holds a page of docs that names its proofs to them: `place.test › sends …`, or a file alone, as it
 * is called in `folder` or else below `test`.
 */
export function describeDocumentedProofs(page: string, folder: string, least: number): void {
  const text = readFileSync(new URL(page, root), 'utf8');
  const proofs = [...text.matchAll(/`([a-z][\w./-]*\.test)(?: › ([^`]+))?`/g)].map(
    ([, file = '', title]) => ({ file, title }),
  );
  const textOf = (file: string): string | null => {
    const found = [`${folder}/${file}.ts`, `test/${file}.ts`]
      .map((path) => new URL(path, root))
      .find((url) => existsSync(url));
    return found ? readFileSync(found, 'utf8') : null;
  };

  describe(page, () => {
    it('names proofs', () => {
      expect(proofs.length).toBeGreaterThan(least);
    });

    it('names no test that is not there', () => {
      const missing = proofs.filter(({ file, title }) => {
        const found = textOf(file);
        return found === null || (title !== undefined && !found.includes(title));
      });
      expect(missing).toEqual([]);
    });

    it('has something to show for every row that is not marked as not done', () => {
      const bare = text.split('\n').filter((line) => {
        const cells = line.split('|').map((cell) => cell.trim());
        // Every table ends in its column of proofs; a row without one says so itself.
        const excused = /not done|^See /.test(cells.at(-3) ?? '');
        return cells.length > 3 && cells.at(-2) === '' && !excused;
      });
      expect(bare).toEqual([]);
    });

    it('gives the reason for every row that is not done', () => {
      const silent = text.split('\n').filter((line) => /^\|.*\|\s*not done\s*\|/.test(line));
      expect(silent).toEqual([]);
    });
  });
}
