import type { Signal } from '../../../src/domain/signal.ts';
import { signalState } from '../../../src/domain/signal.ts';
import { reasonOf, statusOf } from '../../../src/execution/order/order.ts';
import { HOOK_KEYS } from '../signal-hooks.ts';
import { callerOf } from './key-truth.ts';
import { violation, type Day, type Violation } from './context.ts';

/** An order of an alert leaves so soon after the alert came last, whatever happened in between; ms. */
const LEAVES_WITHIN_MS = 66_000;
const MOST = 10_000;
const OPEN: ReadonlySet<string> = new Set(['rejected', 'cancelled', 'uncertain', 'disputed']);
const CALLERS: ReadonlySet<string> = new Set(HOOK_KEYS.map(({ id }) => id));

/** S42, S43 and S47: what docs/signals.md promises. */
export async function signalsKeepTheirPromises(day: Day): Promise<Violation[]> {
  const { world } = day;
  const execution = world.current()?.composed?.execution;
  if (!world.plan.signals || !execution) return [];
  const all = { caller: null, state: null, before: null, limit: MOST };
  const signals = await execution.signals.newest(all);
  return [...onePerAlert(day), ...answeredIsKept(day, signals), ...leaveSoon(day)];
}

/** S42: each order of a hook's key is one of an alert, and an alert has each of its orders once. */
function onePerAlert({ world, state }: Day): Violation[] {
  const known = new Set(world.asked.alerts.flatMap(({ wanted }) => wanted));
  const own = [...state.orders.values()].filter(
    ({ caller, parentId }) => CALLERS.has(caller) && parentId === null,
  );
  const astray = own
    .map((order) => `${order.caller}/${order.idempotencyKey}`)
    .filter((wanted) => !known.has(wanted));
  const sent = world.taken.map(({ wanted }) => wanted);
  const unknown = sent.filter(
    (wanted) => CALLERS.has(callerOf(wanted) ?? '') && !known.has(wanted),
  );
  return [...astray, ...unknown].map((wanted) =>
    violation('S42', `${wanted} is no order of an alert, or a second one`),
  );
}

/**
 * S43: an alert that was answered 202 is in the journal, and each of its orders is placed, or refused with a reason, which
 * is true; of one that was never accepted nothing was placed.
 */
function answeredIsKept(day: Day, signals: readonly Signal[]): Violation[] {
  const { world, state } = day;
  const violations: Violation[] = [];
  const say = (text: string): void => void violations.push(violation('S43', text));
  const byId = new Map(signals.map((signal) => [signal.id, signal]));
  for (const { signalId, alert } of world.asked.alerts) {
    if (signalId === null) continue;
    const signal = byId.get(signalId);
    if (signal === undefined) say(`${alert.id} was answered with ${signalId}, which is nowhere`);
    else if (signal.alertId !== alert.id) say(`${alert.id} was answered with another's signal`);
  }
  for (const signal of signals) {
    if (signalState(signal) === 'accepted') say(`${signal.id} is neither placed nor refused`);
    for (const { idempotencyKey, orderId, problem } of signal.orders) {
      const wanted = `${signal.caller}/${idempotencyKey}`;
      const taken = world.taken.filter((each) => each.wanted === wanted);
      const order = orderId === null ? undefined : state.orders.get(orderId);
      if (orderId !== null && order?.idempotencyKey !== idempotencyKey) {
        say(`${wanted} is said to be ${orderId}, which is another order or none`);
      }
      const { kind = null } = order?.state ?? {};
      if (problem === null && order && (kind === 'not_sent' || kind === 'refused')) {
        say(`${wanted} is said to be placed, and is ${kind}: ${reasonOf(order) ?? ''}`);
      }
      if (problem?.detail === '') say(`${wanted} is refused without a reason`);
      if (problem === null || taken.length === 0) continue;
      // A refusal of the broker's that is not true is corrected in the order: S16 looks at that.
      if (order && problem.code === 'order_refused') continue;
      if (order && OPEN.has(statusOf(order))) continue;
      const id = taken[0]?.brokerOrderId ?? '';
      say(`${wanted} is refused (${problem.code}: ${problem.detail}), and its broker has ${id}`);
    }
  }
  const accepted = new Set(signals.flatMap((each) => (each.problem ? [] : [each.alertId])));
  for (const { alert, wanted } of world.asked.alerts) {
    const taken = world.taken.find((each) => wanted.includes(each.wanted));
    if (accepted.has(alert.id) || taken === undefined) continue;
    say(`${alert.id} was never accepted, and ${taken.brokerOrderId} was placed for it`);
  }
  return violations;
}

/** S47: an order of an alert leaves within a minute of the alert. */
function leaveSoon({ world }: Day): Violation[] {
  const jumps = world.plan.mishaps.some(({ kind }) => kind.startsWith('clock') || kind === 'sleep');
  if (jumps) return [];
  return world.sent.flatMap(({ placing, wanted, at }) => {
    if (!placing || wanted === null || !CALLERS.has(callerOf(wanted) ?? '')) return [];
    const posts = world.asked.alerts.filter(
      (each) => each.wanted.includes(wanted) && each.at <= at,
    );
    const last = posts.at(-1)?.at ?? -Infinity;
    if (at - last <= LEAVES_WITHIN_MS || posts.length === 0) return [];
    return [violation('S47', `${wanted} left ${at - last} ms after its alert`)];
  });
}
