import { beforeAll, describe, expect, it } from 'vitest';
import { cruisePlanted } from './support/plant.ts';

const entryPoint = ['router', 'events', 'callers', 'session', 'units', 'domain', 'platform'];
const base = ['units', 'domain', 'platform'];

/** What each module may import (docs/architecture.md), written down a second time. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  units: [],
  domain: ['units'],
  platform: ['units'],
  'adapters/kit': base,
  'adapters/primary': ['adapters/kit', ...base],
  'adapters/alt': ['adapters/kit', ...base],
  'adapters/paper': ['adapters/kit', ...base],
  'token-store': base,
  session: ['token-store', ...base],
  instruments: base,
  events: base,
  execution: ['events', 'instruments', ...base],
  portfolio: ['instruments', ...base],
  'market-data': ['instruments', ...base],
  router: [
    ...['execution', 'portfolio', 'market-data', 'instruments', 'session', 'events'],
    ...base,
  ],
  routes: entryPoint,
  mcp: ['routes', 'router', 'callers', ...base],
  telegram: entryPoint,
  reminder: ['session', ...base],
  callers: base,
  config: base,
};
const modules = Object.keys(mayImport);

/** Every module imports every other one, and compose. */
function everyImport(): Map<string, string> {
  const sources = new Map<string, string>([
    ['src/compose.ts', modules.map((module) => `import './${module}/planted.ts';`).join('\n')],
    ['src/main.ts', "import './compose.ts';"],
    ['sandbox/demo/gateway.ts', "import '../../src/compose.ts';"],
    ['test/empty.test.ts', ''],
    ['bench/main.ts', ''],
  ]);
  for (const module of modules) {
    const up = '../'.repeat(module.split('/').length);
    const others = modules.filter((other) => other !== module);
    sources.set(`src/${module}/target.ts`, 'export const target = 1;');
    sources.set(
      `src/${module}/planted.ts`,
      ["import './target.ts';", ...others.map((other) => `import '${up}${other}/target.ts';`)].join(
        '\n',
      ),
    );
    sources.set(`src/${module}/to-compose.ts`, `import type { Ports } from '${up}compose.ts';`);
  }
  return sources;
}

describe('an import between modules', () => {
  const caught = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    caught.set(from, (caught.get(from) ?? new Set()).add(to));
  };
  beforeAll(async () => {
    const { violations } = await cruisePlanted(everyImport());
    for (const { rule, from, to } of violations) {
      if (!/-imports-(only-listed-modules|only-itself)$/.test(rule)) continue;
      add(from, to);
    }
  });

  it.each(modules)('from %s is caught unless the list above allows it', (module) => {
    const forbidden = modules.filter(
      (other) => other !== module && !mayImport[module]!.includes(other),
    );
    expect([...(caught.get(`src/${module}/planted.ts`) ?? [])].sort()).toEqual(
      forbidden.map((other) => `src/${other}/target.ts`).sort(),
    );
  });

  it.each(modules)('from %s to compose is caught, also when it imports only a type', (module) => {
    expect(caught.get(`src/${module}/to-compose.ts`)).toEqual(new Set(['src/compose.ts']));
  });

  it('is allowed to compose, and to main and the demo when they import compose', () => {
    for (const file of ['src/compose.ts', 'src/main.ts', 'sandbox/demo/gateway.ts']) {
      expect(caught.get(file)).toBeUndefined();
    }
  });
});
