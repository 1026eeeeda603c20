import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/cruise.ts';

/** The names of brokers that a text holds as literals. */
function brokersNamedIn(text: string): string[] {
  return [...text.matchAll(/(['"`])(alt|primary|paper)\1/g)].map((match) => match[2]!);
}

describe('execution', () => {
  it('names no broker', () => {
    const folder = join(root, 'src/execution');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    expect(files).toContain('execution.ts');
    const naming = files.flatMap((file) =>
      brokersNamedIn(readFileSync(join(folder, file), 'utf8')).map((name) => `${file}: ${name}`),
    );
    expect(naming).toEqual([]);
  });

  it('would be caught naming one', () => {
    expect(brokersNamedIn("if (broker === 'alt') send();")).toEqual(['alt']);
    expect(brokersNamedIn('const all = ["primary", `paper`];')).toEqual(['primary', 'paper']);
    expect(brokersNamedIn('// the primary broker; a paper order')).toEqual([]);
  });
});
