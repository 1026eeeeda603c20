import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingLine } from '../../cli/doctor/finding.ts';
import type { Outside } from '../../cli/doctor/outside.ts';
import {
  ADMIN_KEY,
  createStage,
  type ServedGateway,
  serveGateway,
  type Stage,
} from '../support/served.ts';
import { logInOverSockets } from '../support/socket-client.ts';
import { until } from '../support/until.ts';
import { runCommand, type RunOptions } from './support/run.ts';
import { throughTunnel } from './support/through-tunnel.ts';

interface Finding {
  readonly what: string;
  readonly state: string;
  readonly detail: string;
}

/** Servers that answer a HEAD with a time that is this far off. */
const servers = (offMs: number): Outside => ({
  fetch: async () =>
    new Response(null, { status: 404, headers: { date: new Date(NOW - offMs).toUTCString() } }),
  now: () => NOW,
});
const NOW = Date.parse('2026-11-23T10:00:00.500+05:30');

let directory: string;
let nowhere: Record<string, string>;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'abg-doctor-'));
  chmodSync(directory, 0o700);
  nowhere = { APP_CLI_URL: 'http://127.0.0.1:1', APP_DATA_DIR: directory, APP_PORT: '0' };
});
afterAll(() => rmSync(directory, { recursive: true }));

async function findings(
  environment: Readonly<Record<string, string>>,
  options: Omit<RunOptions, 'environment'> & { readonly words?: string } = {},
): Promise<{ readonly code: number; readonly of: (what: string) => readonly Finding[] }> {
  const { words = '', ...others } = options;
  // A gateway that does not answer is not waited for.
  const runtime = { after: (_: number, run: () => void) => (queueMicrotask(run), () => undefined) };
  const isServed = environment['APP_CLI_URL'] !== nowhere['APP_CLI_URL'];
  const { code, out } = await runCommand(`doctor --json${words}`, {
    ...{ environment, outside: servers(0), ...others },
    ...(isServed ? {} : { runtime }),
  });
  const { data } = JSON.parse(out) as { readonly data: readonly Finding[] };
  return { code, of: (what) => data.filter((each) => each.what === what) };
}

describe('doctor, while no gateway runs', () => {
  it('finds nothing wrong in a new directory', async () => {
    const found = await findings(nowhere);
    expect(found.code).toBe(0);
    expect(found.of('file modes')).toMatchObject([{ state: 'well' }]);
    expect(found.of('data directory')).toMatchObject([{ state: 'well' }]);
    expect(found.of('clock')).toMatchObject([{ state: 'well' }]);
    expect(found.of('gateway')).toMatchObject([{ state: 'skipped' }]);
    const lines = (await runCommand('doctor', { environment: nowhere, outside: servers(0) })).out;
    expect(lines).toMatch(/^ok +file modes +settings and data can be read by you alone$/m);
  });

  it('tells every setting that is wrong, and what it takes', async () => {
    const found = await findings({ ...nowhere, APP_PORT: '99999', APP_ROUTE_TRADING: 'nobody' });
    expect(found.code).toBe(1);
    expect(found.of('settings')).toMatchObject([{ state: 'wrong' }]);
    expect(found.of('settings')[0]?.detail).toMatch(/APP_PORT: .*\n.*APP_ROUTE_TRADING: /);
  });

  it('finds files that others can read, and a key that is still there', async () => {
    const open = join(directory, 'open');
    mkdirSync(open, { mode: 0o700 });
    writeFileSync(join(open, 'callers.json'), '{}', { mode: 0o644 });
    writeFileSync(join(open, 'admin-key'), 'abg_x', { mode: 0o600 });
    chmodSync(join(open, 'callers.json'), 0o644);
    const found = await findings({ ...nowhere, APP_DATA_DIR: open });
    expect(found.of('file modes')).toEqual([
      expect.objectContaining({
        state: 'wrong',
        detail: expect.stringContaining(`chmod 600 ${join(open, 'callers.json')}`),
      }),
    ]);
    expect(found.of('data directory')[0]?.detail).toContain('delete the file');
  });

  it('takes an open data directory for a notice while Git alone has made it', async () => {
    const clone = join(directory, 'clone');
    mkdirSync(clone);
    chmodSync(clone, 0o755);
    writeFileSync(join(clone, '.gitkeep'), '');
    const found = await findings({ ...nowhere, APP_DATA_DIR: clone });
    expect([found.code, found.of('file modes')]).toMatchObject([0, [{ state: 'look' }]]);
    writeFileSync(join(clone, 'callers.json'), '{}', { mode: 0o600 });
    const used = await findings({ ...nowhere, APP_DATA_DIR: clone });
    expect(used.of('file modes')).toMatchObject([{ state: 'wrong' }]);
  });

  it('finds a port that another program has', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      for (const name of ['APP_PORT', 'APP_POSTBACK_PORT', 'APP_HOOKS_PORT']) {
        const found = await findings({ ...nowhere, [name]: String(port) });
        const taken = found.of('port').filter(({ state }) => state === 'wrong');
        expect(taken.map(({ detail }) => detail)).toEqual([
          expect.stringContaining(`${name} ${port}`),
        ]);
        expect(taken[0]?.detail).toContain('another program has it');
      }
    } finally {
      server.close();
    }
  });

  it.each([
    [1_000, 'well'],
    [-5_000, 'look'],
    [5_000, 'look'],
    [61_000, 'wrong'],
    [-3_600_000, 'wrong'],
  ])('says of a clock that is %i ms off that it is %s', async (offMs, state) => {
    const found = await findings(nowhere, { outside: servers(offMs) });
    expect(found.of('clock')).toMatchObject([{ state }]);
  });

  it('finds a broker that is not reached', async () => {
    const failed = new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
    const outside = { fetch: () => Promise.reject(failed), now: () => NOW };
    const [found] = (await findings(nowhere, { outside })).of('network');
    expect(found?.state).toBe('wrong');
    expect(found?.detail).toMatch(
      /^api\.indstocks\.com cannot be reached: fetch failed \(ENOTFOUND\): check the address/,
    );
  });

  it.each([
    [200, 'well'],
    [401, 'wrong'],
  ])(
    'asks Telegram whether the token is taken: HTTP %i is %s, and never shows it',
    async (status, state) => {
      const token = '123456:a-token-of-a-bot-that-is-long-enough';
      const outside: Outside = {
        fetch: async (input) =>
          new Response('{}', { status: String(input).includes(token) ? status : 404 }),
        now: () => NOW,
      };
      const environment = { ...nowhere, APP_TELEGRAM_BOT_TOKEN: token, APP_TELEGRAM_CHAT_ID: '42' };
      const found = await findings(environment, { outside });
      expect(found.of('Telegram')).toMatchObject([{ state }]);
      expect(JSON.stringify(found.of('Telegram'))).not.toContain(token);
    },
  );
});

describe('doctor, beside a gateway', () => {
  let stage: Stage;
  let gateway: ServedGateway;
  let environment: Record<string, string>;
  beforeAll(async () => {
    stage = await createStage({ sandbox: { seed: 'doctor' } });
    gateway = await serveGateway(stage, { APP_HOOKS_PORT: '0' });
    // A gateway of this process makes its files as the tests do; one of its own makes them private.
    for (const name of readdirSync(stage.dataDirectory))
      chmodSync(join(stage.dataDirectory, name), 0o600);
    environment = { ...stage.environment, APP_CLI_URL: gateway.url, APP_CLI_KEY: ADMIN_KEY };
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
  });

  it('says that nobody is logged in, and what to do', async () => {
    const found = await findings(environment);
    expect(found.of('session')).toMatchObject([{ state: 'look' }]);
    expect(found.of('session')[0]?.detail).toContain('run login');
    expect(found.of('alt')).toMatchObject([{ state: 'look' }]);
    expect(found.of('gateway')).toMatchObject([{ state: 'well' }]);
  });

  it('says so where the gateway does not know the key', async () => {
    const found = await findings({ ...environment, APP_CLI_KEY: 'abg_another-key' });
    expect(found.code).toBe(1);
    expect(found.of('key')).toMatchObject([{ state: 'wrong' }]);
    expect(found.of('brokers')).toMatchObject([{ state: 'skipped' }]);
  });

  it('finds a tunnel that leads to the main port, or nowhere, and one that leads to the postbacks or hooks alone', async () => {
    const outside: Outside = { fetch: throughTunnel, now: Date.now };
    const at = async (url: string) =>
      (await findings(environment, { words: ` --tunnel ${url}`, outside })).of('tunnel')[0];
    expect(await at(gateway.url)).toMatchObject({ state: 'wrong' });
    expect((await at(gateway.url))?.detail).toContain('leads to the main port');
    // A tunnel names its own host, which the main port refuses before it looks at the path.
    const { port } = new URL(gateway.url);
    const foreign = await at(`http://localtest.me:${port}`);
    expect(foreign).toMatchObject({ state: 'wrong' });
    expect(foreign?.detail).toContain('leads to the main port');
    expect(await at(gateway.postbackUrl.replace(/\/api.*$/, ''))).toMatchObject({ state: 'well' });
    expect((await at(String(gateway.hooksUrl).replace(/\/hooks.*$/, '')))?.detail).toBe(
      'leads to the listener of the hooks, and to nothing else',
    );
    expect(await at(stage.served.kiteOrigin)).toMatchObject({ state: 'wrong' });
  });

  describe('with --live', () => {
    it('does nothing without a login, and nothing that was not confirmed', async () => {
      const words = 'doctor --live';
      const without = await runCommand(words, { environment, outside: servers(0) });
      expect(without.out).toMatch(
        /^FAIL +live +no live broker of the route takes orders now: run login$/m,
      );
      await logInOverSockets(gateway.url);
      const before = await placed();
      const refused = await runCommand(words, { environment, outside: servers(0), answers: ['n'] });
      expect(refused).toMatchObject({ code: 1, asked: ['Do it at alt? [y/N] '] });
      expect(refused.out).toMatch(/^- +live +alt: /m);
      expect(await placed()).toEqual(before);
    });

    it('reads, places one share far below the market, cancels it, and holds nothing', async () => {
      const before = await placed();
      const wait = async (): Promise<void> => {
        const over = async () => (await placed()).every(({ status }) => status !== 'working');
        await until('the order is over', over);
      };
      const found = await findings(environment, { words: ' --live --yes', wait });
      expect(found.code).toBe(0);
      for (const what of ['profile', 'funds', 'positions', 'holdings', 'order book', 'price']) {
        expect(found.of(what)).toMatchObject([{ state: 'well' }]);
      }
      expect(found.of('order placed')[0]?.detail).toMatch(
        /^alt: working, filled .*: BUY 1 NSE:INFY LIMIT .* at alt /,
      );
      expect(found.of('order cancelled')).toMatchObject([{ state: 'well' }]);
      const made = (await placed()).filter((order) => !before.some(({ id }) => id === order.id));
      expect(made).toMatchObject([
        { quantity: 1, status: 'cancelled', filledQuantity: 0, mode: 'live' },
      ]);
      expect(made[0]?.price).toBeLessThan((await lastPrice()) * 0.97);
    });

    it.each([
      ['where something is wrong already', { outside: servers(120_000), answers: [] }],
      ['where it was not confirmed', { outside: servers(0), answers: ['n'] }],
      ['where nobody can be asked', { outside: servers(0) }],
    ] as const)(
      'places nothing %s, and tells each finding, as lines and as JSON',
      async (_, options) => {
        const before = await placed();
        const text = await runCommand('doctor --live', { environment, ...options });
        const json = await runCommand('doctor --live --json', { environment, ...options });
        const { data } = JSON.parse(json.out) as { readonly data: readonly Finding[] };
        expect([text.code, json.code].every((code) => code !== 0)).toBe(true);
        expect(text.out.split('\n').map(withoutFree)).toEqual(
          data.map((each) => withoutFree(findingLine(each as never))),
        );
        const [live, ...others] = data.filter(({ what }) => what === 'live');
        expect([live?.state, others]).toEqual(['skipped', []]);
        expect(live?.detail).toMatch(/something is wrong already|not confirmed|add --yes/);
        expect(await placed()).toEqual(before);
      },
    );
  });

  /** The free space of the disk may change between two runs. */
  const withoutFree = (line: string): string =>
    // Nobody is asked where JSON is wanted, which is said in other words.
    line.replace(/[\d,]+ MB free/, '').replace(/alt: (not confirmed|this asks).*/, 'alt');
  const placed = async (): Promise<{ id: string; price: number; status: string }[]> =>
    (await gateway.client.get('/api/v1/orders?broker=alt')).body.data;
  const lastPrice = async (): Promise<number> =>
    (await gateway.client.get('/api/v1/ltp?instruments=NSE:INFY')).body.data['NSE:INFY'].lastPrice;
});

describe('doctor, while a gateway runs whose hooks.json is damaged', () => {
  it('says that signals are off, and what to do', async () => {
    await using stage = await createStage();
    writeFileSync(join(stage.dataDirectory, 'hooks.json'), '', { mode: 0o600 });
    await using gateway = await serveGateway(stage);
    const urls = { APP_CLI_URL: gateway.url, APP_CLI_KEY: ADMIN_KEY };
    const found = await findings({ ...stage.environment, ...urls });
    expect(found.of('signals')).toMatchObject([{ state: 'look' }]);
    expect(found.of('signals')[0]?.detail).toMatch(/^signals are off, .*restore it/);
  });
});
