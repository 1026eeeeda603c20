import { describe, expect, it } from 'vitest';
import type { EventType, GatewayEvent, StoredEvent } from '../../src/events/event-log.ts';
import { createLog, createPino } from '../../src/platform/log.ts';
import { openAlertFile } from '../../src/telegram/alert-file.ts';
import { createAlerts } from '../../src/telegram/alerts.ts';
import { order } from '../routes/support/samples.ts';
import { AWAY, fakeMessenger } from '../support/fake-messenger.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

const PATH = 'data/alerts.json';

function alertsBench() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const files = memoryFiles();
  const messenger = fakeMessenger();
  const lines: string[] = [];
  const log = createLog(createPino('debug', { write: (line: string) => void lines.push(line) }));
  const kept: StoredEvent[] = [];
  const listeners = new Set<() => void>();
  let broken = false;
  const events = {
    async eventsAfter(sequence: number, limit: number) {
      if (broken) throw new Error('disk I/O error');
      return kept.filter((event) => event.sequence > sequence).slice(0, limit);
    },
    lastEvent: async () => kept.at(-1)?.sequence ?? 0,
    epochOf: async (sequence: number) => kept.find((each) => each.sequence === sequence)?.epoch,
    onAppended(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    time,
    files,
    messenger,
    lines,
    kept,
    breakReads: (value: boolean) => void (broken = value),
    happen(type: EventType, data: GatewayEvent['data'], orderId: string | null = null): void {
      const sequence = kept.length + 1;
      kept.push({ sequence, at: time.now(), type, orderId, data, epoch: 'a' });
      for (const listener of listeners) listener();
    },
    alert(message: string): void {
      this.happen('alert', { level: 'critical', message });
    },
    uncertain(): void {
      this.happen('order.updated', { order: order({ status: 'uncertain' }) }, 'ord_1');
    },
    async start() {
      const file = openAlertFile({ files, log, path: PATH });
      const alerts = createAlerts({ events, messenger, file, clock: time, scheduler: time, log });
      await time.advance(0);
      return alerts;
    },
    async stop(alerts: AsyncDisposable) {
      await time.settle(Promise.resolve(alerts[Symbol.asyncDispose]()));
    },
  };
}

describe('alerts', () => {
  it('are sent within a second, with their time in IST and their level', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.alert('something is odd');
    await bench.time.advance(1_000);
    expect(bench.messenger.texts).toEqual(['11:00:00 CRITICAL. something is odd']);
  });

  it('of the same moment are one message', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.alert('first');
    bench.alert('second');
    await bench.time.advance(1_000);
    expect(bench.messenger.texts).toHaveLength(1);
    expect(bench.messenger.texts[0]).toMatch(/first\n\n.*second/);
  });

  it('begin with events after the first start', async () => {
    const bench = alertsBench();
    bench.alert('last month');
    await bench.start();
    bench.alert('today');
    await bench.time.advance(1_000);
    expect(bench.messenger.texts.join()).not.toContain('last month');
    expect(bench.messenger.texts.join()).toContain('today');
  });

  it('are kept in order while Telegram is away, and sent once when it is back', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.messenger.always = AWAY;
    for (let number = 0; number < 500; number += 1) {
      bench.alert(`number ${number};`);
      await bench.time.advance(1_000);
    }
    expect(bench.messenger.texts).toEqual([]);
    bench.messenger.always = null;
    await bench.time.advance(120_000);
    const told = [...bench.messenger.texts.join('\n').matchAll(/number (\d+);/g)];
    expect(told.map(([, number]) => Number(number))).toEqual([...Array(500).keys()]);
  });

  it('wait as long as Telegram asks, and twice as long each time when it does not say', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.messenger.script.push({ ...AWAY, retryAfterMs: 30_000 });
    bench.alert('x');
    await bench.time.advance(500 + 29_999);
    expect(bench.messenger.tries).toBe(1);
    await bench.time.advance(1);
    expect(bench.messenger.texts).toHaveLength(1);
    bench.messenger.always = AWAY;
    bench.alert('y');
    await bench.time.advance(500 + 3_600_000);
    // 1, 2, 4, … seconds, then each minute.
    expect(bench.messenger.tries).toBeGreaterThan(50);
    expect(bench.messenger.tries).toBeLessThan(75);
  });

  it('are neither lost nor repeated by a restart', async () => {
    const bench = alertsBench();
    const first = await bench.start();
    bench.alert('told');
    await bench.time.advance(1_000);
    bench.messenger.always = AWAY;
    bench.alert('not yet told');
    await bench.time.advance(1_000);
    await bench.stop(first);
    bench.alert('while it was down');
    bench.messenger.always = null;
    await bench.start();
    await bench.time.advance(1_000);
    expect(bench.messenger.texts).toHaveLength(2);
    expect(bench.messenger.texts[1]).toMatch(/not yet told\n\n.*while it was down/);
  });

  it('are not lost when the process is killed before the first one is sent', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.messenger.always = AWAY;
    bench.alert('at the worst moment');
    await bench.time.advance(1_000);
    // No dispose: the process is killed, and its retries end with it.
    bench.messenger.always = null;
    const other = alertsBench();
    other.kept.push(...bench.kept);
    for (const [path, text] of bench.files.contents) other.files.contents.set(path, text);
    await other.start();
    await other.time.advance(1_000);
    expect(other.messenger.texts.join()).toContain('at the worst moment');
  });

  it('that were sent are not repeated after a kill', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.alert('told');
    await bench.time.advance(1_000);
    const other = alertsBench();
    other.kept.push(...bench.kept);
    for (const [path, text] of bench.files.contents) other.files.contents.set(path, text);
    await other.start();
    await other.time.advance(1_000);
    expect([bench.messenger.texts.length, other.messenger.texts]).toEqual([1, []]);
  });

  it('of a new journal beside an old file are all sent', async () => {
    const bench = alertsBench();
    bench.files.contents.set(PATH, '{"version":1,"after":900,"open":[],"told":[]}');
    bench.alert('first of a new journal');
    await bench.start();
    await bench.time.advance(1_000);
    expect(bench.messenger.texts.join()).toContain('first of a new journal');
  });

  it('of another journal are all sent, also where that has more events than the old one had', async () => {
    const bench = alertsBench();
    bench.files.contents.set(PATH, '{"version":1,"after":1,"epoch":"b","open":[],"told":[]}');
    bench.alert('first of another journal');
    bench.alert('second of another journal');
    await bench.start();
    await bench.time.advance(1_000);
    expect(bench.messenger.texts.join()).toContain('first of another journal');
  });

  it('of one commit are told once, also where a batch ends in the middle of it', async () => {
    const bench = alertsBench();
    bench.files.contents.set(PATH, '{"version":1,"after":0,"open":[],"told":[]}');
    for (let count = 1; count < 200; count += 1) bench.happen('postback.received', {});
    await bench.time.advance(1_000);
    bench.happen('order.updated', { order: order({ status: 'disputed' }) }, 'ord_1');
    bench.happen('alert', { level: 'critical', message: 'order ord_1 is disputed' }, 'ord_1');
    await bench.start();
    await bench.time.advance(2_000);
    expect(bench.messenger.texts).toHaveLength(1);
    expect(bench.messenger.texts.join().match(/disputed/gi)).toHaveLength(1);
  });

  it('are kept and sent again when Telegram refuses them, which is logged', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.messenger.script.push({ kind: 'refused', reason: 'HTTP 403: blocked' });
    bench.alert('x');
    await bench.time.advance(60_000);
    expect(bench.messenger.tries).toBe(1);
    expect(bench.lines.join()).toContain('HTTP 403: blocked');
    await bench.time.advance(300_000);
    expect(bench.messenger.texts).toHaveLength(1);
  });

  it('continue when events could not be read for a while', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.breakReads(true);
    bench.alert('x');
    await bench.time.advance(1_000);
    bench.breakReads(false);
    await bench.time.advance(10_000);
    expect(bench.messenger.texts).toHaveLength(1);
    expect(bench.lines.join()).toContain('disk I/O error');
  });

  it('of an open outcome come after 15 seconds, and not when it is settled sooner', async () => {
    const bench = alertsBench();
    await bench.start();
    bench.uncertain();
    await bench.time.advance(14_900);
    expect(bench.messenger.texts).toEqual([]);
    await bench.time.advance(200);
    expect(bench.messenger.texts[0]).toContain('Not known whether the broker has it');

    bench.happen('order.updated', { order: order({ status: 'working' }) }, 'ord_1');
    await bench.time.advance(1_000);
    bench.uncertain();
    await bench.time.advance(3_000);
    bench.happen('order.updated', { order: order({ status: 'working' }) }, 'ord_1');
    await bench.time.advance(60_000);
    expect(bench.messenger.texts).toHaveLength(2);
    expect(bench.messenger.texts[1]).toContain('No longer open');
  });

  it('of an open outcome come after a restart in between', async () => {
    const bench = alertsBench();
    const first = await bench.start();
    bench.uncertain();
    await bench.time.advance(5_000);
    await bench.stop(first);
    await bench.time.advance(20_000);
    await bench.start();
    expect(bench.messenger.texts).toHaveLength(1);
  });

  it('stop at once, also while Telegram is away, and leave no timer', async () => {
    const bench = alertsBench();
    const alerts = await bench.start();
    bench.uncertain();
    await bench.time.advance(1_000);
    bench.messenger.script.push('hang');
    bench.alert('x');
    await bench.time.advance(1_000);
    await bench.stop(alerts);
    expect(bench.time.pending).toBe(0);
  });
});
