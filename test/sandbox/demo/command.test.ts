import { describe, expect, it } from 'vitest';
import { isForRunningDemo, runDemoCommand } from '../../../sandbox/demo/command.ts';
import { type RunRecord, runRecord } from '../../../sandbox/demo/run-record.ts';

const line = (second: number, side: string, kind: string, text: string) => ({
  at: `2026-11-06T11:00:0${second}.250+05:30`,
  ...{ side, kind, text },
});
const LINES = [
  line(1, 'demo', 'note', 'Kite accepts the next two orders, and never answers them.'),
  line(2, 'script', 'sends', 'BUY 5 INFY to Kite'),
  line(3, 'gateway', 'order book', 'one order at Kite: 7'),
];

const record = (state: string, count: number, more: object = {}): RunRecord =>
  runRecord.parse({
    ...{ id: 4, name: 'hang_after', title: 'Kite hangs after accepting', state, result: null },
    ...{ lines: LINES.slice(0, count), counts: { script: null, gateway: null } },
    ...more,
  });

/** Asks a demo whose run has these states, one after the other. */
async function ask(words: string, states: readonly RunRecord[], status = 202) {
  const [out, told, sent]: [string[], string[], unknown[]] = [[], [], []];
  let [asked, waited] = [0, 0];
  const code = await runDemoCommand(words.split(' '), {
    origin: 'http://127.0.0.1:8432',
    async fetch(url, init) {
      const run = states[Math.min(asked, states.length - 1)];
      if (run === undefined) throw new TypeError('fetch failed');
      asked += 1;
      if (init?.method !== 'POST') return Response.json({ run });
      sent.push([
        url,
        new Headers(init.headers).get('content-type'),
        JSON.parse(String(init.body)),
      ]);
      return Response.json({ run, message: '“Buy INFY” is still running' }, { status });
    },
    wait: async () => void (waited += 1),
    out: (text) => void out.push(text),
    tell: (text) => void told.push(text),
  });
  return { code, out, told, sent, waited };
}

describe('a command for a demo that runs', () => {
  it('prints each line of the timeline once, and ends with 0 where the run has shown it', async () => {
    const last = record('true', 3, { result: 'Each wanted to buy once.' });
    const ran = await ask('break hang_after', [
      ...[record('running', 0), record('running', 1), record('running', 1), last],
    ]);
    expect(ran).toMatchObject({ code: 0, told: [], waited: 3 });
    expect(ran.out).toEqual([
      'Kite hangs after accepting',
      '11:00:01.250  Kite accepts the next two orders, and never answers them.',
      '11:00:02.250  naive script         sends       BUY 5 INFY to Kite',
      '11:00:03.250  through the gateway  order book  one order at Kite: 7',
      'Each wanted to buy once.',
    ]);
    const type = 'application/json';
    expect(ran.sent).toEqual([['http://127.0.0.1:8432/demo', type, { run: 'hang_after' }]]);
  });

  it('ends with 1 where it was not true, and says what that means', async () => {
    const ran = await ask('break kill', [record('false', 1, { result: 'Kite has 2 orders.' })]);
    expect([ran.code, ran.out.at(-1)]).toEqual([1, 'Kite has 2 orders.']);
    expect(ran.told.join()).toContain('not what the gateway promises');
  });

  it('ends with 1 where the run came to no count, with the reason', async () => {
    const ran = await ask('break kill', [
      ...[record('running', 0), record('failed', 0, { result: 'Nobody is logged in at Kite.' })],
    ]);
    expect([ran.code, ran.told]).toEqual([1, ['demo: Nobody is logged in at Kite.']]);
  });

  it('ends with 1 where another run is under way, or takes its place', async () => {
    const busy = await ask('buy', [record('running', 0)], 409);
    expect([busy.code, busy.out, busy.told]).toEqual([
      1,
      [],
      ['demo: “Buy INFY” is still running'],
    ]);
    const other = await ask('buy', [record('running', 0), record('true', 0, { id: 5 })]);
    expect(other.code).toBe(1);
  });

  it('ends with 4 where no demo runs, and says how to start one', async () => {
    const ran = await ask('break hang_after', []);
    expect(ran).toMatchObject({ code: 4, out: [] });
    expect(ran.told.join()).toContain('npx altbroker-gateway demo');
  });

  it.each(['break', 'break it', 'buy TCS', 'break kill now'])(
    '%s is refused with 2 and the list, and nothing is asked for',
    async (words) => {
      const ran = await ask(words, [record('true', 0)]);
      expect([ran.code, ran.sent]).toEqual([2, []]);
      expect(ran.told.join()).toContain('buy, break hang_after, break kill');
    },
  );

  it('prints the whole run with --json, and nothing else on the standard output', async () => {
    const last = record('true', 3, { result: 'Each wanted to buy once.' });
    const ran = await ask('break hang_after --json', [record('running', 1), last]);
    expect([ran.code, ran.told, ran.out.length]).toEqual([0, [], 1]);
    expect(JSON.parse(ran.out[0] ?? '')).toEqual({ data: last });
    const untrue = await ask('--json buy', [record('false', 1, { result: 'Kite has 2 orders.' })]);
    expect([untrue.code, JSON.parse(untrue.out.join()).data.state]).toEqual([1, 'false']);
  });

  it.each([
    ['break it --json', [record('true', 0)], 2],
    ['buy --json', [], 4],
    ['buy --json', [record('failed', 0, { result: 'Nobody is logged in at Kite.' })], 1],
  ] as const)(
    '%s that fails prints {"error": …}, and ends with the same code',
    async (words, states, code) => {
      const ran = await ask(words, states);
      expect(ran.code).toBe(code);
      expect(ran.told[0]).toBe(`demo: ${JSON.parse(ran.out.join()).error}`);
    },
  );

  it('is told from the settings of a demo that is to start', () => {
    const words = [['buy'], ['--json', 'break', 'kill'], [], ['--no-browser'], ['APP_PORT=1']];
    expect(words.map(isForRunningDemo)).toEqual([true, true, false, false, false]);
  });
});
