import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../src/platform/http.ts';
import * as alt from './alt/support/alt-broker.ts';
import * as kite from './alt/support/scripted-transport.ts';
import * as primary from './primary/support.ts';

const PRIMARY_TOKEN = 'secret-token-1';
const ALT_TOKEN = 'token-1';
const ALT_SECRET = alt.SETTINGS.apiSecret;

const escaped = (text: string): string =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Replies that repeat a secret, in every place that a message is read from. */
function echoes(secret: string): readonly (readonly [string, HttpReply])[] {
  const json = { 'content-type': 'application/json' };
  const reply = (status: number, body: string, statusText = ''): HttpReply => ({
    ...{ kind: 'answered', status, statusText, headers: json, body },
  });
  const text = (message: string): string =>
    `{"status":"error","error_type":"InputException","message":"${message}"}`;
  return [
    ['in the reason phrase', reply(502, '', `no ${secret} here`)],
    [
      'in the reason phrase, percent-encoded',
      reply(502, '', `no %${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`),
    ],
    ['escaped in a JSON body', reply(400, text(escaped(secret)))],
    ['escaped twice in a JSON body', reply(400, text(escaped(secret).replaceAll('\\', '\\\\')))],
    ['escaped in a body that is not JSON', reply(400, `oops ${escaped(secret)}`)],
    ['as the code', reply(400, `{"status":"error","error_type":"${secret}","message":"no"}`)],
    ['in a 2xx that reports a failure', reply(200, text(escaped(secret)))],
    [
      'in the error of the connection',
      { kind: 'broken', cause: 'malformed', message: secret, status: null },
    ],
  ];
}

const leaks = (shown: unknown, secret: string): boolean => {
  const text = JSON.stringify(shown).toLowerCase();
  return text.includes(secret) || text.includes(secret.slice(1)) || /u0073|u0074|u0070/.test(text);
};

describe('what the primary brokerage repeats of a token', () => {
  it.each(echoes(PRIMARY_TOKEN))('%s is not shown', async (_where, reply) => {
    const { trading, account } = primary.setUp({ respond: () => reply });
    const outcome = await trading.place(primary.placing());
    const failure = await alt.failureOf(account.funds()).catch((error: unknown) => error);
    expect(leaks([outcome, failure], PRIMARY_TOKEN)).toBe(false);
  });

  it('as the reason of an order is not shown', async () => {
    const row = primary.orderRow({ status: 'FAILED', extra_info: `no ${PRIMARY_TOKEN}` });
    const { trading } = primary.setUp({ respond: () => primary.success([row]) });
    expect(leaks(await trading.orderBook(), PRIMARY_TOKEN)).toBe(false);
  });
});

describe.each([
  ['token', ALT_TOKEN],
  ['API secret', ALT_SECRET],
])('what the alternative broker repeats of the %s', (_what, secret) => {
  it.each(echoes(secret))('%s is not shown', async (_where, reply) => {
    const { broker } = alt.altBench(reply);
    const outcome = await broker.trading.place(alt.attempt());
    const failure = await alt.failureOf(broker.account.holdings()).catch((error: unknown) => error);
    expect(leaks([outcome, failure], secret)).toBe(false);
  });

  it('as the message of an order is not shown', async () => {
    const row = alt.orderRow({ status: 'REJECTED', status_message: `no ${secret}` });
    const { broker } = alt.altBench(kite.success([row]));
    expect(leaks(await broker.trading.orderBook(), secret)).toBe(false);
  });
});
