import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN_KEY,
  createStage,
  type ServedGateway,
  serveGateway,
  type Stage,
} from '../support/served.ts';
import { runCommand } from './support/run.ts';

let stage: Stage;
let gateway: ServedGateway;
beforeAll(async () => {
  stage = await createStage({ sandbox: { seed: 'report' } });
  gateway = await serveGateway(stage);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

const run = (words: string) =>
  runCommand(words, { environment: { APP_CLI_URL: gateway.url, APP_CLI_KEY: ADMIN_KEY } });

describe('report', () => {
  it('prints each account and key, and says what is not known', async () => {
    const resting = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, product: 'CNC' };
    await gateway.client.place(
      { ...resting, orderType: 'LIMIT', price: 1400, broker: 'paper' },
      'k',
    );
    const { code, out, told } = await run('report');
    expect([code, told]).toEqual([0, '']);
    expect(out).toMatch(/^Report of \d{4}-\d\d-\d\d, which goes on, as of .* IST$/m);
    expect(out).toMatch(/^LIVE alt\n {2}Profit +not known: .+\n {2}Charges +not known: .+$/m);
    expect(out).toMatch(/^PAPER\n(.*\n)+? {2}Orders +1 order: 1 open$/m);
    expect(out).toMatch(/^Key admin, PAPER$/m);
    const { data } = JSON.parse((await run('report today --json --broker paper')).out);
    expect(data.accounts).toMatchObject([{ broker: 'paper', orders: { placed: 1, open: 1 } }]);
  });

  it('ends with 1 and the reason where there is none of the day', async () => {
    for (const [day, why] of [
      ['2020-01-01', 'ask for a later day'],
      ['2099-01-01', 'has not begun'],
      ['yesterday', 'takes a day, YYYY-MM-DD, or today'],
    ] as const) {
      const ran = await run(`report ${day}`);
      expect([ran.code, ran.out]).toEqual([1, '']);
      expect(ran.told).toContain(why);
    }
  });
});
