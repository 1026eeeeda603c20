import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, pinnedRig, place, RESTING, spoilPlacing } from './walk.ts';

/** The value of one series; undefined where there is none. */
async function figure(rig: Rig, series: string): Promise<number | undefined> {
  const reply = await rig.get('/metrics');
  if (reply.status !== 200) throw new Error(reply.text);
  const line = reply.text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('GET /metrics', () => {
  it('is text for Prometheus, and needs a key', async () => {
    await using rig = await pinnedRig();
    const reply = await rig.get('/metrics');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('text/plain; version=0.0.4');
    // Each line is a comment or a series with a number: what Prometheus reads.
    const lines = reply.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const odd = lines.filter((line) => !/^\w+(\{[^}]*\})? (-?[\d.e+-]+|\+Inf|NaN)$/.test(line));
    expect(odd).toEqual([]);
    const without = await rig.call({ path: '/metrics', headers: { authorization: '' } });
    expect(without.status).toBe(401);
  });

  it('counts requests by their route as declared, and never by what was requested', async () => {
    await using rig = await pinnedRig();
    await rig.get('/api/v1/orders/ord_secret');
    await rig.get('/no-such-path-secret');
    await rig.call({ method: 'PROPFIND', path: '/api/v1/orders' });
    const route = '/api/v1/orders/{id}';
    const series = `altbroker_http_request_seconds_count{method="GET",route="${route}",status="404"}`;
    expect(await figure(rig, series)).toBe(1);
    const { text } = await rig.get('/metrics');
    expect(text).toContain('{method="GET",route="(none)",status="404"} 1');
    expect(text).toContain('method="other"');
    expect(text).not.toMatch(/secret|PROPFIND/);
  });

  it('counts calls of brokers by their outcome', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after');
    await place(rig, RESTING, 'one');
    const placed =
      'altbroker_broker_call_seconds_count{broker="alt",kind="change",outcome="deadline"}';
    expect(await figure(rig, placed)).toBe(1);
    const read = 'altbroker_broker_call_seconds_count{broker="alt",kind="read",outcome="2xx"}';
    expect(await figure(rig, read)).toBeGreaterThan(0);
  });

  it('counts uncertain and disputed orders, and tells 0 where there are none', async () => {
    await using rig = await loggedInRig();
    const uncertain = 'altbroker_open_orders{broker="alt",mode="live",status="uncertain"}';
    const disputed = 'altbroker_open_orders{broker="alt",mode="live",status="disputed"}';
    expect([await figure(rig, uncertain), await figure(rig, disputed)]).toEqual([0, 0]);
    spoilPlacing(rig, 'hang_before');
    const { body } = await place(rig, BUY, 'one');
    expect(body.data.status).toBe('uncertain');
    expect([await figure(rig, uncertain), await figure(rig, disputed)]).toEqual([1, 0]);
  });

  it('measures the parts of an order', async () => {
    await using rig = await loggedInRig({ sandbox: { latencyMs: [40, 40] } });
    await place(rig, RESTING, 'one');
    const part = (name: string) => `altbroker_order_seconds_sum{broker="alt",part="${name}"}`;
    expect(await figure(rig, part('answered'))).toBeGreaterThanOrEqual(0.04);
    expect(await figure(rig, part('committed'))).toBeLessThan(0.04);
    expect(await figure(rig, part('sent'))).toBeDefined();
  });

  it('tells the limits, the waits for them, the token and the kill switch', async () => {
    await using rig = await pinnedRig();
    const token = 'altbroker_token_seconds_left{broker="alt"}';
    expect(await figure(rig, token)).toBe(0);
    await rig.logIn();
    // The login is at 11:00, and the token ends at 06:00.
    expect(await figure(rig, token)).toBeCloseTo(19 * 3_600, -2);
    const left = 'altbroker_limit_left{broker="alt",bucket="orders",window_seconds="1"}';
    const waits = 'altbroker_limit_waits_total{broker="alt",bucket="orders"}';
    const seconds = 'altbroker_limit_waited_seconds_total{broker="alt",bucket="orders"}';
    const before = await figure(rig, left);
    expect([before, await figure(rig, waits)]).toEqual([expect.any(Number), 0]);
    const keys = Array.from({ length: before! + 2 }, (_, index) => `key-${index}`);
    await rig.time.settle(
      Promise.all(
        keys.map((key) =>
          rig.begin({
            method: 'POST',
            path: '/api/v1/orders',
            json: RESTING,
            headers: { 'idempotency-key': key },
          }),
        ),
      ),
    );
    expect(await figure(rig, waits)).toBeGreaterThan(0);
    expect(await figure(rig, seconds)).toBeGreaterThan(0);
    const engaged = 'altbroker_kill_switch_engaged';
    expect(await figure(rig, engaged)).toBe(0);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    expect(await figure(rig, engaged)).toBe(1);
  });

  it('tells whether the gateway is ready, and its memory', async () => {
    await using rig = await pinnedRig();
    expect(await figure(rig, 'altbroker_ready')).toBe(1);
    expect(await figure(rig, 'altbroker_memory_bytes{kind="resident"}')).toBeGreaterThan(1e6);
    const started = await figure(rig, 'altbroker_start_time_seconds');
    expect(started).toBe(rig.time.now() / 1000);
  });
});

describe('each series of docs/operations.md', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Metrics\n');
  const [table = ''] = section.split('\n## ');
  const names = table
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([\w…]+)`/g)])
    .map(([, name = '']) => name.replace('…_waited', 'altbroker_limit_waited'));

  it('is served by a gateway that has placed an order', async () => {
    const ofProcess = {
      start: () => () => undefined,
      eventLoopDelay: () => ({ mean: 0.001, p99: 0.002, longest: 0.003 }),
      memory: () => ({ residentBytes: 1, heapBytes: 1 }),
    };
    await using rig = await loggedInRig({ overrides: { ofProcess } });
    await place(rig, BUY, 'one');
    await rig.time.advance(2_000);
    const { text } = await rig.get('/metrics');
    expect(names.length).toBeGreaterThan(12);
    const served = (name: string): boolean => new RegExp(`^${name}(_bucket)?[{ ]`, 'm').test(text);
    expect(names.filter((name) => !served(name))).toEqual([]);
    expect(text).toContain('altbroker_event_loop_delay_seconds{quantile="0.99"} 0.002');
  });
});
