import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ADMIN_KEY, createStage, serveGateway } from '../support/served.ts';
import { describeExamples } from '../examples/support/describe-examples.ts';
import { describeMovingAverage } from '../examples/support/describe-moving-average.ts';
import { describeNeverPolls } from '../examples/support/describe-never-polls.ts';
import { describePriceAlarm } from '../examples/support/describe-price-alarm.ts';
import { describeStoppedStrategy } from '../examples/support/describe-stopped-strategy.ts';
import { typescriptExamples } from '../examples/support/typescript.ts';
import { createSocketClient } from '../support/socket-client.ts';
import {
  findOlderNode,
  type InstalledPackage,
  installPackage,
  mustSucceed,
  ROOT,
} from './support/installed-package.ts';

/** What others get: the package as `npm pack` makes it, installed in a directory of its own. */
let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
}, 600_000);
afterAll(() => installed[Symbol.dispose]());

const BIN = 'node_modules/.bin/altbroker-gateway';
const OLDER_NODE = findOlderNode();

describe('the package', () => {
  it('has JavaScript, types and pages, and nothing else', () => {
    const others = installed.files.filter(
      (path) =>
        !/^(README\.md|LICENSE|package\.json|\.env\.example)$/.test(path) &&
        !/^(bin|dist\/(cli|client|src|sandbox))\/.*\.js$/.test(path) &&
        !/^dist\/dashboard\/dist\/(index\.html|app\.(js|css)|icon\.svg)$/.test(path) &&
        !/^dist\/dashboard\/demo\/dist\/bar\.(js|css)$/.test(path) &&
        !/^dist\/client\/.*\.d\.ts$/.test(path) &&
        !/^docs\/.*\.md$/.test(path) &&
        !/^examples\/(README\.md|typescript\/.*\.ts|python\/.*\.py)$/.test(path),
    );
    expect(others).toEqual(['dist/package.json']);
    expect(installed.bytes).toBeLessThan(2_000_000);
  });

  // These tests run with NODE_ENV=test, under which a bundler writes the paths of the sources into what it builds.
  it('has no path of the machine that made it', () => {
    const inside = join(installed.directory, 'node_modules/altbroker-gateway');
    const telling = installed.files.filter((path) =>
      readFileSync(join(inside, path), 'utf8').includes(`${ROOT}/`),
    );
    expect(telling).toEqual([]);
  });

  it('has each page that the README names', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const pages = [...readme.matchAll(/\]\(((?:docs|examples)\/[^)#]+\.md)/g)].map(
      ([, path = '']) => path,
    );
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((path) => !installed.files.includes(path))).toEqual([]);
  });

  it('has declarations that import declarations of the package, as JavaScript', () => {
    const declarations = installed.files.filter((path) => path.endsWith('.d.ts'));
    const imports = declarations.flatMap((path) => {
      const full = join(installed.directory, 'node_modules/altbroker-gateway', path);
      const found = [...readFileSync(full, 'utf8').matchAll(/from ["'](\.[^"']+)["']/g)];
      return found.map(([, name = '']) => join(dirname(path), name));
    });
    expect(imports.length).toBeGreaterThan(10);
    const wrong = imports.filter(
      (name) => !declarations.includes(name.replace(/\.js$/, '.d.ts')) || name.endsWith('.d.ts'),
    );
    expect(wrong).toEqual([]);
  });

  it('is installed with what its own tests and builds need left out', () => {
    const has = (name: string) => existsSync(join(installed.directory, 'node_modules', name));
    expect(['vitest', 'openapi-typescript', 'node', 'eslint'].filter(has)).toEqual([]);
    expect(['express', 'ws', 'zod'].every(has)).toBe(true);
  });
});

const PROGRAM = `
import { createClient, NoAnswerError, ProblemError } from 'altbroker-gateway/client';

const client = createClient({ baseUrl: process.env.GATEWAY ?? '', key: process.env.GATEWAY_KEY ?? '' });
const body = { instrument: 'NSE:INFY', side: 'BUY', quantity: 3, orderType: 'MARKET', product: 'CNC' } as const;
const first = await client.placeOrder({ body, key: process.env.ORDER_KEY ?? '', broker: 'paper' });
const again = await client.placeOrder({ body, key: process.env.ORDER_KEY ?? '', broker: 'paper' });
const ids: string[] = [];
for await (const order of client.items('getOrders', { limit: 1 })) ids.push(order.id);
const problem = await client.getOrder({ id: 'ord_none' }).catch((error: unknown) => error);
const lost = await createClient({ baseUrl: 'http://127.0.0.1:1', key: 'k', patienceMs: 0 })
  .cancelOrder({ id: first.data.id, key: 'c' })
  .catch((error: unknown) => error);
console.log(JSON.stringify({
  status: first.httpStatus,
  same: first.data.id === again.data.id && again.replayed && !first.replayed,
  listed: ids.filter((id) => id === first.data.id).length,
  problem: problem instanceof ProblemError ? [problem.code, problem.mayHaveExecuted] : String(problem),
  lost: lost instanceof NoAnswerError ? [lost.reason, lost.key, lost.mayHaveExecuted] : String(lost),
}));
`;
const TYPES = 'declare const process: { env: Record<string, string | undefined> };\n';

describe('a program that uses the installed client', () => {
  it.each([
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('is type-checked with $moduleResolution, and a wrong one is refused', async (modules) => {
    const compilerOptions = {
      ...modules,
      ...{ target: 'es2022', lib: ['es2023', 'dom'], types: [], strict: true, noEmit: true },
      // The declarations of the package are checked as well.
      skipLibCheck: false,
    };
    installed.write('program.ts', TYPES + PROGRAM);
    installed.write('wrong.ts', `${TYPES}${PROGRAM}\nawait client.getOrder({});\n`);
    const check = async (file: string) => {
      installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      return installed.run(process.execPath, [tsc, '-p', 'tsconfig.json']);
    };
    mustSucceed(await check('program.ts'), 'tsc');
    const refused = await check('wrong.ts');
    expect(refused.stdout).toMatch(/wrong\.ts\(\d+,\d+\): error TS2345/);
    expect(refused.stdout.match(/error TS/g)).toHaveLength(1);
  });

  const placesOnce = async (node: string): Promise<void> => {
    await using stage = await createStage({ sandbox: { seed: 'package' } });
    await using gateway = await serveGateway(stage);
    const javascript = PROGRAM.replaceAll(' as const', '')
      .replaceAll(': string[]', '')
      .replaceAll(': unknown', '');
    installed.write('program.mjs', javascript);
    const environment = { GATEWAY: gateway.url, GATEWAY_KEY: ADMIN_KEY, ORDER_KEY: 'one' };
    const ran = await installed.run(node, ['program.mjs'], environment);
    mustSucceed(ran, 'program.mjs');
    expect(JSON.parse(ran.stdout)).toEqual({
      ...{ status: 201, same: true, listed: 1, problem: ['unknown_order', false] },
      lost: ['connection', 'c', true],
    });
  };

  it('places once, and meets its problems', () => placesOnce(process.execPath));

  it.skipIf(OLDER_NODE === null)(
    'does so on Node 20 too, where the machine has a Node from 20 to 23',
    () => placesOnce(OLDER_NODE ?? ''),
  );
});

describe('the installed gateway', () => {
  it('tells its version by npx', async () => {
    const { stdout } = await installed.run('npx', ['altbroker-gateway', '--version']);
    expect(stdout.trim()).toBe(packageJson.version);
  });

  it.skipIf(OLDER_NODE === null)('says on an older Node what it needs', async () => {
    const ran = await installed.run(OLDER_NODE ?? '', [BIN, '--version']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(
      /^altbroker-gateway: the gateway needs Node 24 or newer, and this is v2/,
    );
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('has the commands', async () => {
    const help = await installed.run(process.execPath, [BIN, '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('close-all [options]');
    // Nothing listens there.
    const environment = { APP_CLI_URL: 'http://127.0.0.1:1', APP_CLI_KEY: 'abg_some-key' };
    const funds = await installed.run(process.execPath, [BIN, 'funds'], environment);
    expect(funds).toMatchObject({ code: 4, stdout: '' });
  });

  it('has the demo, which reads its settings', async () => {
    const ran = await installed.run(process.execPath, [BIN, 'demo', 'nonsense']);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toMatch(/^demo: "nonsense" is not a setting/);
  });

  it('starts, serves its document, places on paper, and stops', async () => {
    await using stage = await createStage({ sandbox: { seed: 'installed' } });
    const child = spawn(process.execPath, [join(installed.directory, BIN)], {
      ...{ cwd: stage.dataDirectory, env: { ...stage.environment } },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let log = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          log += text;
          const address = /"address":"([^"]+)","msg":"listening"/.exec(log)?.[1];
          if (address !== undefined) resolve(address);
        });
        void ended.then((code) => reject(new Error(`it ended with ${code}: ${errors}`)));
      });
      const client = createSocketClient(url, ADMIN_KEY);
      const page = await (await fetch(url)).text();
      expect(page).toContain('/dashboard/app.js');
      expect((await client.get('/openapi.json')).body.info.title).toBe('altbroker-gateway');
      const order = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, product: 'CNC' };
      const placed = await client.place({ ...order, orderType: 'MARKET', broker: 'paper' }, 'one');
      expect(placed.status).toBe(201);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(errors).toBe('');
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
});

// Here, because the examples import the package as it is installed.
const examples = typescriptExamples(() => installed);
describeExamples(examples);
describeMovingAverage(examples);
describeNeverPolls(examples);
describeStoppedStrategy(examples);
describePriceAlarm(examples);
