import { describe, expect, it } from 'vitest';
import { COLLECT_MS } from '../../src/telegram/order-lines.ts';
import { holding, linesBench } from './order-lines-bench.ts';

const WAIT_MS = COLLECT_MS + 1_000;

describe('a line of an order in the chat', () => {
  it('tells of a fill: price, amount and what remains, with the time in IST', async () => {
    const { time, messenger, filled, start } = linesBench();
    await start();
    await filled(40_000, 1479.9, holding(40_000, 1479.9, { quantity: 125_000 }));
    await time.advance(WAIT_MS);
    expect(messenger.texts).toEqual([
      '11:00:00 LIVE Filled 40,000 of 1,25,000 at ₹1,479.90 on average (₹5,91,96,000.00), 85,000 remain: ' +
        'BUY 125000 NSE:INFY LIMIT ₹1,500.00 at alt',
    ]);
  });

  it('is one for many fills of an order, and another one for later fills', async () => {
    const { time, messenger, filled, start } = linesBench();
    await start();
    await filled(2, 1499, holding(2, 1499));
    await time.advance(1_000);
    await filled(3, 1500, holding(5, 1499.6));
    await filled(1, 1500, holding(6, 1499.6667));
    await time.advance(WAIT_MS);
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toMatch(
      /Filled 6 of 10 at ₹1,499\.6667 on average in 3 fills \(₹8,998\.00\), 4 remain: /,
    );
    await filled(4, 1500, holding(10, 1499.8));
    await time.advance(2 * WAIT_MS);
    expect(messenger.texts).toHaveLength(2);
    expect(messenger.texts[1]).toMatch(/LIVE Filled 10 of 10 at ₹1,499\.80 on average \(₹14,998/);
  });

  it('begins with PAPER for an order of the paper account, and with LIVE for one at a broker', async () => {
    const { time, messenger, filled, start } = linesBench();
    await start();
    await filled(10, 1500, holding(10, 1500, { id: 'ord_1' }));
    await filled(10, 1500, holding(10, 1500, { id: 'ord_2', mode: 'paper', broker: 'paper' }));
    await time.advance(WAIT_MS);
    const lines = messenger.texts.join().split('\n\n');
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['LIVE', 'PAPER']);
    expect(lines[1]).toContain('at paper (paper)');
  });

  it.each([
    ['strat-1', ' by strat-1', ''],
    [null, ' by the gateway', ''],
    [undefined, '', '\\. the broker says CANCELLED'],
  ])('tells who cancelled, or what the broker says: %s', async (by, said, why) => {
    const { time, messenger, attempt, updated, start } = linesBench();
    await start();
    await attempt({ by });
    await time.advance(30_000);
    await updated({ status: 'cancelled', filledQuantity: 0, reason: 'the broker says CANCELLED' });
    await time.advance(WAIT_MS);
    expect(messenger.texts).toEqual([
      expect.stringMatching(
        new RegExp(`LIVE Cancelled${said}, nothing filled: BUY 10 .* at alt${why}$`),
      ),
    ]);
  });

  it('names nobody whose cancel was refused, and tells what had filled', async () => {
    const { time, messenger, attempt, updated, start } = linesBench();
    await start();
    await attempt({ by: 'strat-1', outcome: 'refused' });
    await updated(holding(4, 1500, { status: 'partial' }));
    await time.advance(WAIT_MS);
    expect(messenger.texts[0]).toContain('LIVE Cancelled, 4 of 10 at ₹1,500.00 on average');
  });

  it('tells of a rejection once: not where an alert does', async () => {
    const { time, messenger, updated, happen, start } = linesBench();
    await start();
    const rejected = { status: 'rejected', brokerOrderId: null } as const;
    await updated({ ...rejected, id: 'ord_1', reason: 'price is not a multiple of the tick' });
    await time.advance(1);
    await updated({ ...rejected, id: 'ord_2', reason: 'margin' });
    await happen('alert', 'ord_2', { level: 'warning', message: 'ord_2 was refused: margin' });
    await time.advance(1);
    await updated({ status: 'rejected', id: 'ord_3', reason: 'RMS' });
    await updated({ status: 'rejected', id: 'ord_4', reason: 'cash', mode: 'paper' });
    await updated({ status: 'not_sent', id: 'ord_5', reason: 'no connection' });
    await updated({ status: 'disputed', id: 'ord_6', reason: 'two rows' });
    await time.advance(WAIT_MS);
    expect(messenger.texts.join().split('\n\n')).toEqual([
      expect.stringMatching(/LIVE Rejected: .*\. price is not a multiple of the tick$/),
      expect.stringMatching(/PAPER Rejected: .*\. cash$/),
      expect.stringMatching(/LIVE Never sent: .*\. no connection$/),
    ]);
  });

  it('is of a sliced order, and not of its slices', async () => {
    const { time, messenger, filled, updated, start } = linesBench();
    await start();
    const slice = (id: string) => holding(5, 1500, { id, parentId: 'ord_1', quantity: 5 });
    await filled(5, 1500, slice('ord_s1'));
    await updated(holding(5, 1500));
    await filled(5, 1501, slice('ord_s2'));
    await updated(holding(10, 1500.5));
    await time.advance(WAIT_MS);
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toMatch(/Filled 10 of 10 at ₹1,500\.50 on average in 2 fills/);
  });

  it('is none for a sliced order whose slices were rejected with alerts', async () => {
    const { time, messenger, updated, start } = linesBench();
    await start();
    await updated({ status: 'rejected', id: 'ord_s1', parentId: 'ord_1' });
    await updated({ status: 'rejected', brokerOrderId: null });
    await time.advance(WAIT_MS);
    expect(messenger.texts).toEqual([]);
  });

  it('is none for what does not change fills or end an order, nor for the same end again', async () => {
    const { time, messenger, updated, filled, happen, start } = linesBench();
    await start();
    await updated({ status: 'sending' });
    await updated({ status: 'working' });
    await happen('postback.received', 'ord_1', {});
    await time.advance(WAIT_MS);
    expect(messenger.texts).toEqual([]);
    await filled(10, 1500, holding(10, 1500));
    await time.advance(2 * WAIT_MS);
    await updated(holding(10, 1500, { exchangeOrderId: '11' }));
    await time.advance(WAIT_MS);
    await filled(10, 1500, holding(10, 1500, { id: 'ord_2', status: 'working' }));
    await time.advance(2 * WAIT_MS);
    await updated(holding(10, 1500, { id: 'ord_2' }));
    await time.advance(WAIT_MS);
    expect(messenger.texts).toHaveLength(2);
  });

  it('says that a price is an estimate, and what is not known', async () => {
    const { time, messenger, filled, start } = linesBench();
    await start();
    await filled(4, 1500, holding(4, 1500, { fillPriceSource: 'estimate' }));
    await filled(4, 1500, { id: 'ord_2', filledQuantity: null, remainingQuantity: null });
    await time.advance(WAIT_MS);
    expect(messenger.texts[0]).toContain('at about ₹1,500.00 on average (about ₹6,000.00)');
    expect(messenger.texts[0]).toContain(
      'Filled at least 4 of 10, how much in all is not known, what remains is not known: BUY',
    );
  });

  it('says that an event cannot be read, and those after it are told', async () => {
    const { time, messenger, happen, filled, start } = linesBench();
    await start();
    await happen('order.fill', 'ord_9', { order: { status: 'working' } });
    await filled(10, 1500, holding(10, 1500));
    await time.advance(WAIT_MS);
    expect(messenger.texts[0]).toContain('Order ord_9 has changed');
    expect(messenger.texts[0]).toContain('Filled 10 of 10');
  });
});
