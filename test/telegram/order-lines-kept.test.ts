import { describe, expect, it } from 'vitest';
import { COLLECT_MS, MOST_LINES } from '../../src/telegram/order-lines.ts';
import { AWAY } from '../support/fake-messenger.ts';
import { holding, linesBench, PATH } from './order-lines-bench.ts';

const WAIT_MS = COLLECT_MS + 1_000;
const full = (id: string) => holding(10, 1500, { id });

describe('lines of orders', () => {
  it('begin with what happens after the first start', async () => {
    const { time, messenger, filled, start } = linesBench();
    await filled(10, 1500, full('ord_old'));
    await start();
    await filled(10, 1500, full('ord_new'));
    await time.advance(WAIT_MS);
    expect(messenger.texts).toHaveLength(1);
  });

  it('are neither lost nor repeated by a restart', async () => {
    const { time, messenger, filled, start, stop } = linesBench();
    const first = await start();
    await filled(4, 1500, holding(4, 1500));
    await time.advance(WAIT_MS);
    messenger.always = AWAY;
    await filled(2, 1500, holding(6, 1500));
    await time.advance(WAIT_MS);
    await stop(first);
    await filled(4, 1500, holding(10, 1500));
    messenger.always = null;
    await start();
    await time.advance(WAIT_MS);
    expect(messenger.texts).toHaveLength(2);
    expect(messenger.texts[1]).toMatch(/Filled 10 of 10 .* in 2 fills/);
  });

  it('that were sent are not repeated after a kill, and those that were not come', async () => {
    const { time, messenger, filled, start, kill } = linesBench();
    let lines = await start();
    await filled(10, 1500, full('ord_1'));
    await time.advance(WAIT_MS);
    messenger.always = AWAY;
    await filled(10, 1500, full('ord_2'));
    await time.advance(WAIT_MS);
    await kill(lines);
    messenger.always = null;
    lines = await start();
    await time.advance(WAIT_MS);
    expect(messenger.texts).toHaveLength(2);
    await kill(lines);
    await start();
    await time.advance(WAIT_MS);
    expect(messenger.texts).toHaveLength(2);
  });

  it('of which a kill left half unsent are not repeated, also not once the order changes', async () => {
    const { time, messenger, filled, updated, start, kill } = linesBench();
    const lines = await start();
    const ids = Array.from({ length: 30 }, (_, place) => `ord_${place}`);
    const reason = 'x'.repeat(200);
    for (const id of ids) {
      await updated({ id, status: 'working' });
      await updated({ ...full(id), status: 'partial', reason });
      await filled(10, 1500, { ...full(id), status: 'partial', reason });
    }
    await time.advance(COLLECT_MS);
    expect(messenger.texts).toHaveLength(1);
    await kill(lines);
    await start();
    await time.advance(10 * WAIT_MS);
    const said = messenger.texts.join('\n\n').split('\n\n');
    expect(said).toHaveLength(30);
    expect(messenger.texts.every((text) => text.length <= 3_500)).toBe(true);
  });

  it('are one summary where more wait than a reader reads, as after a long outage of Telegram', async () => {
    const { time, messenger, filled, updated, start } = linesBench();
    await start();
    messenger.always = AWAY;
    for (let number = 0; number < 200; number += 1) {
      const sell = number % 4 === 0 ? ({ side: 'SELL' } as const) : {};
      const paper = number % 2 === 0 ? ({ mode: 'paper', broker: 'paper' } as const) : {};
      await filled(10, 1500, { ...full(`ord_${number}`), ...sell, ...paper });
      await time.advance(60_000);
    }
    await updated({ id: 'ord_c', status: 'cancelled' });
    expect(messenger.texts).toEqual([]);
    messenger.always = null;
    await time.advance(70_000);
    expect(messenger.texts).toEqual([
      'News of 201 orders from Fri 6 Nov, 11:00 IST to Fri 6 Nov, 14:20 IST, too many for a line each:\n' +
        'LIVE: 100 filled, 1 cancelled; bought for ₹15,00,000.00, sold for ₹0.00\n' +
        'PAPER: 100 filled; bought for ₹7,50,000.00, sold for ₹7,50,000.00\n' +
        'GET /api/v1/orders has each of today.',
    ]);
    await filled(10, 1500, full('ord_next'));
    await time.advance(WAIT_MS);
    expect(messenger.texts[1]).toContain('Filled 10 of 10');
  });

  it('are a line each as long as they are few, with the times at which they happened', async () => {
    const { time, messenger, filled, start } = linesBench();
    await start();
    messenger.always = AWAY;
    for (let number = 0; number < MOST_LINES; number += 1) {
      await filled(10, 1500, full(`ord_${number}`));
      await time.advance(1_000);
    }
    await time.advance(3_600_000);
    time.stepWall(86_400_000);
    messenger.always = null;
    await time.advance(100_000);
    const said = messenger.texts.join('\n\n').split('\n\n');
    expect(said).toHaveLength(MOST_LINES);
    expect(said[0]).toMatch(/^Fri 6 Nov, 11:00 IST LIVE Filled/);
  });

  it('are at most fifteen messages a minute', async () => {
    const { time, messenger, filled, start } = linesBench();
    await start();
    for (let number = 0; number < 600; number += 1) {
      await filled(1, 1500, full(`ord_${number}`));
      await time.advance(100);
    }
    expect(messenger.tries).toBeLessThanOrEqual(15);
  });

  it('wait as long as Telegram asks, and five minutes where it refuses', async () => {
    const { time, messenger, filled, logged, start } = linesBench();
    await start();
    messenger.script.push({ ...AWAY, retryAfterMs: 30_000 });
    messenger.script.push({ kind: 'refused', reason: 'HTTP 403: blocked' });
    await filled(10, 1500, full('ord_1'));
    await time.advance(COLLECT_MS + 29_999);
    expect(messenger.tries).toBe(1);
    await time.advance(1);
    expect(messenger.tries).toBe(2);
    await time.advance(299_000);
    expect(messenger.tries).toBe(2);
    await time.advance(2_000);
    expect(messenger.texts).toHaveLength(1);
    expect(logged.join()).toContain('HTTP 403: blocked');
  });

  it('are those that are newer than what was told where a backup was put back', async () => {
    const lost = linesBench();
    await lost.filled(10, 1500, full('ord_0'));
    await lost.start();
    await lost.filled(10, 1500, full('ord_1'));
    await lost.time.advance(WAIT_MS);
    const backup = linesBench({ epoch: 'b' });
    await backup.filled(10, 1500, full('ord_0'));
    await backup.time.advance(60_000);
    await backup.filled(10, 1500, full('ord_2'));
    const kept = lost.files.contents.get(PATH) ?? expect.fail();
    backup.files.contents.set(PATH, kept);
    await backup.start();
    await backup.time.advance(WAIT_MS);
    expect(backup.messenger.texts).toHaveLength(1);
    expect(backup.messenger.texts[0]).toMatch(/^11:01:00 LIVE Filled/);
  });

  it('go on after events could not be read', async () => {
    const { time, messenger, filled, events, start } = linesBench();
    const { feed } = events;
    const { page } = feed;
    await start();
    Object.assign(feed, { page: () => Promise.reject(new Error('disk I/O error')) });
    await filled(10, 1500, full('ord_1'));
    await time.advance(WAIT_MS);
    Object.assign(feed, { page });
    await time.advance(70_000);
    expect(messenger.texts).toHaveLength(1);
  });

  it('stop at once, also while Telegram hangs, and leave no timer', async () => {
    const { time, messenger, filled, start, stop } = linesBench();
    const lines = await start();
    messenger.script.push('hang');
    await filled(10, 1500, full('ord_1'));
    await time.advance(WAIT_MS);
    await stop(lines);
    expect(time.pending).toBe(0);
  });
});
