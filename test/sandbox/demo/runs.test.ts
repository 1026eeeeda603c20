import { describe, expect, it } from 'vitest';
import type { RunRecord, Side } from '../../../sandbox/demo/run-record.ts';
import { createVirtualDemo } from './virtual-demo.ts';

const linesOf = ({ lines }: RunRecord, of: Side): readonly string[] =>
  lines.filter(({ side }) => side === of).map(({ kind, text }) => `${kind}: ${text}`);

describe('“Buy INFY”', () => {
  it('is on paper before a login, and says so', async () => {
    await using demo = await createVirtualDemo();
    const run = await demo.run('buy');
    expect(run).toMatchObject({ state: 'true', counts: { script: null, gateway: 0 } });
    expect(run.result).toContain('filled on paper, since nobody is logged in');
    expect(demo.rig.sandbox.kite.orders()).toEqual([]);
  });

  it('is one order in Kite’s book after it', async () => {
    await using demo = await createVirtualDemo();
    await demo.rig.logIn();
    const run = await demo.run('buy');
    expect(run).toMatchObject({ state: 'true', counts: { script: null, gateway: 1 } });
    expect(demo.rig.sandbox.kite.orders().map(({ quantity }) => quantity)).toEqual([10]);
  });

  it('that the gateway refuses fails with the gateway’s words, and counts nothing', async () => {
    await using demo = await createVirtualDemo();
    await demo.rig.post('/api/v1/kill-switch', { engaged: true, reason: 'drill' });
    const run = await demo.run('buy');
    expect(run).toMatchObject({ state: 'failed', counts: { script: null, gateway: null } });
    expect(run.result).toMatch(/the gateway answers 409: .*kill switch/i);
  });
});

describe('“Kite hangs after accepting”', () => {
  it('gives the naive script two orders and the gateway one, by Kite’s own book', async () => {
    await using demo = await createVirtualDemo();
    await demo.rig.logIn();
    const run = await demo.run('hang_after');
    expect(run).toMatchObject({ state: 'true', counts: { script: 2, gateway: 1 } });
    const { kite, faults } = demo.rig.sandbox;
    const agents = kite.orders().map(({ receipt }) => receipt?.headers['user-agent']);
    expect(agents.filter((agent) => agent === 'naive-script')).toHaveLength(2);
    expect(kite.orders()).toHaveLength(3);
    expect(faults.list()).toEqual([]);
    const script = linesOf(run, 'script').join('\n');
    expect(script).toMatch(/^sends: BUY 5 INFY to Kite\norder book: Kite accepts/);
    expect(script).toMatch(/is told: nothing within 3 s\nsends: the same order to Kite again/);
    const gateway = linesOf(run, 'gateway').join('\n');
    expect(gateway).toMatch(/is told: nothing within 3 s\nsends: the same request .* same key/);
    expect(gateway).toMatch(
      /is told: uncertain[\s\S]*is told: filled.*found in the order book by the tag/,
    );
    expect(gateway.match(/Kite accepts/g)).toHaveLength(1);
    expect(run.lines.every(({ at }) => /^2026-11-06T11:.*\.\d{3}\+05:30$/.test(at))).toBe(true);
  });

  it('says that it is not true of a gateway that sends under a second key', async () => {
    await using demo = await createVirtualDemo((calls) => ({
      ...calls,
      async place(order, key, signal) {
        void calls.place(order, `${key}-again`, new AbortController().signal);
        return calls.place(order, key, signal);
      },
    }));
    await demo.rig.logIn();
    const run = await demo.run('hang_after');
    expect(run).toMatchObject({ state: 'false' });
    expect(run.counts.gateway).toBeGreaterThan(1);
    expect(run.result).toMatch(/\d orders of the gateway\.$/);
  });

  it('leaves no fault behind where it comes to no count', async () => {
    await using demo = await createVirtualDemo((calls) => ({
      ...calls,
      place: () => Promise.reject(new Error('refused')),
    }));
    await demo.rig.logIn();
    expect(await demo.run('hang_after')).toMatchObject({ state: 'failed' });
    expect(demo.rig.sandbox.faults.list()).toEqual([]);
  });

  it('needs a login, says where, and sends nothing', async () => {
    await using demo = await createVirtualDemo();
    const run = await demo.run('hang_after');
    expect(run).toMatchObject({ state: 'failed', lines: [] });
    expect(run.result).toBe(
      'Nobody is logged in at Kite. Log in at http://127.0.0.1:8420/api/altbroker/login first.',
    );
    expect(demo.rig.sandbox.kite.orders()).toEqual([]);
  });
});

describe('“Kill the gateway”', () => {
  it('finds the order of the request that it is killed in, and those from before', async () => {
    await using demo = await createVirtualDemo();
    await demo.run('buy');
    await demo.rig.logIn();
    await demo.run('buy');
    const run = await demo.run('kill');
    expect(run).toMatchObject({ state: 'true', counts: { script: null, gateway: 1 } });
    expect(run.result).toContain('Of 2 orders from before it has lost 0');
    expect(linesOf(run, 'demo')).toEqual([
      'note: Before: the gateway knows 2 orders, at Kite and on paper.',
      'note: The gateway is killed with SIGKILL, before Kite’s answer reaches it.',
      'note: The gateway listens again.',
      'note: After: the gateway knows 3 orders.',
    ]);
    const gateway = linesOf(run, 'gateway').join('\n');
    expect(gateway).toMatch(/is told: nothing: the connection is lost/);
    expect(gateway).toMatch(/is told: filled: .*found in the order book by the tag/);
    expect(demo.rig.sandbox.kite.orders().map(({ quantity }) => quantity)).toEqual([10, 3]);
  });

  it('says that it is not true of a gateway that forgets an order', async () => {
    let reads = 0;
    await using demo = await createVirtualDemo((calls) => ({
      ...calls,
      async orders(broker) {
        const orders = await calls.orders(broker);
        return broker === 'paper' && (reads += 1) > 1 ? [] : orders;
      },
    }));
    await demo.run('buy');
    await demo.rig.logIn();
    const run = await demo.run('kill');
    expect(run).toMatchObject({ state: 'false' });
    expect(run.result).toContain('Of one order from before it has lost 1');
  });

  it('says that it is not true of a gateway that sends again after its start', async () => {
    await using demo = await createVirtualDemo((calls) => {
      let sent = 0;
      return {
        ...calls,
        place: (order, key, signal) => calls.place(order, `${key}-${(sent += 1)}`, signal),
      };
    });
    await demo.rig.logIn();
    const run = await demo.run('kill');
    expect(run).toMatchObject({ state: 'false', counts: { script: null, gateway: 2 } });
  });

  it('needs a login', async () => {
    await using demo = await createVirtualDemo();
    expect(await demo.run('kill')).toMatchObject({ state: 'failed', lines: [] });
  });
});

describe('runs', () => {
  it('come one at a time, and are numbered', async () => {
    await using demo = await createVirtualDemo();
    expect(demo.runs.newest()).toBeNull();
    expect(demo.runs.start('buy')).toMatchObject({ kind: 'started', record: { id: 1 } });
    expect(demo.runs.start('kill')).toMatchObject({ kind: 'busy', with: { id: 1, name: 'buy' } });
    await demo.rig.time.advance(10_000);
    expect(demo.runs.newest()).toMatchObject({ id: 1, state: 'true' });
    expect(await demo.run('buy')).toMatchObject({ id: 2 });
  });
});
