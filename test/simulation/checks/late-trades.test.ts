import { describe, expect, it } from 'vitest';
import type { BrokerFill } from '../../../sandbox/kernel/inspector.ts';
import type { LiveBroker, Sent } from '../traffic.ts';
import type { World } from '../world.ts';
import { isNeverRead, isUnread } from './late-trades.ts';

const at = (time: string): number => Date.parse(`2026-11-06T${time}+05:30`);
const FILLED = at('15:01:00');
const TOLD = at('15:01:03');

const trade = (changes: Partial<BrokerFill> = {}) => ({
  ...{ orderId: '261106000000001', instrument: 'NSE:INFY', at: FILLED },
  ...changes,
});

function read(time: string, url: string, changes: Partial<Sent['answer']> = {}): Sent {
  const sent = at(time);
  const broker: LiveBroker = url.includes('kite') ? 'alt' : 'primary';
  const reaction = { kind: 'answer', status: 200, headers: {}, body: '', delayMs: 30 } as const;
  return {
    ...{
      at: sent,
      broker,
      placing: false,
      wanted: null,
      life: 1,
      ofOtherUser: false,
      age: null,
      before: null,
      ...{ asking: null, hasChanged: false },
    },
    request: { method: 'GET', url, headers: {}, deadlineMs: 5_000, fresh: false },
    answer: { at: sent + 30, reaction, honest: true, ...changes },
  };
}

const world = (sent: readonly Sent[], inRow = false, of = trade()) =>
  ({
    ...{ sent: [...sent], crashes: [] },
    lateTrades: [{ brokerOrderId: of.orderId, at: of.at, inRow }],
  }) satisfies Pick<World, 'sent' | 'crashes' | 'lateTrades'>;

const KITE = 'http://kite.test';
const PRIMARY = 'http://primary.test';

describe('a trade that came after the end of its order could not be known', () => {
  it('while nothing was read since', () => {
    const before = read('15:00:59', `${KITE}/trades`);
    expect(isUnread(world([before]), trade(), TOLD)).toBe(true);
  });
  it('while reads failed, or their answers came too late', () => {
    const failed = read('15:01:01', `${KITE}/trades`, { honest: false });
    const late = read('15:01:02', `${KITE}/trades`, { at: TOLD });
    expect(isUnread(world([failed, late]), trade(), TOLD)).toBe(true);
  });
  it('while only the book was read, and its row does not show the trade', () => {
    const book = read('15:01:01', `${KITE}/orders`);
    expect(isUnread(world([book]), trade(), TOLD)).toBe(true);
    expect(isUnread(world([book], true), trade(), TOLD)).toBe(false);
  });
  it('while the process died before it could write down what it had read', () => {
    const lost = world([read('15:01:01', `${KITE}/trades`)]);
    const plan = { at: 0, point: 'before_commit', power: false, downMs: 300 } as const;
    const crashes = [{ at: at('15:01:01') + 50, plan }];
    expect(isUnread({ ...lost, crashes }, trade(), TOLD)).toBe(true);
  });
  it('while one of the lists of the primary brokerage failed', () => {
    const of = trade({ orderId: 'EQ-28131001' });
    const equity = read('15:01:01', `${PRIMARY}/trade-book?segment=EQUITY`);
    const other = (honest: boolean): Sent => ({
      ...read('15:01:01', `${PRIMARY}/trade-book?segment=DERIVATIVE`, { honest }),
      at: at('15:01:01') + 60,
    });
    expect(isUnread(world([equity, other(false)], false, of), of, TOLD)).toBe(true);
    expect(isUnread(world([other(true)], false, of), of, TOLD)).toBe(true);
    expect(isUnread(world([equity, other(true)], false, of), of, TOLD)).toBe(false);
  });
});

describe('a trade could be known', () => {
  it('once the trades of its broker were read', () => {
    const trades = read('15:01:01', `${KITE}/trades`);
    expect(isUnread(world([trades]), trade(), TOLD)).toBe(false);
    const elsewhere = read('15:01:01', `${PRIMARY}/trade-book?segment=EQUITY`);
    expect(isUnread(world([elsewhere]), trade(), TOLD)).toBe(true);
  });
  it('where it came before the end of its order, whatever was read', () => {
    expect(isUnread({ ...world([]), lateTrades: [] }, trade(), TOLD)).toBe(false);
  });
});

describe('a trade can never be known', () => {
  const late = trade({ at: Date.parse('2026-11-07T05:59:54+05:30') });
  const night = (time: string) => trade({ at: Date.parse(`2026-11-07T${time}+05:30`) });
  it('where it came after the last comparison of its day, and nothing was read until 06:00', () => {
    expect(isNeverRead(world([], false, late), late)).toBe(true);
  });
  it('but not where the trades were read after it', () => {
    const sent = { ...read('15:00:00', `${KITE}/trades`), at: late.at + 1_000 };
    const answer = { ...sent.answer!, at: late.at + 1_030 };
    expect(isNeverRead(world([{ ...sent, answer }], false, late), late)).toBe(false);
  });
  it('but not before that comparison, which has to find it', () => {
    for (const time of ['05:39:59', '01:00:00']) {
      expect(isNeverRead(world([], false, night(time)), night(time))).toBe(false);
    }
    expect(isNeverRead(world([]), trade())).toBe(false);
  });
});
