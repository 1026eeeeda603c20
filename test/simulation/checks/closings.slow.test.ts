import { beforeAll, describe, expect, it } from 'vitest';
import type { BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import type { ClosingRecord } from '../../../src/execution/closings/closing.ts';
import { planRichDay } from '../plan-rich.ts';
import { dayOf, playSeed } from '../run-seed.ts';
import type { SeenClosing } from '../seen-exit.ts';
import type { LiveBroker } from '../traffic.ts';
import { cancelAllsAreTrue } from './cancel-alls.ts';
import { closingsKeepTheirPromises } from './closings.ts';
import type { Day } from './context.ts';

const HOUR_MS = 3_600_000;
/** On a machine that does much else at once. */
const TWO_DAYS_MS = 120_000;

/** Days with a closing and a cancel of many orders are played, and then told wrong in one point. */
describe('each check of closings, and of cancels of many orders, goes red', () => {
  const found = new Map<string, readonly string[]>();

  function look(name: string, day: Day): void {
    const violations = [...closingsKeepTheirPromises(day), ...cancelAllsAreTrue(day)];
    found.set(name, [...new Set(violations.map(({ property }) => property))]);
  }

  function withClosing(
    day: Day,
    seen: SeenClosing,
    changes: Partial<ClosingRecord>,
    times: Partial<SeenClosing> = {},
  ): Day {
    const closings = new Map(day.world.closings);
    closings.set(seen.record.id, { ...seen, ...times, record: { ...seen.record, ...changes } });
    return { ...day, world: { ...day.world, closings } };
  }

  /** As if the account had stayed short of an option since the beginning. */
  function withShort(day: Day, broker: LiveBroker): Day {
    const changed = <T extends BrokerInspector>(inspector: T): T => {
      const [fill] = inspector.fills();
      const short = { instrument: 'NFO:NIFTY26NOV24000CE', side: 'SELL', quantity: 65 } as const;
      return {
        ...inspector,
        fills: () =>
          fill ? [{ ...fill, ...short, product: 'carry', at: 0 }, ...inspector.fills()] : [],
      };
    };
    const { sandbox } = day.world;
    const { kite, primary } = sandbox;
    const world = {
      ...day.world,
      sandbox: {
        ...sandbox,
        kite: broker === 'alt' ? changed(kite) : kite,
        primary: broker === 'alt' ? primary : changed(primary),
      },
    };
    return { ...day, world };
  }

  beforeAll(async () => {
    await playSeed(planRichDay('72'), (played) => {
      const day = dayOf(played)!;
      const seen = [...day.world.closings.values()].find(({ record }) =>
        record.positions.some(
          ({ net, exitId, instrument }) =>
            net > 0 && exitId !== null && instrument.startsWith('NFO'),
        ),
      )!;
      const { positions } = seen.record;
      look('as it was', day);
      look('an option stays short', withShort(day, positions[0]!.broker as LiveBroker));
      look('no position is in it', withClosing(day, seen, { positions: [] }));
      look('it has no end', withClosing(day, seen, { over: null }));
      look('it took an hour', withClosing(day, seen, {}, { overAt: seen.begunAt + HOUR_MS }));
      const kept = positions.map((each) => ({ ...each, status: 'kept' as const }));
      const over = { ...seen.record.over!, end: 'flat' as const };
      look('it is flat with what was kept', withClosing(day, seen, { over, positions: kept }));
      return Promise.resolve();
    });
    await playSeed(planRichDay('16'), (played) => {
      const day = dayOf(played)!;
      const { cancelAlls } = day.world.asked;
      const withAnswers = (change: (each: (typeof cancelAlls)[number]) => typeof each): Day => ({
        ...day,
        world: {
          ...day.world,
          asked: { ...day.world.asked, cancelAlls: cancelAlls.map(change) },
        },
      });
      look('cancels as they were', day);
      look(
        'each order was cancelled when it was asked for',
        withAnswers((each) => {
          const orders = each.answer.orders.map(({ order }) => ({
            order,
            result: 'cancelled' as const,
          }));
          return { ...each, answeredAt: each.at, answer: { ...each.answer, orders } };
        }),
      );
      look(
        'an answer has nothing',
        withAnswers((each) => ({
          ...each,
          isFirst: true,
          answer: { orders: [], errors: [], settled: true },
        })),
      );
      look(
        'an answer came after an hour',
        withAnswers((each) => ({ ...each, answeredAt: each.at + HOUR_MS })),
      );
      return Promise.resolve();
    });
  }, TWO_DAYS_MS);

  it.each([
    ['as it was', []],
    ['an option stays short', ['S27', 'S28']],
    ['no position is in it', ['S28']],
    ['it has no end', ['L17']],
    ['it took an hour', ['L17']],
    ['it is flat with what was kept', ['S28']],
    ['cancels as they were', []],
    ['each order was cancelled when it was asked for', ['S29']],
    ['an answer has nothing', ['S29']],
    ['an answer came after an hour', ['L17']],
  ])('%s', (name, properties) => {
    expect(found.get(name)).toEqual(properties);
  });
});
