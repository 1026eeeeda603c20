import { beforeAll, describe, expect, it } from 'vitest';
import type { Cruised } from './support/cruise.ts';
import { cruisePlanted } from './support/plant.ts';

/** A rule, the file that breaks it, the code that breaks it, and the file or library it imports. */
type Plant = readonly [rule: string, from: string, code: string, to: string];

const FROM = 'src/router';
const library = (name: string): string => `node_modules/${name}/index.js`;

const planted: readonly Plant[] = [
  [
    'no-import-from-a-folder-without-rules',
    'src/compose.ts',
    "import './attic/old.ts';",
    'src/attic/old.ts',
  ],
  [
    'a-folder-without-rules-imports-nothing',
    'src/attic/old.ts',
    "import '../domain/word.ts';",
    'src/domain/word.ts',
  ],
  [
    'main-imports-only-compose',
    'src/main.ts',
    "import './router/route.ts';",
    'src/router/route.ts',
  ],
  ['no-import-of-main', 'test/start.test.ts', "import '../src/main.ts';", 'src/main.ts'],
  [
    'cli-uses-the-client',
    'cli/command.ts',
    "import '../src/router/route.ts';",
    'src/router/route.ts',
  ],
  [
    'dashboard-uses-the-client',
    'dashboard/src/a.ts',
    "import type { Word } from '../../src/domain/word.ts';",
    'src/domain/word.ts',
  ],
  ['dashboard-uses-the-client', 'dashboard/src/b.ts', "import 'zod';", library('zod')],
  [
    'bar-of-the-demo-imports-no-page',
    'dashboard/demo/a.ts',
    "import '../src/word.ts';",
    'dashboard/src/word.ts',
  ],
  [
    'nobody-imports-the-dashboard',
    `${FROM}/page.ts`,
    "import '../../dashboard/src/word.ts';",
    'dashboard/src/word.ts',
  ],
  [
    'src-imports-no-tests-sandbox-or-bench',
    `${FROM}/a.ts`,
    "import '../../test/help.ts';",
    'test/help.ts',
  ],
  [
    'src-imports-no-tests-sandbox-or-bench',
    `${FROM}/b.ts`,
    "import '../../sandbox/toy.ts';",
    'sandbox/toy.ts',
  ],
  [
    'src-imports-no-tests-sandbox-or-bench',
    `${FROM}/c.ts`,
    "import '../../bench/watch.ts';",
    'bench/watch.ts',
  ],
  [
    'src-imports-no-tests-sandbox-or-bench',
    `${FROM}/packaged.ts`,
    "import '../../packaging/tool.ts';",
    'packaging/tool.ts',
  ],
  [
    'client-imports-only-itself',
    'client/a.ts',
    "import type { Word } from '../src/domain/word.ts';",
    'src/domain/word.ts',
  ],
  ['client-imports-only-itself', 'client/b.ts', "import 'zod';", library('zod')],
  ['client-imports-only-itself', 'client/c.ts', "import 'node:fs';", 'fs'],
  [
    'examples-import-only-the-package',
    'examples/typescript/a.ts',
    "import '../../client/word.ts';",
    'client/word.ts',
  ],
  ['examples-import-only-the-package', 'examples/b.ts', "import 'zod';", library('zod')],
  [
    'only-programs-import-the-client',
    `${FROM}/called.ts`,
    "import '../../client/word.ts';",
    'client/word.ts',
  ],
  [
    'sandbox-imports-no-gateway-code',
    'sandbox/exchange/a.ts',
    "import type { Word } from '../../src/domain/word.ts';",
    'src/domain/word.ts',
  ],
  [
    'sandbox-imports-no-gateway-code',
    'sandbox/transport/a.ts',
    "import '../../src/compose.ts';",
    'src/compose.ts',
  ],
  [
    'sandbox-imports-no-gateway-code',
    'sandbox/demo/runs.ts',
    "import '../../src/compose.ts';",
    'src/compose.ts',
  ],
  [
    'demo-imports-only-compose',
    'sandbox/demo/gateway.ts',
    "import '../../src/router/route.ts';",
    'src/router/route.ts',
  ],
  [
    'sandbox-imports-no-tests',
    'sandbox/exchange/b.ts',
    "import '../../test/help.ts';",
    'test/help.ts',
  ],
  [
    'no-cycle',
    'src/domain/circle-one.ts',
    "import type { Two } from './circle-two.ts';",
    'src/domain/circle-two.ts',
  ],
  ['no-orphan', 'src/domain/orphan.ts', '', 'src/domain/orphan.ts'],
  ['src-is-reachable-from-main', 'src/domain/orphan.ts', '', 'src/domain/orphan.ts'],
  [
    'kiteconnect-is-imported-in-one-place',
    `${FROM}/d.ts`,
    "import 'kiteconnect';",
    library('kiteconnect'),
  ],
  [
    'kiteconnect-is-imported-in-one-place',
    'src/adapters/alt/client.ts',
    "import type { Connect } from 'kiteconnect';",
    library('kiteconnect'),
  ],
  ['big-js-is-imported-in-one-place', `${FROM}/big.ts`, "import 'big.js';", library('big.js')],
  ['lowdb-is-imported-in-one-place', `${FROM}/e.ts`, "await import('lowdb');", library('lowdb')],
  ['express-is-imported-in-one-place', `${FROM}/f.ts`, "import 'express';", library('express')],
  ['express-is-imported-in-one-place', `${FROM}/g.ts`, "import 'helmet';", library('helmet')],
  ['express-is-imported-in-one-place', `${FROM}/h.ts`, "import 'pino-http';", library('pino-http')],
  [
    'express-is-imported-in-one-place',
    `${FROM}/i.ts`,
    "import 'zod-openapi';",
    library('zod-openapi'),
  ],
  [
    'undici-is-imported-in-one-place',
    'src/adapters/primary/j.ts',
    "import 'undici';",
    library('undici'),
  ],
  [
    'prom-client-is-imported-in-one-place',
    `${FROM}/m.ts`,
    "import 'prom-client';",
    library('prom-client'),
  ],
  ['pino-is-imported-in-one-place', 'src/platform/files.ts', "import 'pino';", library('pino')],
  [
    'node-cron-is-imported-in-one-place',
    'src/reminder/k.ts',
    "import 'node-cron';",
    library('node-cron'),
  ],
  [
    'telegraf-is-imported-in-one-place',
    'src/reminder/l.ts',
    "import 'telegraf';",
    library('telegraf'),
  ],
  [
    'modelcontextprotocol-sdk-is-imported-in-one-place',
    'src/routes/m.ts',
    "import '@modelcontextprotocol/sdk';",
    library('@modelcontextprotocol/sdk'),
  ],
  ['domain-is-pure', 'src/domain/shape.ts', "import 'zod';", library('zod')],
  ['domain-is-pure', 'src/domain/path.ts', "import 'node:path';", 'path'],
  ['only-platform-imports-the-runtime', `${FROM}/n.ts`, "import 'node:fs';", 'fs'],
  ['only-platform-imports-the-runtime', `${FROM}/o.ts`, "import 'crypto';", 'crypto'],
  ['only-platform-imports-the-runtime', `${FROM}/p.ts`, "import 'node:sqlite';", 'node:sqlite'],
  ['only-platform-imports-the-runtime', `${FROM}/q.ts`, "import 'node:http';", 'http'],
  [
    'only-platform-imports-the-runtime',
    `${FROM}/r.ts`,
    "process.getBuiltinModule('node:net');",
    'net',
  ],
  [
    'only-platform-imports-the-runtime',
    `${FROM}/s.ts`,
    "import 'node:timers/promises';",
    'timers/promises',
  ],
  ['no-dev-dependency-in-src', `${FROM}/t.ts`, "import 'vitest';", library('vitest')],
  ['ws-is-imported-in-one-place', `${FROM}/u.ts`, "import 'ws';", library('ws')],
  ['no-unlisted-dependency', `${FROM}/u.ts`, "import 'ws';", library('ws')],
  ['every-import-is-found', `${FROM}/v.ts`, "import './nowhere.ts';", './nowhere.ts'],
];

/** The same imports in the files that may have them. */
const allowed: readonly (readonly [from: string, code: string])[] = [
  ['src/main.ts', "import './compose.ts';"],
  ['src/main.ts', "import './compose/bridge.ts';"],
  ['src/main.ts', "import './config/configuration-error.ts';"],
  ['src/main.ts', "import './platform/clock.ts';"],
  ['sandbox/demo/gateway.ts', "import '../../src/compose.ts';"],
  ['sandbox/demo/main.ts', "import 'node:fs';"],
  ['src/adapters/alt/sdk.ts', "import 'kiteconnect';"],
  ['src/token-store/file.ts', "import 'lowdb';"],
  ['src/routes/app.ts', "import 'express'; import 'helmet'; import 'pino-http';"],
  ['src/routes/document.ts', "await import('zod-openapi');"],
  ['src/platform/transport.ts', "import 'undici'; import 'node:http'; import 'node:crypto';"],
  ['src/platform/log.ts', "import 'pino';"],
  ['src/metrics/metrics.ts', "import 'prom-client';"],
  ['src/platform/cron.ts', "import 'node-cron';"],
  ['src/telegram/bot.ts', "import 'telegraf';"],
  ['src/mcp/server.ts', "import '@modelcontextprotocol/sdk';"],
  ['src/domain/money.ts', "import 'big.js'; import './word.ts';"],
  ['src/router/paths.ts', "import 'node:path'; import 'zod';"],
  ['client/call.ts', "import './word.ts';"],
  ['cli/main.ts', "import '../src/main.ts';"],
  ['dashboard/src/c.ts', "import '../../client/index.ts'; import './word.ts';"],
  ['examples/c.ts', "import 'node:fs'; import 'altbroker-gateway/client';"],
  ['packaging/build.ts', "import 'node:fs'; import 'vitest'; import '../client/word.ts';"],
  ['test/route.test.ts', "import 'vitest'; import '../src/router/route.ts';"],
];

const bare = [
  ...[
    'src/compose/bridge.ts',
    'src/domain/word.ts',
    'src/router/route.ts',
    'src/config/configuration-error.ts',
  ],
  ...['src/platform/clock.ts', 'test/help.ts', 'sandbox/toy.ts', 'bench/watch.ts'],
  ...['client/index.ts', 'client/word.ts', 'packaging/tool.ts', 'dashboard/src/word.ts'],
];

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
