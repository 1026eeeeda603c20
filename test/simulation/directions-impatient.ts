import type { IMPATIENT_DIRECTED_DAYS } from './directed-days.ts';
import { brokerOf, type Direction, type Directions, everySeconds } from './directions.ts';
import type { Mishap } from './mishaps.ts';
import type { PlannedCancelAll, PlannedClosing } from './planned-closing.ts';
import type { PlannedExit } from './planned-exit.ts';

const RUSHES = everySeconds('15:01:30', 11, 115);
/** How long the answers of a rush are lost, ms, and when after its first request something goes wrong. */
const LOST_MS = 6_000;
const TROUBLE_MS = 3_000;
/** How long brokers refuse changes after that, in all their words, and make them all the same. */
const REFUSED_MS = 105_000;

/** What goes wrong in the middle of each rush. */
const troubleOf = (index: number, at: number, hasOther: boolean): Mishap => {
  if (index === 3) return { kind: 'copied', at, forMs: 50_000 };
  if (index === 6 && hasOther)
    return { kind: 'other_login', at, forMs: 40_000, named: false, book: 'empty' };
  if (index === 9) return { kind: 'kill_switch', at, forMs: 30_000 };
  const kind = (['token_deleted', 'stopped', 'token_death', 'stopped'] as const)[index % 4];
  return { kind: kind ?? 'stopped', at };
};

/**
 * `impatient`: all programs time out, and make the same request again under the same key while the first one is under way:
 * orders, baskets, triggers, changes, cancels, exits and closings. Eleven times they ask for many things at once while
 * answers are lost, and three seconds later the session of a broker ends, another user logs in, the gateway is stopped,
 * or goes on with a copy of its directory. After each rush, brokers call some changes refused that they have made.
 */
export const DIRECTIONS_ABOUT_IMPATIENCE: Directions<(typeof IMPATIENT_DIRECTED_DAYS)[number]> = {
  impatient: (dice): Direction => {
    const hasOther = dice.chance(0.4);
    const window = ['15:00:00', '15:00:00'] as const;
    const kinds = ['hang_after', 'hang_after', 'hang_after', 'hang_before'] as const;
    const requests = (['alt', 'primary'] as const).map((broker) => {
      const { rule, placing, cancelling, modifying } = brokerOf(broker);
      const isAlt = broker === 'alt';
      const trigger = { method: 'POST', path: isAlt ? '/gtt/triggers' : '/smart/order' };
      return {
        rule,
        all: [placing, cancelling, trigger, modifying],
        changes: [cancelling, modifying],
      };
    });
    const matches = requests.flatMap(({ rule, all }) => all.map((match) => ({ rule, match })));
    const faults = RUSHES.flatMap((at) =>
      matches.map(({ rule, match }) =>
        rule(dice.pick(kinds), match, window, { from: at, until: at + LOST_MS }),
      ),
    );
    const exits = RUSHES.map((at, index): PlannedExit => ({
      ...{ at: at + dice.between(0, TROUBLE_MS), of: 'share', caller: 'caller-1' },
      ...{ isPart: dice.chance(0.5), isNamed: index % 2 === 0, beside: null, thinMs: null },
      ...{ cancelledAfterMs: null, burst: 0 },
    }));
    const closings = [RUSHES[4], RUSHES[8]].map((at = 0): PlannedClosing => ({
      ...{ at: at + dice.between(0, TROUBLE_MS), scope: 'mine', caller: 'caller-2' },
      ...{ isNamed: false, isOfOne: false, side: null, holdings: [], hedge: null },
      ...{ thinMs: null, beside: null, cancelledAfterMs: null },
    }));
    const cancelAlls = [RUSHES[1], RUSHES[5], RUSHES[10]].map((at = 0): PlannedCancelAll => ({
      ...{ at: at + dice.between(0, TROUBLE_MS), scope: 'mine', caller: 'caller-3' },
      ...{ isNamed: false, side: null, byHand: 0, burst: 0, triggers: true },
    }));
    const refused = RUSHES.flatMap((at) =>
      requests.flatMap(({ rule, changes }) =>
        changes.map((match) =>
          rule('refused_after', match, window, {
            ...{ from: at + LOST_MS, until: at + LOST_MS + REFUSED_MS, times: 6 },
            params: { refusal: dice.whole(0, 40) },
          }),
        ),
      ),
    );
    return {
      ...{ impatient: true, rushes: RUSHES, unlisted: ['NSE:TATASTEEL'], http: dice.chance(0.5) },
      ...{
        tradingRoute: ['alt', 'primary', 'paper'],
        faults: [...faults, ...refused],
        exits,
        closings,
        cancelAlls,
      },
      mishaps: RUSHES.map((at, index) => troubleOf(index, at + TROUBLE_MS, hasOther)),
      ...{ ordersEach: 12, baskets: 0.1 },
      triggers: { each: 6, races: 0, near: 0, cleared: 0.8, forgets: false, acts: [] },
    };
  },
};
