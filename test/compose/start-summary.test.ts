import { describe, expect, it } from 'vitest';
import { startSummary, tellSummary, whatIsStopped } from '../../src/compose/start-summary.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { SessionState } from '../../src/session/session.ts';
import { epochMs } from '../../src/units/branded.ts';
import { load } from '../config/support/load.ts';

const CANARY = 'canary-of-the-secret';
const KITE = {
  APP_ALT_BROKER_API_KEY: 'kitekey',
  APP_ALT_BROKER_API_SECRET: CANARY,
  APP_ALT_BROKER_USER_ID: 'AB1234',
};
const WHOLE = {
  ...KITE,
  APP_PRIMARY_ACCESS_TOKEN: CANARY,
  APP_API_KEY: CANARY,
  APP_TELEGRAM_BOT_TOKEN: '4242:a-canary-of-the-bot-and-its-token',
  APP_TELEGRAM_CHAT_ID: '77',
};

function summaryOf(
  settings: Readonly<Record<string, string>>,
  state?: SessionState,
  signIn: string | null = null,
  more: { readonly hooksUrl?: string; readonly stopped?: readonly string[] } = {},
) {
  const { hooksUrl = null, stopped = [] } = more;
  const lines = startSummary({
    version: '1.2.3',
    configuration: load(settings),
    session: state === undefined ? null : { current: () => state },
    dataDirectory: 'data',
    ...{ signIn, stopped },
    listening: { url: 'http://0.0.0.0:8420', postbackUrl: null, hooksUrl },
  });
  const rows = lines.slice(1).map((line) => line.trim().split(/ {2,}/, 2));
  const of = (name: string) => rows.filter(([each]) => each === name).map(([, text]) => text);
  return { lines, of };
}

describe('what a start tells', () => {
  it('is about ten lines: what is configured, live or paper, and where', () => {
    const { lines, of } = summaryOf(WHOLE, {
      ...{ state: 'valid', accessToken: CANARY, userId: 'AB1234', obtainedAt: null },
      ...{ source: 'file', verifiedAt: null },
      expiresAt: epochMs(Date.parse('2026-11-24T06:00:00+05:30')),
    });
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines[0]).toBe('altbroker-gateway 1.2.3 has started.');
    expect(of('Listening at')).toEqual(['http://0.0.0.0:8420']);
    expect(of('Dashboard')[0]).toMatch(/^http:\/\/127.0.0.1:8420\/ \(`altbroker-gateway open`/);
    expect(of('Brokers')).toEqual([
      'alt, the alternative broker: LIVE; primary, the primary brokerage: LIVE; ' +
        'paper, the paper account: paper',
    ]);
    expect(of('Orders go to')).toEqual(['alt (LIVE), then paper (paper)']);
    expect(of('Login')).toEqual(['valid until Tue 24 Nov, 06:00 IST, as AB1234']);
    expect(of('Data directory')).toEqual(['data']);
    expect(of('Missing')).toEqual([]);
    expect(lines.join('\n').toLowerCase()).not.toContain('canary');
  });

  it('names the listener of signals, and what stops orders, where there is one', () => {
    const without = summaryOf(WHOLE);
    expect([without.of('Signals'), without.of('Stopped')]).toEqual([[], []]);
    const killSwitch = { engaged: true, reason: 'bad day' };
    const stopped = whatIsStopped(killSwitch, 'this data directory is a copy');
    const { of } = summaryOf(WHOLE, undefined, null, {
      hooksUrl: 'http://127.0.0.1:8422/hooks/',
      stopped,
    });
    expect(of('Signals')[0]).toMatch(/^http:\/\/127\.0\.0\.1:8422\/hooks\/… takes the alerts/);
    expect(of('Stopped')).toEqual([
      expect.stringMatching(/^the kill switch is engaged \(bad day\): .* kill --release/),
      'this data directory is a copy',
    ]);
    expect(whatIsStopped({ ...killSwitch, engaged: false }, null)).toEqual([]);
    expect(whatIsStopped(null, null)).toEqual([]);
  });

  it('names who is asked to log in, and what waits for that', () => {
    const { of } = summaryOf(WHOLE, { state: 'absent' });
    const url = 'http://127.0.0.1:8420/api/altbroker/login';
    expect(of('Login')).toEqual([`user AB1234 is asked to log in at ${url}`]);
    expect(of('Missing')).toHaveLength(1);
    expect(of('Missing')[0]).toContain('no order reaches the alternative broker');
  });

  it('names all that is missing, and the address for browsers', () => {
    const { of } = summaryOf(
      { APP_PUBLIC_URL: 'https://gateway.example/' },
      undefined,
      '/x?link=1',
    );
    expect(of('Dashboard')[0]).toMatch(/^https:\/\/gateway.example\/x\?link=1 \(signs in once/);
    expect(of('Orders go to')).toEqual(['alt (LIVE, not set up), then paper (paper)']);
    expect(of('Login')).toEqual(['no broker that has one is set up']);
    expect(of('Missing').map((text) => /APP_\w+/.exec(text ?? '')?.[0])).toEqual([
      ...['APP_ALT_BROKER_API_KEY', 'APP_PRIMARY_ACCESS_TOKEN', 'APP_TELEGRAM_BOT_TOKEN'],
    ]);
  });
});

describe('where a start tells it', () => {
  const told = (logFormat: 'auto' | 'json', logLevel: 'warn' | 'silent', isTerminal: boolean) => {
    const [written, logged]: [string[], string[]] = [[], []];
    const write = (text: string): void => void written.push(text);
    const log = { ...silentLog, info: (line: string) => void logged.push(line) };
    const screen = { isTerminal, hasColours: false, write };
    tellSummary(['begun.', '  Data directory  data'], { logFormat, logLevel, log }, screen);
    return { written, logged };
  };

  it('is the terminal, whatever the level of the log; silent is silent', () => {
    expect(told('auto', 'warn', true).written).toEqual(['begun.\n  Data directory  data\n']);
    expect(told('auto', 'silent', true)).toEqual({ written: [], logged: [] });
  });

  it('is the log, line by line, where that is JSON', () => {
    const lines = ['begun.', 'Data directory: data'];
    expect(told('json', 'warn', true)).toEqual({ written: [], logged: lines });
    expect(told('auto', 'warn', false)).toEqual({ written: [], logged: lines });
  });
});
