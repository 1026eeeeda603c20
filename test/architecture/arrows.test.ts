import { beforeAll, describe, expect, it } from 'vitest';
import { cruisePlanted } from './support/plant.ts';

const face = ['router', 'events', 'callers', 'session', 'domain', 'platform'];
const ground = ['domain', 'platform'];

/** docs/architecture.md, "Arrows", once more in other words: what each room may import. */
const sees: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  platform: [],
  'adapters/kit': ground,
  'adapters/primary': ['adapters/kit', ...ground],
  'adapters/alt': ['adapters/kit', ...ground],
  'adapters/paper': ['adapters/kit', ...ground],
  'token-store': ground,
  session: ['token-store', ...ground],
  instruments: ground,
  events: ground,
  execution: ['events', 'instruments', ...ground],
  portfolio: ['instruments', ...ground],
  'market-data': ['instruments', ...ground],
  router: [
    ...['execution', 'portfolio', 'market-data', 'instruments', 'session', 'events'],
    ...ground,
  ],
  routes: face,
  mcp: face,
  telegram: face,
  cli: face,
  dashboard: face,
  reminder: ['session', ...ground],
  callers: ground,
  config: ground,
};
const rooms = Object.keys(sees);

/** Every room imports every other one, and compose. */
function everyArrow(): Map<string, string> {
  const sources = new Map<string, string>([
    ['src/compose.ts', rooms.map((room) => `import './${room}/planted.ts';`).join('\n')],
    ['src/main.ts', "import './compose.ts';"],
    ['sandbox/demo.ts', "import '../src/compose.ts';"],
    ['test/empty.test.ts', ''],
    ['bench/main.ts', ''],
  ]);
  for (const room of rooms) {
    const up = '../'.repeat(room.split('/').length);
    const others = rooms.filter((other) => other !== room);
    sources.set(`src/${room}/target.ts`, 'export const target = 1;');
    sources.set(
      `src/${room}/planted.ts`,
      ["import './target.ts';", ...others.map((other) => `import '${up}${other}/target.ts';`)].join(
        '\n',
      ),
    );
    sources.set(`src/${room}/to-compose.ts`, `import type { Ports } from '${up}compose.ts';`);
  }
  return sources;
}

describe('an arrow between rooms', () => {
  const caught = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    caught.set(from, (caught.get(from) ?? new Set()).add(to));
  };
  beforeAll(async () => {
    const { violations } = await cruisePlanted(everyArrow());
    for (const { rule, from, to } of violations) {
      if (!/-sees-(no-more|itself-alone)$/.test(rule)) continue;
      add(from, to);
    }
  });

  it.each(rooms)('from %s is caught when it is not in the plan, and only then', (room) => {
    const forbidden = rooms.filter((other) => other !== room && !sees[room]!.includes(other));
    expect([...(caught.get(`src/${room}/planted.ts`) ?? [])].sort()).toEqual(
      forbidden.map((other) => `src/${other}/target.ts`).sort(),
    );
  });

  it.each(rooms)('from %s to compose is caught, and be it for a type', (room) => {
    expect(caught.get(`src/${room}/to-compose.ts`)).toEqual(new Set(['src/compose.ts']));
  });

  it('is free to compose, and to main and the demo for compose', () => {
    for (const file of ['src/compose.ts', 'src/main.ts', 'sandbox/demo.ts']) {
      expect(caught.get(file)).toBeUndefined();
    }
  });
});
