import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../client/index.ts';
import { runCommand } from './support/run.ts';

const ENVIRONMENT = { APP_CLI_URL: 'http://127.0.0.1:8420', APP_CLI_KEY: 'abg_some-key' };

/** A client whose time passes at once, and whose requests are answered by a function. */
function answering(answer: (request: Request) => Response): {
  readonly runtime: Partial<Runtime>;
  readonly requests: Request[];
} {
  const requests: Request[] = [];
  let now = 0;
  return {
    requests,
    runtime: {
      async fetch(input, init) {
        const request = new Request(input, init);
        requests.push(request);
        return answer(request);
      },
      now: () => now,
      after(ms, run) {
        // Pauses between attempts end at once; the deadline of an attempt does not come.
        if (ms >= 15_000) return () => undefined;
        now += ms;
        queueMicrotask(run);
        return () => undefined;
      },
    },
  };
}

const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' },
  });
const lost = (): Response => {
  throw new TypeError('fetch failed');
};
const order = (status: string) => ({
  ...{ id: 'ord_1', status, side: 'BUY', quantity: 5, instrument: 'NSE:INFY', orderType: 'MARKET' },
  ...{ price: null, triggerPrice: null, filledQuantity: null, averagePrice: null, reason: null },
  ...{ broker: 'alt', mode: 'live' },
});
const problem = (code: string, status: number, mayHaveExecuted: boolean) => ({
  ...{ type: 'about:blank', title: code, status, detail: 'words of the gateway', code },
  ...{ mayHaveExecuted, retrySafe: !mayHaveExecuted, requestId: 'r' },
});
const PLACE = 'order buy INFY 5 --yes --key mine-1';

describe('what a broker wrote', () => {
  it('neither moves the cursor of the terminal nor turns its text around, as JSON too', async () => {
    const reason = 'a\u001b[2J\u009b1Ab\u202ec\u{e0001}';
    for (const words of ['orders', 'orders --json', PLACE]) {
      const one = { ...order('rejected'), reason, createdAt: '2026-11-23T10:00:00+05:30' };
      const { runtime } = answering(({ method }) =>
        json(201, { data: method === 'GET' ? [one] : one, meta: { nextCursor: null } }),
      );
      const { out, told } = await runCommand(words, { environment: ENVIRONMENT, runtime });
      expect(`${out}${told}`, words).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      if (words.endsWith('json')) expect(JSON.parse(out).data[0].reason).toBe(reason);
      if (words === PLACE) expect(out).toContain('\\u202ec');
    }
  });
});

describe('an order whose outcome is not known', () => {
  it.each(['uncertain', 'disputed'])(
    'that is %s ends with 3, and is not to be placed again',
    async (status) => {
      const { runtime } = answering(() => json(202, { status: 'success', data: order(status) }));
      const ran = await runCommand(PLACE, { environment: ENVIRONMENT, runtime });
      expect(ran.code).toBe(3);
      expect(ran.out).toContain(`${status}, filled not known: BUY 5 NSE:INFY MARKET at alt`);
      expect(ran.out).toContain('Do not place it again');
      expect(ran.out).toContain('--key mine-1');
    },
  );

  it('that is answered 202 with another status ends with 3 as well, and so does a cancel', async () => {
    const { runtime } = answering(() => json(202, { status: 'success', data: order('sending') }));
    for (const words of [PLACE, 'cancel ord_1']) {
      const ran = await runCommand(words, { environment: ENVIRONMENT, runtime });
      expect([words, ran.code]).toEqual([words, 3]);
    }
  });

  it('whose answers are all lost ends with 3, says its key, and was asked under that key alone', async () => {
    const { runtime, requests } = answering(lost);
    const ran = await runCommand(PLACE, { environment: ENVIRONMENT, runtime });
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.told).toMatch(
      /^altbroker-gateway: It is not known whether it was done, since no gateway answers/,
    );
    expect(ran.told).toContain("--key 'mine-1'");
    expect(requests.length).toBeGreaterThan(1);
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key')))).toEqual(
      new Set(['mine-1']),
    );
  });

  it('of which a problem says that it may have been placed ends with 3', async () => {
    const { runtime } = answering(() => json(503, problem('journal_unavailable', 503, true)));
    const ran = await runCommand(`${PLACE} --json`, { environment: ENVIRONMENT, runtime });
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.out)).toMatchObject({ problem: { mayHaveExecuted: true } });
  });

  it.each([
    ['rejected', 1],
    ['not_sent', 1],
    ['filled', 0],
    ['working', 0],
  ])('and one that is %s ends with %i', async (status, code) => {
    const { runtime } = answering(() => json(201, { status: 'success', data: order(status) }));
    expect(await runCommand(PLACE, { environment: ENVIRONMENT, runtime })).toMatchObject({ code });
  });
});

describe('an exit that was begun', () => {
  it('is told to go on where its progress cannot be read', async () => {
    const exit = {
      id: 'exit_1',
      status: 'running',
      why: null,
      detail: 'begun',
      broker: 'alt',
      mode: 'live',
    };
    const { runtime } = answering(({ method }) =>
      method === 'POST' ? json(202, { status: 'success', data: exit }) : lost(),
    );
    const words = 'exit INFY --product CNC --yes';
    const ran = await runCommand(words, { environment: ENVIRONMENT, runtime });
    expect(ran.code).toBe(3);
    expect(ran.told).toContain('exit_1 was begun, and how it stands cannot be read now');
  });

  it.each([
    ['flat', null, 0],
    ['partly_flat', 'attempts_used_up', 1],
    ['stopped', 'leg_uncertain', 3],
  ])('and ended %s (%s) ends with %i', async (status, why, code) => {
    const data = { id: 'exit_1', status, why, detail: 'end', broker: 'alt', mode: 'live' };
    const { runtime } = answering(() => json(202, { status: 'success', data }));
    const words = 'exit INFY --product CNC --yes';
    expect(await runCommand(words, { environment: ENVIRONMENT, runtime })).toMatchObject({ code });
  });
});

describe('a closing of which one exit has an order with an unknown outcome', () => {
  it.each([
    ['leg_uncertain', 3],
    ['attempts_used_up', 1],
  ])('(%s) ends with %i', async (why, code) => {
    const account = { broker: 'alt', mode: 'live' };
    const leg = { ...account, instrument: 'NSE:INFY', product: 'CNC', net: 1, reason: null };
    const closing = {
      ...{ id: 'closing_1', status: 'stopped', detail: 'end', estimatedSeconds: 1 },
      positions: [{ ...leg, status: 'stopped', exitId: 'exit_1' }],
      unread: [],
    };
    const exit = { ...account, id: 'exit_1', status: 'stopped', why, detail: 'end' };
    const { runtime } = answering(({ url }) =>
      json(202, { status: 'success', data: url.includes('/exits/') ? exit : closing }),
    );
    const ran = await runCommand('close-all --yes', { environment: ENVIRONMENT, runtime });
    expect(ran.code).toBe(code);
  });
});

describe('a gateway that does not answer as one', () => {
  it.each([
    ['that is not there', lost, /no gateway answers at http:\/\/127\.0\.0\.1:8420: start it/],
    [
      'that is another server',
      () => new Response('<html>', { status: 200 }),
      /is not this gateway/,
    ],
    [
      'that does not know the key',
      () => json(401, problem('unauthorized', 401, false)),
      /does not accept the key/,
    ],
  ])('%s ends with 4', async (_, answer, told) => {
    const { runtime } = answering(answer);
    const ran = await runCommand('funds', { environment: ENVIRONMENT, runtime });
    expect(ran).toMatchObject({ code: 4, out: '' });
    expect(ran.told).toMatch(told);
  });
});

describe('settings', () => {
  const place = (environment: Record<string, string>) => {
    const { runtime, requests } = answering(() =>
      json(200, { status: 'success', data: {}, meta: {} }),
    );
    return { ran: runCommand('kill --yes', { environment, runtime }), requests };
  };

  it.each([
    [{}, 'http://127.0.0.1:8420'],
    [{ APP_HOST: '::', APP_PORT: '9000' }, 'http://127.0.0.1:9000'],
    [{ APP_HOST: '::1' }, 'http://[::1]:8420'],
    [{ APP_CLI_URL: 'http://gateway.test:80' }, 'http://gateway.test'],
  ])('%j lead to %s', async (settings, url) => {
    const { ran, requests } = place({ ...settings, APP_API_KEY: 'abg_admin-key-of-the-gateway' });
    expect((await ran).code).toBe(0);
    expect(requests[0]?.url).toBe(`${url}/api/v1/kill-switch`);
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer abg_admin-key-of-the-gateway');
  });

  it.each([
    [{ APP_DATA_DIR: '/nowhere' }, 'APP_CLI_KEY: got nothing'],
    [{ APP_CLI_KEY: 'abc' }, 'APP_CLI_KEY'],
    [{ APP_CLI_KEY: 'abg_some-key', APP_CLI_URL: 'ftp://x' }, 'APP_CLI_URL'],
    [{ APP_CLI_KEY: 'abg_some-key', APP_PORT: 'x' }, 'APP_PORT'],
  ])('%j are refused with 2, and nothing is sent', async (settings, told) => {
    const { ran, requests } = place(settings);
    expect(await ran).toMatchObject({ code: 2, out: '' });
    expect((await ran).told).toContain(told);
    expect(requests).toEqual([]);
  });
});
