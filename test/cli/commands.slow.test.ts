import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN_KEY,
  createStage,
  type ServedGateway,
  serveGateway,
  type Stage,
} from '../support/served.ts';
import { logInOverSockets } from '../support/socket-client.ts';
import { runCommand, type RunOptions } from './support/run.ts';

/** Each command against a gateway that runs, with the sandbox's brokers behind it. */
let stage: Stage;
let gateway: ServedGateway;
beforeAll(async () => {
  stage = await createStage({ sandbox: { seed: 'commands' } });
  gateway = await serveGateway(stage);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

const run = (words: string, options: Omit<RunOptions, 'environment'> = {}) =>
  runCommand(words, {
    environment: { APP_CLI_URL: gateway.url, APP_CLI_KEY: ADMIN_KEY },
    ...options,
  });
const ordersNow = async (): Promise<{ id: string; status: string; broker: string }[]> =>
  (await gateway.client.get('/api/v1/orders')).body.data;
const idIn = (text: string): string => /ord_[0-9a-f-]+/.exec(text)?.[0] ?? '';

describe('before the login', () => {
  it('status says that orders go to paper, and why', async () => {
    const { code, out } = await run('status');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Can I trade\? Only on paper: alt takes no orders now \(there is no valid access token/,
    );
    expect(out).toMatch(/^Needs you: nobody is logged in at alt: log in$/m);
    expect(out).toMatch(/^Login: you are not logged in$/m);
    expect(out).toMatch(/^alt: .*cannot serve now: there is no valid access token/m);
    const { data } = JSON.parse((await run('status --json')).out);
    expect(data).toMatchObject({ session: { state: 'absent' }, overview: { trading: 'paper' } });
  });

  it('login opens the browser, and waits for the login', async () => {
    let polls = 0;
    const wait = async (): Promise<void> => {
      if ((polls += 1) === 3) await logInOverSockets(gateway.url);
    };
    const ran = await run('login', { wait });
    expect(ran.browsed).toEqual([`${gateway.url}/api/altbroker/login`]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toMatch(/^Logged in: valid as AB1234 until \d{4}-\d\d-\d\d 06:00 IST$/);
    expect((await run('status')).out).toMatch(
      /^Can I trade\? Yes, with real money at alt, until \w{3} \d+ \w{3}, 06:00 IST\./,
    );
  });

  it('login gives up where nobody logs in, and says so', async () => {
    let waited = 0;
    const wait = async (ms: number): Promise<void> => void (waited += ms);
    const ran = await run('login --no-browser', { wait });
    expect(ran).toMatchObject({ code: 1, browsed: [] });
    expect(ran.out).toContain('nobody has logged in for 5 minutes');
    expect(waited).toBe(300_000);
  });
});

describe('reads', () => {
  it('quote shows the prices there are, and beside them why the others are missing', async () => {
    const ran = await run('quote INFY NSE:NOSUCH');
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^Instrument +Last .*\n(NSE:)?INFY +₹[\d,.]+ /);
    expect(ran.told).toMatch(/^NSE:NOSUCH: /);
    const { data, errors } = JSON.parse((await run('quote INFY NSE:NOSUCH --json')).out);
    expect([Object.keys(data), Object.keys(errors)]).toEqual([['INFY'], ['NSE:NOSUCH']]);
  });

  it.each(['positions', 'holdings', 'funds'])('%s says whose figures they are', async (name) => {
    const ran = await run(`${name} --broker paper`);
    expect(ran).toMatchObject({ code: 0, told: '' });
    expect(ran.out).toMatch(/\(paper \(paper\), \d\d:\d\d:\d\d IST\)$/);
    expect(JSON.parse((await run(`${name} --broker paper --json`)).out)).toMatchObject({
      meta: { broker: 'paper', mode: 'paper' },
    });
  });
});

describe('order', () => {
  it('shows where it goes and what it costs, and places nothing unless it is told to', async () => {
    const before = await ordersNow();
    for (const answers of [['n'], [''], [null]]) {
      const ran = await run('order buy INFY 3 --limit 1400', { answers });
      expect(ran).toMatchObject({ code: 1, out: '', asked: ['Place it? [y/N] '] });
      expect(ran.told).toMatch(/^BUY 3 INFY CNC LIMIT ₹1,400\.00\nGoes to +alt, with real money\n/);
      expect(ran.told).toMatch(/^Blocks +₹4,200\.00 of ₹[\d,.]+\nCharges +about ₹/m);
      expect(ran.told).toMatch(/not confirmed: nothing was done$/);
    }
    expect(await ordersNow()).toEqual(before);
  });

  it('is not placed where nobody can be asked', async () => {
    const before = await ordersNow();
    for (const words of ['order buy INFY 3', 'order buy INFY 3 --json']) {
      const ran = await run(words, words.includes('json') ? { answers: ['y'] } : {});
      expect(ran.code).toBe(2);
      expect(ran.told).toContain('add --yes');
    }
    expect(await ordersNow()).toEqual(before);
  });

  it('is placed once under its key, however often the command is run', async () => {
    const first = await run('order buy INFY 2 --limit 1400 --broker paper', { answers: ['y'] });
    expect(first).toMatchObject({ code: 0 });
    expect(first.out).toMatch(
      /^working, filled 0: BUY 2 NSE:INFY LIMIT ₹1,400\.00 at paper \(paper\)/,
    );
    const key = /The key of the order is (\S+)/.exec(first.told)?.[1] ?? '';
    const again = await run(`order buy INFY 2 --limit 1400 --broker paper --yes --key ${key}`);
    expect(again.out).toMatch(/^This key had placed an order before; nothing was sent now\.\n/);
    expect(idIn(again.out)).toBe(idIn(first.out));
    const { data } = JSON.parse((await run('orders --status open --broker paper --json')).out);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([idIn(first.out)]);
    expect((await run(`cancel ${idIn(first.out)}`)).out).toMatch(/^cancelled, filled 0: /);
  });

  it.each([
    ['order buy INFY 2 --trigger 1600 --limit 1601', 'SL'],
    ['order sell TCS 2 --trigger 2900 --limit 2899 --product INTRADAY', 'SL'],
  ])('%s is a stop order', async (words, orderType) => {
    const { data } = JSON.parse((await run(`${words} --broker paper --yes --json`)).out);
    expect(data).toMatchObject({ orderType, status: 'working', mode: 'paper' });
    await run(`cancel ${data.id}`);
  });

  it('that the gateway refuses ends with its words, and 1', async () => {
    const ran = await run('order buy INFY 2 --limit 1400.013 --broker paper --yes');
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.told).toMatch(/\(price_off_tick\)$/);
    const asked = await run('order buy NOSUCH 2 --limit 1400', { answers: ['y'] });
    expect(asked).toMatchObject({ code: 1, asked: [] });
  });
});

describe('cancel', () => {
  it('tries each of several, and tells what became of each', async () => {
    const placed = await run('order buy INFY 1 --limit 1401 --broker paper --yes');
    const ran = await run(`cancel ord_01a208a3-da99-7aac-8cfa-485e0621fb69 ${idIn(placed.out)}`);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^ord_01a208a3.*\(unknown_order\)\ncancelled, filled 0: /);
  });
});

describe('ways out', () => {
  it('exit ends the position in the product in which it is held, and waits until it is flat', async () => {
    await run('order buy TCS 4 --product INTRADAY --broker paper --yes');
    const ran = await run('exit TCS --broker paper', { answers: ['yes'] });
    expect(ran).toMatchObject({ code: 0, asked: ['Exit it? [y/N] '] });
    expect(ran.told).toContain('all of TCS INTRADAY');
    expect(ran.out).toMatch(/^flat: nothing of NSE:TCS \(INTRADAY\) is held any more/);
    const none = await run('exit TCS --broker paper --yes');
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.told).toContain('the positions have no TCS');
  });

  it('exit asks for the product where the instrument is held in two', async () => {
    for (const product of ['INTRADAY', 'CNC']) {
      await run(`order buy HDFCBANK 2 --product ${product} --broker paper --yes`);
    }
    const ran = await run('exit HDFCBANK --broker paper --yes');
    expect(ran.code).toBe(2);
    expect(ran.told).toContain('name one with its exchange and --product');
    expect((await run('exit HDFCBANK --product CNC --broker paper --yes')).code).toBe(0);
  });

  it('close-all shows what is open, and ends it', async () => {
    const ran = await run('close-all --broker paper --product INTRADAY', { answers: ['y'] });
    expect(ran.told).toMatch(/Open at paper \(paper\).*\n +2 NSE:HDFCBANK INTRADAY, unrealised /);
    expect(ran.out).toMatch(/^flat: 2 NSE:HDFCBANK INTRADAY at paper \(paper\)/);
    expect(ran.code).toBe(0);
  });

  it('close-all that finds nothing says so, and counts no positions', async () => {
    const ran = await run('close-all --broker paper --product MARGIN --yes');
    expect(ran.out).toContain('Nothing was closed');
    expect(ran.told).not.toMatch(/0 positions|Closing/);
  });

  it('login says that a login is valid already, before it waits for another one', async () => {
    const ran = await run('login --no-browser', { wait: () => Promise.resolve() });
    expect(ran.told).toMatch(
      /^You are logged in: valid .* Ctrl\+C keeps the one that you have\.$/m,
    );
    expect(ran.code).toBe(1);
  });

  it('kill engages the switch, and releases it', async () => {
    const ran = await run('kill', { answers: ['y'] });
    expect(ran.out).toBe('The kill switch is ENGAGED: from the command line');
    expect((await run('status')).out).toMatch(
      /^Can I trade\? No: the kill switch is engaged\..*\nNeeds you: the kill switch/,
    );
    const refused = await run('order buy INFY 1 --broker paper --yes');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.told).toContain('(kill_switch)');
    expect((await run('kill --release --yes --json')).code).toBe(0);
    expect((await run('status')).out).toMatch(/^Kill switch: off$/m);
  });
});

describe('events', () => {
  it('prints what happens, a line for each, and goes on after the one that is named', async () => {
    const first = run('events --count 2 --mine --type order.updated');
    const place = async (price: number): Promise<string> =>
      idIn((await run(`order buy INFY 1 --limit ${price} --broker paper --yes`)).out);
    const ids = [await place(1402), await place(1403), await place(1404)];
    const ran = await first;
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out.split('\n')).toHaveLength(2);
    expect(ran.out).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}order\.updated {2}.*BUY 1 NSE:INFY LIMIT/,
    );
    const [one = '', two = ''] = (await run('events --count 2 --json --after 0-0')).out.split('\n');
    const after = JSON.parse(one).id;
    const next = (await run(`events --count 1 --json --after ${after}`)).out;
    expect(JSON.parse(next)).toEqual(JSON.parse(two));
    for (const id of ids) await run(`cancel ${id}`);
  });
});
