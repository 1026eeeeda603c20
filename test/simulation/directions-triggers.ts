import type { Dice } from './dice.ts';
import {
  brokerOf,
  type Direction,
  type Directions,
  everySeconds,
  MINUTE_MS,
} from './directions.ts';
import type { TriggerDirectedDay } from './directed-days.ts';
import type { PlannedCancelAll } from './planned-closing.ts';
import type { PlannedExit } from './planned-exit.ts';
import type { PlannedTriggers } from './planned-triggers.ts';

const ALL_DAY = ['15:00:00', '15:25:00'] as const;
const path = '/gtt/triggers';
const placing = { method: 'POST', path };
const deleting = { method: 'DELETE', path };
const changing = { method: 'PUT', path };
const listing = { method: 'GET', path };

const triggers = (more: Partial<PlannedTriggers> = {}): PlannedTriggers => ({
  ...{ each: 12, races: 0, near: 0, cleared: 0.8, forgets: false, acts: [] },
  ...more,
});

/** Of the placings of each minute and a half, two answers are lost; one in four has not left. */
const lostPlacings = (rule: ReturnType<typeof brokerOf>['rule']) =>
  everySeconds('15:01:30', 16, 85).map((from, index) =>
    rule(
      (['reset_before', 'hang_after', 'reset_after', 'hang_after'] as const)[index % 4] ??
        'hang_after',
      placing,
      ALL_DAY,
      { from, until: from + 80_000, times: 2 },
    ),
  );

/**
 * Directed days about triggers, all but one at the alternative broker. `triggers_lost`: answers to placings are lost, rows
 * are late, and the process ends in the middle. `triggers_deleted`: the same of deletions and changes, and some are
 * reached just before these arrive. `triggers_reached`: most are reached soon, and people place and delete some.
 * `triggers_exits`: exits of shares for which triggers wait, under the kill switch now and then. `triggers_full_disk`: the disk is full more often than
 * not, and each time the first deletion is lost; nobody deletes what waits in the end. `triggers_cancelled`: people and a program cancel all
 * orders with their triggers, deletions are lost, and people place others in the broker's app. `triggers_unlisted`: deletions do
 * not arrive, and for twenty seconds after each no list can be read.
 * `triggers_mine`: most are reached, their orders rest, their keys ask for what is theirs and cancel it, and now and then no
 * list of triggers can be read.
 * `triggers_in_app`: answers to placings are lost, and people change what was placed in the broker's app before a list
 * has shown it. `triggers_misnamed`: answers are lost, people say which ones were never placed, programs place the same
 * anew, and people take that for the first one.
 * `triggers_as_stops`: at the primary brokerage, where they are stop orders: half of them are reached soon, and some
 * answers are lost.
 */
export const DIRECTIONS_ABOUT_TRIGGERS: Directions<TriggerDirectedDay> = {
  triggers_lost: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const lost = everySeconds('15:01:00', 10, 120).map((from, index) =>
      rule(dice.pick(['hang_after', 'reset_after', 'cut_after'] as const), placing, ALL_DAY, {
        ...{ from, until: from + MINUTE_MS, times: 1 + (index % 2) },
      }),
    );
    const late = everySeconds('15:01:00', 10, 120).map((from, index) =>
      rule('late_rows', placing, ALL_DAY, {
        ...{ from, until: from + MINUTE_MS, times: 1 },
        params: { delayMs: [4_000, 100_000, 30_000, 240_000][index % 4] ?? 4_000 },
      }),
    );
    const crashes = everySeconds('15:04:30', 4, 240).map((at, index) => ({
      ...{ at, point: (['after_send', 'before_send'] as const)[index % 2] ?? 'after_send' },
      ...{ power: index % 2 === 0, downMs: 2_000 },
    }));
    const acts = everySeconds('15:03:10', 4, 270).map((at) => ({
      ...({ kind: 'hand_place', twin: true } as const),
      at,
    }));
    return {
      ...{ tradingRoute: route, faults: [...lost, ...late], crashes, ordersEach: 2 },
      triggers: triggers({ acts }),
    };
  },
  triggers_deleted: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const kinds = ['hang_after', 'reset_before', 'reset_after', 'hang_before'] as const;
    const faults = everySeconds('15:02:00', 12, 100).map((from, index) =>
      rule(kinds[index % 4] ?? 'hang_after', index % 3 === 2 ? changing : deleting, ALL_DAY, {
        ...{ from, until: from + 100_000, times: dice.whole(1, 2) },
      }),
    );
    const crashes = everySeconds('15:06:00', 3, 300).map((at, index) => ({
      ...{ at, point: 'after_send' as const, power: index === 1, downMs: 2_000 },
    }));
    return {
      ...{ tradingRoute: route, faults, crashes, ordersEach: 2 },
      triggers: triggers({ races: 0.1, forgets: dice.chance(0.5) }),
    };
  },
  triggers_reached: (dice: Dice): Direction => {
    const { route } = brokerOf('alt');
    const acts = everySeconds('15:02:00', 12, 100).map((at, index) => {
      if (index % 4 === 1) return { kind: 'hand_delete', at } as const;
      if (index % 4 === 3) return { kind: 'hand_place', at, twin: index % 8 === 3 } as const;
      return { kind: 'fire', at, lateMs: dice.pick([0, 20_000, 90_000]) } as const;
    });
    return { tradingRoute: route, ordersEach: 2, triggers: triggers({ near: 0.6, acts }) };
  },
  triggers_full_disk: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const times = everySeconds('15:03:00', 24, 45);
    const kinds = ['hang_after', 'reset_before', 'reset_after', 'error_before'] as const;
    const faults = times.map((from) =>
      rule(dice.pick(kinds), deleting, ALL_DAY, { from, until: from + 30_000, times: 1 }),
    );
    const mishaps = times.map((at) => ({ kind: 'disk_full', at, forMs: 30_000 }) as const);
    return {
      ...{ tradingRoute: route, faults, mishaps, ordersEach: 2 },
      triggers: triggers({ each: 16, cleared: 0, forgets: dice.chance(0.5) }),
    };
  },
  triggers_cancelled: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const times = everySeconds('15:03:00', 9, 140);
    const cancelAlls = times.map((at, index): PlannedCancelAll => {
      const scope = index % 3 === 2 ? 'mine' : 'account';
      return {
        ...{ at, scope, caller: scope === 'mine' ? 'caller-1' : 'person', isNamed: false },
        ...{ side: null, byHand: 0, burst: 0, triggers: true },
      };
    });
    const acts = everySeconds('15:01:30', 9, 140).map((at) => ({
      ...({ kind: 'hand_place', twin: false } as const),
      at,
    }));
    const kinds = ['hang_after', 'hang_before', 'reset_before'] as const;
    const faults = times.flatMap((from, index) => [
      rule(kinds[index % 3] ?? 'hang_after', deleting, ALL_DAY, {
        ...{ from, until: from + 20_000, times: dice.whole(1, 2) },
      }),
      ...(index % 4 === 3
        ? [rule('reset_after', { method: 'GET', path }, ALL_DAY, { from, until: from + 9_000 })]
        : []),
    ]);
    const crashes = times
      .filter((_, index) => index % 4 === 1)
      .map((at) => ({ at, point: 'after_send' as const, power: false, downMs: 2_000 }));
    return {
      ...{ tradingRoute: route, faults, crashes, ordersEach: 2, cancelAlls },
      triggers: triggers({ each: 16, acts }),
    };
  },
  triggers_unlisted: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const kinds = ['reset_before', 'hang_before', 'error_before'] as const;
    const faults = everySeconds('15:02:00', 12, 110).flatMap((from) => {
      const until = from + 30_000;
      return [
        rule(dice.pick(kinds), deleting, ALL_DAY, { from, until, times: 100 }),
        rule(dice.pick(kinds), listing, ALL_DAY, { from, until: until + 20_000, times: 100 }),
      ];
    });
    return { tradingRoute: route, faults, ordersEach: 2, triggers: triggers({ each: 16 }) };
  },
  triggers_mine: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const cancelAlls = everySeconds('15:04:00', 10, 120).map((at, index): PlannedCancelAll => {
      const caller = index % 2 === 0 ? 'caller-1' : 'caller-2';
      return {
        ...{ at, scope: 'mine', caller, isNamed: index % 3 !== 0 },
        ...{ side: null, byHand: 0, burst: 0 },
      };
    });
    const acts = everySeconds('15:02:00', 36, 35).map((at, index) =>
      index % 9 === 4
        ? ({ kind: 'hand_place', twin: false, at } as const)
        : ({ kind: 'fire', at, lateMs: 0 } as const),
    );
    const mishaps = everySeconds('15:03:30', 5, 240).map((at) => ({
      ...({ kind: 'hand_order', at, twin: false, broker: 'kite' } as const),
      order: {
        ...{ instrument: dice.pick(['NSE:INFY', 'NSE:SBIN', 'NSE:ITC'] as const), quantity: 5 },
        ...({ side: 'BUY', product: 'intraday' } as const),
      },
    }));
    const faults = everySeconds('15:02:30', 6, 200).map((from, index) =>
      rule(
        (['reset_before', 'hang_before'] as const)[index % 2] ?? 'reset_before',
        listing,
        ALL_DAY,
        {
          ...{ from, until: from + 70_000, times: 100 },
        },
      ),
    );
    return {
      ...{ tradingRoute: route, faults, mishaps, ordersEach: 2, cancelAlls },
      triggers: triggers({ each: 16, acts, cleared: 0.5 }),
    };
  },
  triggers_in_app: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const faults = lostPlacings(rule).flatMap((each) => {
      const from = each.from ?? 0;
      // No list shows it before it is changed.
      const until = from + 40_000;
      return [each, rule('reset_before', listing, ALL_DAY, { from, until, times: 100 })];
    });
    const acts = everySeconds('15:01:40', 60, 23).map(
      (at) => ({ kind: 'hand_change', at }) as const,
    );
    return {
      ...{ tradingRoute: route, faults, ordersEach: 2 },
      triggers: triggers({ each: 18, acts, forgets: dice.chance(0.5) }),
    };
  },
  triggers_misnamed: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    // Lists that lack a trigger for five minutes call it absent: a person says so before.
    const acts = everySeconds('15:01:40', 60, 23).map((at) => ({ kind: 'settle', at }) as const);
    const forgets = dice.chance(0.5);
    return {
      ...{ tradingRoute: route, faults: lostPlacings(rule), ordersEach: 2 },
      triggers: triggers({ each: 18, acts, forgets, misnames: true }),
    };
  },
  triggers_as_stops: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('primary');
    const lost = everySeconds('15:02:00', 6, 200).map((from, index) => {
      const isPlacing = index % 2 === 0;
      const kind = isPlacing
        ? dice.pick(['hang_after', 'reset_after'] as const)
        : dice.pick(['hang_before', 'reset_before'] as const);
      const match = { method: 'POST', path: isPlacing ? '/smart/order' : '/smart/order/cancel' };
      return rule(kind, match, ALL_DAY, { from, until: from + 200_000, times: 1 });
    });
    return {
      ...{ tradingRoute: route, faults: lost, ordersEach: 2 },
      triggers: triggers({ each: 20, near: 0.5 }),
    };
  },
  triggers_exits: (dice: Dice): Direction => {
    const { route, rule } = brokerOf('alt');
    const times = everySeconds('15:04:00', 6, 170);
    const shares = ['NSE:INFY', 'NSE:SBIN', 'NSE:ITC'] as const;
    const mishaps = times.flatMap((at, index) => [
      {
        ...({ kind: 'hand_order', at: at - MINUTE_MS, twin: false, broker: 'kite' } as const),
        order: {
          ...{ instrument: shares[index % 3] ?? 'NSE:INFY', quantity: 30 },
          ...({ side: 'BUY', product: 'intraday' } as const),
        },
      },
      ...(index % 3 === 2
        ? [{ kind: 'kill_switch', at: at - 20_000, forMs: 60_000 } as const]
        : []),
    ]);
    const exits = times.map((at, index): PlannedExit => ({
      ...{ at, of: 'share', instrument: shares[index % 3] ?? 'NSE:INFY', caller: 'caller-1' },
      ...{ isPart: false, isNamed: true, beside: null, thinMs: null },
      ...{ cancelledAfterMs: null, burst: 0 },
    }));
    const faults = times.map((from) =>
      rule(dice.pick(['reset_before', 'hang_after'] as const), deleting, ALL_DAY, {
        ...{ from, until: from + 10_000, times: 1 },
      }),
    );
    return {
      ...{ tradingRoute: route, faults, mishaps, exits, ordersEach: 2 },
      triggers: triggers(),
    };
  },
};
