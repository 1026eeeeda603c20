import { beforeAll, describe, expect, it } from 'vitest';
import type { Cruised } from './support/cruise.ts';
import { cruisePlanted } from './support/plant.ts';

/** A rule, the file that breaks it, how, and what is then reached. */
type Plant = readonly [rule: string, from: string, code: string, to: string];

const FROM = 'src/router';
const library = (name: string): string => `node_modules/${name}/index.js`;

const planted: readonly Plant[] = [
  ['a-room-has-its-rule', 'src/compose.ts', "import './attic/old.ts';", 'src/attic/old.ts'],
  [
    'a-room-without-rule-imports-nothing',
    'src/attic/old.ts',
    "import '../domain/word.ts';",
    'src/domain/word.ts',
  ],
  ['main-starts-compose', 'src/main.ts', "import './router/route.ts';", 'src/router/route.ts'],
  ['nobody-imports-main', 'test/start.test.ts', "import '../src/main.ts';", 'src/main.ts'],
  ['src-stands-alone', `${FROM}/a.ts`, "import '../../test/help.ts';", 'test/help.ts'],
  ['src-stands-alone', `${FROM}/b.ts`, "import '../../sandbox/toy.ts';", 'sandbox/toy.ts'],
  ['src-stands-alone', `${FROM}/c.ts`, "import '../../bench/watch.ts';", 'bench/watch.ts'],
  [
    'sandbox-knows-no-gateway',
    'sandbox/exchange/a.ts',
    "import type { Word } from '../../src/domain/word.ts';",
    'src/domain/word.ts',
  ],
  [
    'sandbox-knows-no-gateway',
    'sandbox/transport/a.ts',
    "import '../../src/compose.ts';",
    'src/compose.ts',
  ],
  [
    'demo-sees-compose-alone',
    'sandbox/demo.ts',
    "import '../src/router/route.ts';",
    'src/router/route.ts',
  ],
  [
    'sandbox-needs-no-tests',
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
  ['src-is-reached', 'src/domain/orphan.ts', '', 'src/domain/orphan.ts'],
  ['kiteconnect-has-one-home', `${FROM}/d.ts`, "import 'kiteconnect';", library('kiteconnect')],
  [
    'kiteconnect-has-one-home',
    'src/adapters/alt/client.ts',
    "import type { Connect } from 'kiteconnect';",
    library('kiteconnect'),
  ],
  ['big-js-has-one-home', `${FROM}/big.ts`, "import 'big.js';", library('big.js')],
  ['lowdb-has-one-home', `${FROM}/e.ts`, "await import('lowdb');", library('lowdb')],
  ['express-has-one-home', `${FROM}/f.ts`, "import 'express';", library('express')],
  ['express-has-one-home', `${FROM}/g.ts`, "import 'helmet';", library('helmet')],
  ['express-has-one-home', `${FROM}/h.ts`, "import 'pino-http';", library('pino-http')],
  ['express-has-one-home', `${FROM}/i.ts`, "import 'zod-openapi';", library('zod-openapi')],
  ['undici-has-one-home', 'src/adapters/primary/j.ts', "import 'undici';", library('undici')],
  ['pino-has-one-home', 'src/platform/files.ts', "import 'pino';", library('pino')],
  ['node-cron-has-one-home', 'src/reminder/k.ts', "import 'node-cron';", library('node-cron')],
  ['telegraf-has-one-home', 'src/reminder/l.ts', "import 'telegraf';", library('telegraf')],
  [
    'modelcontextprotocol-sdk-has-one-home',
    'src/routes/m.ts',
    "import '@modelcontextprotocol/sdk';",
    library('@modelcontextprotocol/sdk'),
  ],
  ['domain-is-pure', 'src/domain/shape.ts', "import 'zod';", library('zod')],
  ['domain-is-pure', 'src/domain/path.ts', "import 'node:path';", 'path'],
  ['the-runtime-is-behind-platform', `${FROM}/n.ts`, "import 'node:fs';", 'fs'],
  ['the-runtime-is-behind-platform', `${FROM}/o.ts`, "import 'crypto';", 'crypto'],
  ['the-runtime-is-behind-platform', `${FROM}/p.ts`, "import 'node:sqlite';", 'node:sqlite'],
  ['the-runtime-is-behind-platform', `${FROM}/q.ts`, "import 'node:http';", 'http'],
  [
    'the-runtime-is-behind-platform',
    `${FROM}/r.ts`,
    "process.getBuiltinModule('node:net');",
    'net',
  ],
  [
    'the-runtime-is-behind-platform',
    `${FROM}/s.ts`,
    "import 'node:timers/promises';",
    'timers/promises',
  ],
  ['no-dev-dependency-in-src', `${FROM}/t.ts`, "import 'vitest';", library('vitest')],
  ['no-unlisted-dependency', `${FROM}/u.ts`, "import 'ws';", library('ws')],
  ['every-import-is-found', `${FROM}/v.ts`, "import './nowhere.ts';", './nowhere.ts'],
];

/** The same things where they belong. */
const allowed: readonly (readonly [from: string, code: string])[] = [
  ['src/main.ts', "import './compose.ts';"],
  ['src/main.ts', "import './config/configuration-error.ts';"],
  ['src/main.ts', "import './platform/clock.ts';"],
  ['sandbox/demo.ts', "import '../src/compose.ts';"],
  ['sandbox/demo.ts', "import 'node:fs';"],
  ['src/adapters/alt/sdk.ts', "import 'kiteconnect';"],
  ['src/token-store/file.ts', "import 'lowdb';"],
  ['src/routes/app.ts', "import 'express'; import 'helmet'; import 'pino-http';"],
  ['src/routes/document.ts', "await import('zod-openapi');"],
  ['src/platform/transport.ts', "import 'undici'; import 'node:http'; import 'node:crypto';"],
  ['src/platform/log.ts', "import 'pino';"],
  ['src/platform/cron.ts', "import 'node-cron';"],
  ['src/telegram/bot.ts', "import 'telegraf';"],
  ['src/mcp/server.ts', "import '@modelcontextprotocol/sdk';"],
  ['src/domain/money.ts', "import 'big.js'; import './word.ts';"],
  ['src/router/paths.ts', "import 'node:path'; import 'zod';"],
  ['test/route.test.ts', "import 'vitest'; import '../src/router/route.ts';"],
];

const bare = [
  ...['src/domain/word.ts', 'src/router/route.ts', 'src/config/configuration-error.ts'],
  ...['src/platform/clock.ts', 'test/help.ts', 'sandbox/toy.ts', 'bench/watch.ts'],
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

  it('leaves alone what is where it belongs', () => {
    const places = new Set(allowed.map(([from]) => from));
    const inPlace = cruised.violations.filter(
      ({ rule, from, to }) =>
        places.has(from) &&
        rule !== 'src-is-reached' &&
        !planted.some((plant) => plant[0] === rule && plant[1] === from && plant[3] === to),
    );
    expect(inPlace).toEqual([]);
  });

  it('does not call unreached what main reaches', () => {
    const unreached = cruised.violations.filter(({ rule }) => rule === 'src-is-reached');
    expect(unreached.map(({ from }) => from)).not.toContain('src/router/route.ts');
  });

  it('has been seen to speak, or is one of a room’s arrows, which have a test of their own', () => {
    const spoken = new Set(planted.map(([rule]) => rule));
    const silent = cruised.rules
      .map(({ name }) => name)
      .filter((name) => !spoken.has(name) && !/-sees-(no-more|itself-alone)$/.test(name));
    expect(silent).toEqual([]);
  });

  it('says why it is there', () => {
    const wordless = cruised.rules.filter(({ comment }) => (comment ?? '').length < 20);
    expect(wordless).toEqual([]);
  });
});
