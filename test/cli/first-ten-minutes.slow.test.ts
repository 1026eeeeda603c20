import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY as DEMO_KEY, CONTROL_ORIGIN, portsFrom } from '../../sandbox/demo/settings.ts';
import {
  ADMIN_KEY,
  createStage,
  type ServedGateway,
  serveGateway,
  type Stage,
} from '../support/served.ts';
import { logInOverSockets } from '../support/socket-client.ts';
import { type Ran, runCommand } from './support/run.ts';

/** Each command of docs/first-ten-minutes.md, in its order, against a gateway in front of the simulated brokers. */
const PAGE = readFileSync(new URL('../../docs/first-ten-minutes.md', import.meta.url), 'utf8');
const BLOCKS = [...PAGE.matchAll(/```console\n([^`]*)```/g)].map(([, text = '']) => text);
const COMMANDS = BLOCKS.flatMap((text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\$ npx altbroker-gateway /, '')),
);

let stage: Stage;
let gateway: ServedGateway;
beforeAll(async () => {
  stage = await createStage({ sandbox: { seed: 'first-ten-minutes' } });
  gateway = await serveGateway(stage);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

/** What each command of the page is to print; a command that is not here has only to succeed. */
const PRINTS: readonly (readonly [command: string, prints: RegExp])[] = [
  ['status', /^Can I trade\? Only on paper/],
  ['quote INFY TCS', /INFY.*₹[\s\S]*TCS.*₹/],
  ['order buy INFY 10 --yes', /BUY 10 NSE:INFY.*at paper \(paper\)/],
  ['positions', /INFY/],
  ['login', /^Logged in: valid as AB1234/],
  ['status', /^Can I trade\? Yes, with real money at alt/],
  ['order buy INFY 10 --yes', /BUY 10 NSE:INFY MARKET .*at alt\b/],
  ['orders', /INFY/],
  ['exit INFY --product CNC --broker alt --yes', /^completed|^done|^flat/],
  ['kill --yes', /ENGAGED|engaged/],
  ['kill --release --yes', /off|released/i],
];

describe('the first ten minutes', () => {
  it('has commands that do what the page says', async () => {
    const environment = { APP_CLI_URL: gateway.url, APP_CLI_KEY: ADMIN_KEY };
    let polls = 0;
    const logsIn = async (): Promise<void> => {
      if ((polls += 1) === 2) await logInOverSockets(gateway.url);
    };
    const ran: (readonly [string, Ran])[] = [];
    for (const command of COMMANDS) {
      const options = command === 'login' ? { wait: logsIn } : {};
      ran.push([command, await runCommand(command, { environment, ...options })]);
    }
    const failed = ran.filter(([, { code }]) => code !== 0);
    expect(failed.map(([command, { out, told }]) => [command, out, told])).toEqual([]);
    const left = [...ran];
    for (const [command, prints] of PRINTS) {
      const at = left.findIndex(([each]) => each === command);
      expect(left[at]?.[1].out, command).toMatch(prints);
      left.splice(at, 1);
    }
  });

  it('breaks the broker with a rule that the sandbox takes', async () => {
    const [, body = ''] = /-d '([^']+)' http:\/\/127\.0\.0\.1:8432\/faults/.exec(PAGE) ?? [];
    const reply = await fetch(`${stage.served.controlOrigin}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([reply.ok, JSON.parse(body).kind]).toEqual([true, 'hang_after']);
    const other = await fetch(`${stage.served.controlOrigin}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body.replace('hang_after', 'no_such_fault'),
    });
    expect(other.ok).toBe(false);
  });

  it('names the address and the key of the demo', () => {
    const key = /APP_CLI_KEY=(\S+)/.exec(PAGE)?.[1];
    expect(key).toBe(DEMO_KEY);
    const { gateway: port, control } = portsFrom({});
    expect(PAGE).toContain(`APP_CLI_URL=http://127.0.0.1:${port} `);
    expect(PAGE).toContain(`http://127.0.0.1:${control}/faults`);
    expect(CONTROL_ORIGIN).toBe(`http://127.0.0.1:${control}`);
  });
});
