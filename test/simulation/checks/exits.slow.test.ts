import { beforeAll, describe, expect, it } from 'vitest';
import type { BrokerFill, BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import type { ExitRecord } from '../../../src/execution/exits/exit.ts';
import { planRichDay } from '../plan-rich.ts';
import { dayOf, playSeed } from '../run-seed.ts';
import type { World } from '../world.ts';
import type { Day } from './context.ts';
import { exitsKeepTheirPromises } from './exits.ts';

const MINUTE_MS = 60_000;

/** A day with ways out is played, and then told wrong in one point: each check has to notice its own. */
describe('each check of exits goes red', () => {
  const found = new Map<string, readonly string[]>();

  const withWorld = (day: Day, changes: Partial<World>): Day => ({
    ...day,
    world: { ...day.world, ...changes },
  });

  const withExit = (day: Day, id: string, changes: Partial<ExitRecord>): Day => {
    const exits = new Map(day.state.exits);
    exits.set(id, { ...exits.get(id)!, ...changes });
    return { ...day, state: { ...day.state, exits } };
  };

  const withFills = (day: Day, change: (fills: BrokerFill[]) => BrokerFill[]): Day => {
    const changed = <T extends BrokerInspector>(inspector: T): T => ({
      ...inspector,
      fills: () => change(inspector.fills()),
    });
    const { sandbox } = day.world;
    return withWorld(day, { sandbox: { ...sandbox, kite: changed(sandbox.kite) } });
  };

  beforeAll(async () => {
    await playSeed(planRichDay('15'), (played) => {
      const day = dayOf(played)!;
      const exits = [...day.state.exits.values()];
      const flat = exits.find(({ over, product }) => over?.end === 'flat' && product === 'CNC')!;
      const { exits: seen, sent } = day.world;
      const wanted = `${flat.caller}/${flat.id}#1`;
      const leg = sent.find((each) => each.placing && each.wanted === wanted)!;
      const two = [...flat.legs, { ...flat.legs[0]!, number: 2 }];
      const second = { ...leg, wanted: `${flat.caller}/${flat.id}#2` };
      const later = { ...seen.get(flat.id)!, overAt: leg.at + 10 * MINUTE_MS };
      const look = (name: string, each: Day): void => {
        const properties = exitsKeepTheirPromises(each).map(({ property }) => property);
        found.set(name, [...new Set(properties)]);
      };
      look('as it was', day);
      look(
        'the account held less than was sold',
        withWorld(day, { holdingsBefore: { alt: new Map(), primary: new Map() } }),
      );
      look(
        'one share is left',
        withFills(day, (fills) => {
          const { instrument } = flat;
          const bought = { instrument, product: 'delivery', side: 'BUY', quantity: 1 } as const;
          return [{ ...fills[0]!, ...bought, orderId: '?', at: 0 }, ...fills];
        }),
      );
      look('a second leg leaves before the end of the first', {
        ...withWorld(withExit(day, flat.id, { legs: two }), { sent: [...sent, second] }),
      });
      look(
        'a second leg follows one that was not answered',
        withWorld(withExit(day, flat.id, { legs: two }), {
          sent: [
            { ...leg, answer: null },
            { ...second, at: leg.at + MINUTE_MS },
          ],
          taken: [],
        }),
      );
      look('less was asked for', withExit(day, flat.id, { quantity: 1 }));
      look('it took long', withWorld(day, { exits: new Map(seen).set(flat.id, later) }));
      look('it has no end', withExit(day, flat.id, { over: null }));
      const over = { ...flat.over!, end: 'stopped', why: 'refused' } as const;
      look(
        'the kill switch refuses a leg',
        withExit(day, flat.id, { over: { ...over, detail: 'the kill switch is engaged' } }),
      );
      return Promise.resolve();
    });
  });

  it.each([
    ['as it was', []],
    ['the account held less than was sold', ['S23', 'S48', 'S24']],
    ['one share is left', ['S24']],
    ['a second leg leaves before the end of the first', ['S25']],
    ['a second leg follows one that was not answered', ['S48', 'S25']],
    ['less was asked for', ['S26']],
    ['it took long', ['L15']],
    ['it has no end', ['L15']],
    ['the kill switch refuses a leg', ['L16']],
  ])('%s', (name, properties) => {
    expect(found.get(name)).toEqual(properties);
  });
});
