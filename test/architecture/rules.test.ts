import { beforeAll, describe, expect, it } from 'vitest';
import type { Cruised } from './support/cruise.ts';
import { cruisePlanted } from './support/plant.ts';
import { allowed, bare, planted } from './support/planted-imports.ts';

function sources(): Map<string, string> {
  const texts = new Map(bare.map((path) => [path, 'export const one = 1;']));
  texts.set('src/domain/circle-two.ts', "export type { One } from './circle-one.ts';");
  const lines = [...planted.map(([, from, code]) => [from, code] as const), ...allowed];
  for (const [from, code] of lines) texts.set(from, `${texts.get(from) ?? ''}\n${code}`);
  return texts;
}

describe('a rule of the architecture', () => {
  let cruised: Cruised;
  beforeAll(async () => {
    cruised = await cruisePlanted(sources());
  });

  it.each(planted)('%s catches %s with %s', (rule, from, _code, to) => {
    expect(cruised.violations).toContainEqual({ rule, from, to });
  });

  it('allows each import in the place that the rules name', () => {
    const places = new Set(allowed.map(([from]) => from));
    const inPlace = cruised.violations.filter(
      ({ rule, from, to }) =>
        places.has(from) &&
        rule !== 'src-is-reachable-from-main' &&
        !planted.some((plant) => plant[0] === rule && plant[1] === from && plant[3] === to),
    );
    expect(inPlace).toEqual([]);
  });

  it('does not report a file that main reaches as unreachable', () => {
    const unreached = cruised.violations.filter(
      ({ rule }) => rule === 'src-is-reachable-from-main',
    );
    expect(unreached.map(({ from }) => from)).not.toContain('src/router/route.ts');
  });

  it('catches a planted violation, or is the import rule of a module, which has a test of its own', () => {
    const caught = new Set(planted.map(([rule]) => rule));
    const silent = cruised.rules
      .map(({ name }) => name)
      .filter(
        (name) => !caught.has(name) && !/-imports-(only-listed-modules|only-itself)$/.test(name),
      );
    expect(silent).toEqual([]);
  });

  it('says why it exists', () => {
    const wordless = cruised.rules.filter(({ comment }) => (comment ?? '').length < 20);
    expect(wordless).toEqual([]);
  });
});
