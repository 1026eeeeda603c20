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

/** What `exit` and `close-all` say and do of delivery shares; the live account has some in its holdings. */
let stage: Stage;
let gateway: ServedGateway;
beforeAll(async () => {
  stage = await createStage({ sandbox: { seed: 'delivery' } });
  gateway = await serveGateway(stage);
  await logInOverSockets(gateway.url);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

const run = (words: string, { environment, ...options }: Partial<RunOptions> = {}) =>
  runCommand(words, {
    environment: { APP_CLI_URL: gateway.url, APP_CLI_KEY: ADMIN_KEY, ...environment },
    ...options,
  });
const placed = async (): Promise<number> =>
  (await gateway.client.get('/api/v1/orders')).body.data.length;

describe('exit says which side its orders have', () => {
  it('SELL of delivery shares, also where the row of the positions is negative', async () => {
    await run('order sell INFY 10 --broker alt --yes');
    const ran = await run('exit INFY --product CNC --broker alt', { answers: ['n'] });
    expect(ran).toMatchObject({ code: 1, asked: ['Exit it? [y/N] '] });
    expect(ran.told).toContain('Delivery shares that are still held are SOLD');
    expect(ran.told).toMatch(/^ {2}SELL: held at alt: 190 NSE:INFY \(10 sold today\)$/m);
  });

  it('and takes no such row for a position: the shares left are sold only with --product CNC', async () => {
    const before = await placed();
    const ran = await run('exit INFY --broker alt --yes');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.told).toContain('--product CNC');
    expect(await placed()).toBe(before);
  });

  it('SELL of a long position, BUY of a short one', async () => {
    await run('order sell TCS 3 --product MIS --broker paper --yes');
    await run('order buy SBIN 2 --product MIS --broker paper --yes');
    const short = await run('exit TCS --product MIS --broker paper', { answers: ['n'] });
    expect(short.told).toMatch(/^ {2}BUY: short at paper \(paper\): 3 NSE:TCS$/m);
    const long = await run('exit SBIN --broker paper', { answers: ['n'] });
    expect(long.told).toMatch(/^ {2}SELL: long at paper \(paper\): 2 NSE:SBIN$/m);
    await run('close-all --broker paper --yes');
  });

  it('and asks all the same where the account cannot be read', async () => {
    const ran = await run('exit INFY --product CNC --broker nobody', { answers: ['n'] });
    expect(ran.told).toContain('No account that can be read shows any of it now.');
  });
});

describe('close-all', () => {
  it('does not list delivery shares as closed: they stay, and are named before and after', async () => {
    await run('order buy HDFCBANK 10 --broker paper --yes');
    await run('order buy TCS 2 --product MIS --broker paper --yes');
    const ran = await run('close-all --broker paper', { answers: ['y'] });
    expect(ran.code).toBe(0);
    const [taken = '', stay = ''] = ran.told.split('Delivery shares stay at paper (paper)');
    expect(taken).toContain('2 NSE:TCS INTRADAY');
    expect(taken).not.toContain('HDFCBANK');
    expect(stay).toContain('10 NSE:HDFCBANK (10 bought today)');
    expect(ran.out).toMatch(/^flat: 2 NSE:TCS INTRADAY at paper \(paper\)/);
    expect(ran.out).toContain(
      'Delivery shares still held at paper (paper): 10 NSE:HDFCBANK (10 bought today)',
    );
  });

  it('lists what the orders of a trade key hold, and not what others have made of the position', async () => {
    const key = { name: 'momentum', scope: 'trade' };
    const { body } = await gateway.client.post('/api/v1/keys', key);
    const asKey = (words: string, options: Omit<RunOptions, 'environment'> = {}) =>
      run(words, { ...options, environment: { APP_CLI_KEY: String(body.data.key) } });
    await run('order buy SBIN 7 --product MIS --broker paper --yes');
    await asKey('order buy SBIN 3 --product MIS --broker paper --yes');
    await run('order buy ITC 5 --broker paper --yes');
    await asKey('order buy ITC 4 --broker paper --yes');
    const all = await run('close-all --broker paper', { answers: ['n'] });
    expect(all.told).toMatch(/^ {2}10 NSE:SBIN INTRADAY/m);
    for (const ran of [
      await asKey('close-all --broker paper', { answers: ['n'] }),
      await asKey('close-all --broker paper --mine', { answers: ['n'] }),
    ]) {
      expect(ran.told).toMatch(
        /by the orders of this key; the closing takes these:\n {2}3 NSE:SBIN /,
      );
      expect(ran.told).not.toMatch(/^ {2}(7|10) NSE:SBIN/m);
      expect(ran.told).toContain('and never more than the account has');
    }
    const words = 'close-all --broker paper --holdings ITC --include-undelivered';
    expect((await asKey(words, { answers: ['n'] })).told).toMatch(
      /^ {2}SELL 4 NSE:ITC CNC, delivery shares; the others were not bought by the orders of this key/m,
    );
    const closed = await asKey('close-all --broker paper', { answers: ['y'] });
    expect(closed.out).toMatch(/^flat: 3 of 10 NSE:SBIN INTRADAY/m);
    await run('close-all --broker paper --holdings ITC --include-undelivered --yes');
  });

  it('--product CNC without --holdings is refused with 2, and says what is held', async () => {
    const ran = await run('close-all --product CNC --broker paper --yes');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.told).toContain('only where --holdings names them');
    expect(ran.told).toContain('Held at paper (paper): 10 NSE:HDFCBANK (10 bought today)');
  });

  it.each([
    ['--include-undelivered', 'add --holdings'],
    ['--holdings HDFCBANK --product MIS', 'leaves them out'],
    ['--holdings HDFCBANK --side sell', 'leaves them out'],
  ])('%s sells no delivery shares, and is refused with 2', async (words, told) => {
    const ran = await run(`close-all --broker paper --yes ${words}`);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.told).toContain(told);
  });

  it('ends with 1 where the shares that were meant are still held', async () => {
    const ofToday = await run('close-all --holdings HDFCBANK --broker paper', { answers: ['y'] });
    expect(ofToday.told).toContain(
      'SELL 0 NSE:HDFCBANK CNC, delivery shares; 10 are not delivered yet',
    );
    expect(ofToday.code).toBe(1);
    expect(ofToday.out).toMatch(/^not sold: HDFCBANK: .*--include-undelivered$/m);
    expect(ofToday.out).toContain('Nothing was closed');
    const unnamed = await run('close-all --instrument HDFCBANK --broker paper --yes');
    expect([unnamed.code, unnamed.out]).toEqual([1, expect.stringContaining('--holdings')]);
  });

  it('--holdings sells the shares that it names, and says what is left', async () => {
    const words =
      'close-all --product CNC --include-undelivered --broker paper --holdings HDFCBANK';
    const undelivered = await run(words, { answers: ['y'] });
    expect(undelivered.told).toContain('SELL 10 NSE:HDFCBANK CNC, delivery shares');
    expect([undelivered.code, undelivered.out]).toEqual([
      0,
      expect.stringMatching(/^flat: 10 NSE:HDFCBANK CNC at paper/),
    ]);
    expect(undelivered.out).not.toContain('still held');
    const ran = await run('close-all --holdings SBIN NSE:ITC --broker alt --yes --json');
    expect(ran.code).toBe(0);
    const { data, delivery } = JSON.parse(ran.out);
    expect(data.positions).toMatchObject([
      { instrument: 'NSE:SBIN', product: 'CNC', status: 'flat' },
      { instrument: 'NSE:ITC', product: 'CNC', status: 'flat' },
    ]);
    expect(delivery).toMatchObject([{ broker: 'alt', mode: 'live', problem: null }]);
    const left = delivery[0].shares.map(({ instrument }: { instrument: string }) => instrument);
    expect(left.sort()).toEqual(['NSE:INFY', 'NSE:TCS']);
  });
});
