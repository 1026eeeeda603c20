import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const PAGE = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
/** Every module may import them, which the page says in words. */
const BASE = ['units', 'domain', 'platform'];

const path = z.string().optional().catch(undefined);
const end = z.object({ path, pathNot: path });
const config = z.object({
  default: z.object({ forbidden: z.array(z.object({ from: end, to: end })) }),
});
const RULES = new URL('../../.dependency-cruiser.js', import.meta.url).href;
const { forbidden } = config.parse(await import(RULES)).default;

/** `a --> b` for each import that the rules allow, without those of every module. */
function allowed(): string[] {
  return forbidden.flatMap(({ from, to }) => {
    const name = /^\^src\/([\w/-]+)\/$/.exec(from.path ?? '')?.[1];
    const names = /^\^src\/\((.+)\)\/$/.exec(to.pathNot ?? '')?.[1];
    if (name === undefined || names === undefined) return [];
    return names
      .split('|')
      .filter((other) => other !== name && !BASE.includes(other))
      .map((other) => `${shortName(name)} --> ${shortName(other)}`);
  });
}

/** The picture's solid arrows, but for that of main, which is no module. */
function drawn(): string[] {
  const picture = PAGE.split('## Modules')[1]?.split('```mermaid')[1]?.split('```')[0] ?? '';
  return [...picture.matchAll(/^\s*([\w-]+)(?:\[[^\]]*\])? --> (.+)$/gm)].flatMap(
    ([, from = '', to = '']) =>
      from === 'main' ? [] : to.split(' & ').map((other) => `${from} --> ${other.trim()}`),
  );
}

const shortName = (name: string): string => name.replace('adapters/', '');

describe('the picture of the modules in docs/architecture.md', () => {
  it('has the imports that .dependency-cruiser.js allows, and no others', () => {
    expect(drawn().toSorted()).toEqual(allowed().toSorted());
    expect(drawn().length).toBeGreaterThan(15);
  });
});
