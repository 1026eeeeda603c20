import type { Instrument } from '../../domain/instrument.ts';
import type { Trading } from '../../domain/ports.ts';
import { orderOfLeg, type TriggerLegTerms } from '../../domain/trigger.ts';
import type { ElapsedMs, TriggerId } from '../../units/branded.ts';
import { tradingDay } from '../../domain/ist.ts';
import { UNREAD } from '../submit/brakes.ts';
import { aboveLimit, checkAccount, type Checked, knowledgeNow } from '../submit/guards.ts';
import { limitSets, limitsFor } from '../submit/order-limits.ts';
import { brakeProblem } from '../submit/brakes.ts';
import { type OutgoingOrder, reducesPosition } from '../submit/reduce-only.ts';
import { besideTriggers, type CheckedLeg } from './decide-trigger.ts';
import type { TriggerParts } from './trigger-parts.ts';

export interface LegsOf {
  readonly id: TriggerId;
  readonly caller: string;
  readonly forcedBy: string | null;
  readonly trading: Trading;
  readonly instrument: Instrument;
  readonly legs: readonly TriggerLegTerms[];
}

/**
 * Looks at each leg as at an order that it would place now: its limits, and its account where a brake holds.
 * Rejects with `limit_reached` where one is above a limit. Returns by `deadline`.
 */
export async function checkLegs(
  parts: TriggerParts,
  of: LegsOf,
  deadline: ElapsedMs,
): Promise<readonly CheckedLeg[]> {
  const { clock, accounts, limits } = parts;
  const { state } = parts.writer;
  const { caller, forcedBy, trading, instrument } = of;
  const sets = limitSets(state, limits, caller);
  const checked: CheckedLeg[] = [];
  for (const leg of of.legs) {
    const terms = orderOfLeg(instrument.name, leg);
    const applied = await limitsFor(parts, sets, terms, { named: instrument, instrument });
    const order: Checked = {
      ...{ broker: trading.broker, mode: trading.mode, terms, orderId: `${of.id}` },
      ...{ caller, forcedBy, limits: applied },
    };
    const check = await checkAccount({ state, accounts, clock }, order, deadline);
    const limit = aboveLimit({ state, accounts, clock }, order, check);
    if (limit !== null) throw brakeProblem(limit);
    const knowledge = knowledgeNow(accounts, order, check);
    checked.push({ order: outgoing(parts, order), limits: applied, knowledge });
  }
  return checked;
}

const outgoing = ({ clock, accounts }: TriggerParts, order: Checked): OutgoingOrder => ({
  ...order,
  at: clock.now(),
  day: accounts.today(order.broker),
});

/** The same legs by what is known now. */
export const legsNow = (
  { clock, accounts }: TriggerParts,
  legs: readonly CheckedLeg[],
): readonly CheckedLeg[] =>
  legs.map((leg) => {
    const checked = { ...leg.order, forcedBy: leg.knowledge?.forcedBy ?? null };
    const check = { isBraked: leg.knowledge !== null, unread: leg.knowledge?.unread ?? null };
    return {
      ...leg,
      order: { ...leg.order, at: clock.now() },
      knowledge: knowledgeNow(accounts, checked, check) ?? UNREAD,
    };
  });

/** Whether each leg is known to do nothing but reduce a position, beside what other triggers would take. */
export function onlyReduces(
  { writer, accounts }: TriggerParts,
  legs: readonly CheckedLeg[],
  except: TriggerId | null,
): boolean {
  return legs.every(({ order }) => {
    const known = { ...UNREAD, beside: accounts.beside(order) };
    const { beside } = besideTriggers(writer.state, order, known, except);
    return reducesPosition(writer.state, order, beside);
  });
}

export const brokerDayOf = ({ pollerOf }: TriggerParts, trading: Trading) =>
  tradingDay(pollerOf(trading).now());
