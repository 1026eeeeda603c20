import type { BrokerOrder as SandboxOrder } from '../../sandbox/kernel/inspector.ts';
import type { OrderId } from '../../src/units/branded.ts';
import type { Turned } from './asked.ts';
import { sleep } from '../../src/platform/clock.ts';
import { brokerOrderIdOf, statusOf } from '../../src/execution/order/order.ts';
import { call } from './call.ts';
import { sentUnder, violation, wantedOf } from './checks/context.ts';
import { createDice, type Dice } from './dice.ts';
import { createAfterTheEnd } from './after-the-end.ts';
import { createHandTrades, type HandTrades } from './hand-trades.ts';
import { letOtherUserIn } from './other-login.ts';
import { createKillSwitchPerson } from './kill-switch-person.ts';
import { createOwnRows } from './own-rows.ts';
import type { Mishap } from './mishaps.ts';
import type { World } from './world.ts';

/** The trader at the screen: logs in, trades by hand, throws the kill switch, settles disputes. */
export interface People {
  befall(mishap: Mishap): void;
  run(): Promise<void>;
  /** Broker ids of orders placed by hand. */
  readonly byHand: ReadonlySet<string>;
  /** When the kill switch was engaged and released, as told to the one who did it. */
  readonly killSwitch: readonly Turned[];
  /** Orders on which a person has given a word. */
  readonly worded: ReadonlySet<string>;
  /** When a person told which row a disputed or an uncertain order is, by order id; epoch ms. */
  readonly undisputed: ReadonlyMap<string, number>;
}

export function createPeople(world: () => World): People {
  const worded = new Set<string>();
  const undisputed = new Map<string, number>();
  let dice: Dice | null = null;
  const roll = (): Dice => (dice ??= createDice(`${world().plan.seed}/people`));
  const hands = createHandTrades(world, roll);
  const afterTheEnd = createAfterTheEnd(world);
  const ownRows = createOwnRows(world, roll);
  const { killSwitch, throwKillSwitch, keepTrading } = createKillSwitchPerson(world, roll);

  /** Looks at what is open, in the broker's own app, and says what is there. */
  async function settleOpen(statuses: readonly string[]): Promise<void> {
    const { taken, sandbox, time, timeline } = world();
    const state = world().current()?.composed?.execution.state;
    if (!state) return;
    for (const order of [...state.orders.values()]) {
      if (!statuses.includes(statusOf(order)) || brokerOrderIdOf(order) !== null) continue;
      if (order.state.kind === 'sliced') continue;
      const wanted = wantedOf(state, order);
      // Another slice of the same order has its own row.
      const bound = new Set(sentUnder(state, wanted).map(brokerOrderIdOf));
      const found = taken.find((each) => each.wanted === wanted && !bound.has(each.brokerOrderId));
      const inspector = found?.broker === 'primary' ? sandbox.primary : sandbox.kite;
      const row = found && inspector.order(found.brokerOrderId);
      const shown = row && row.hiddenUntil <= time.now();
      const word = shown
        ? ({ kind: 'placed', brokerOrderId: row.orderId } as const)
        : ({ kind: 'absent' } as const);
      timeline.note('world', `a person says of ${wanted}: ${JSON.stringify(word)}`);
      if (!shown) worded.add(order.id).add(order.parentId ?? order.id);
      else undisputed.set(order.id, time.now());
      const context = { caller: 'person', idempotencyKey: null };
      if (row && world().plan.directed === 'odd_rows_named') {
        await nameWrongRow(world(), hands, order.id, row);
      }
      const heard = await call(world(), wanted, (gateway) =>
        gateway.resolveOrder(order.id, word, context),
      );
      if (word.kind === 'absent' || heard.kind !== 'problem') continue;
      const insisting = { ...word, force: true } as const;
      const again = await call(world(), wanted, (gateway) =>
        gateway.resolveOrder(order.id, insisting, context),
      );
      // L14: a person can say which row an order is, whatever of the row cannot be read.
      if (again.kind !== 'problem' || world().plan.directed !== 'odd_rows_named') continue;
      const { detail } = again.problem.fields;
      world().notice(violation('L14', `${wanted} cannot be resolved as its row: ${detail}`));
    }
  }

  return {
    byHand: hands.byHand,
    killSwitch,
    worded,
    undisputed,
    befall(mishap) {
      if (mishap.kind === 'hand_order') hands.placeByHand(mishap);
      if (mishap.kind === 'hand_cancel') hands.cancelByHand();
      if (mishap.kind === 'hand_modify') hands.modifyByHand();
      if (mishap.kind === 'row_vanishes') hands.vanish();
      if (mishap.kind === 'late_fill') afterTheEnd.fillLate(mishap);
      if (mishap.kind === 'works_again') afterTheEnd.workAgain();
      if (mishap.kind === 'part_fill') ownRows.fillPart(mishap);
      if (mishap.kind === 'ids_change') ownRows.changeIds(mishap);
      if (mishap.kind === 'own_row_hidden') ownRows.hideRow(mishap);
      if (mishap.kind === 'other_login') void letOtherUserIn(world(), roll(), mishap);
      if (mishap.kind === 'kill_switch') void throwKillSwitch(mishap.forMs);
    },
    async run() {
      const { time, plan } = world();
      const { placing, cleared, evening } = plan.hours;
      await Promise.all([
        plan.tradingRoute.includes('alt') ? keepLoggedIn(world, roll) : Promise.resolve(),
        keepTrading(),
        (async () => {
          // Once in the day, on a hunch; in the evening, for good.
          await sleep(time, placing[0]!.from + 600_000 - time.now());
          if (roll().chance(0.5)) await settleOpen(['disputed']);
          if (roll().chance(0.2) || plan.hasty) await settleOpen(['uncertain']);
          if (cleared) await sleep(time, cleared.until - time.now());
          if (cleared && roll().chance(0.7)) await settleOpen(['uncertain']);
          for (const each of [...plan.hours.evenings, evening]) {
            await sleep(time, each - 60_000 - time.now());
            if (each !== evening) await settleOpen(['disputed']);
          }
          await settleOpen(['disputed']);
        })(),
      ]);
    },
  };
}

/** Logs in whenever the session is found dead, some time after it died. */
async function keepLoggedIn(world: () => World, roll: () => Dice): Promise<void> {
  const { time, timeline, plan } = world();
  const { evening, asleep } = plan.hours;
  while (time.now() < evening) {
    if (asleep && time.now() >= asleep.from && time.now() < asleep.until) {
      await sleep(time, asleep.until - time.now());
    }
    const session = world().current()?.composed?.session;
    if (session && session.current().state !== 'valid') {
      const { state } = session.begin();
      const requestToken = world().users.issueRequestToken();
      const callback = { requestToken, status: 'success', state, cookieState: state };
      try {
        await Promise.race([session.complete(callback), world().current()!.died]);
        world().sessions.push(time.now());
        timeline.note('world', 'logged in');
      } catch (error) {
        timeline.note('world', `login failed: ${String(error)}`);
      }
    }
    await sleep(time, roll().between(5_000, 40_000));
  }
}

/** S3: a person who names a row of another instrument is refused. */
async function nameWrongRow(
  world: World,
  hands: Pick<HandTrades, 'byHand' | 'placeByHand'>,
  orderId: OrderId,
  right: SandboxOrder,
): Promise<void> {
  const { sandbox } = world;
  const instrument = right.instrument === 'NSE:INFY' ? 'NSE:SBIN' : 'NSE:INFY';
  const order = { instrument, side: right.side, quantity: right.quantity } as const;
  hands.placeByHand({ kind: 'hand_order', at: world.time.now(), twin: false, order });
  const placed = [...hands.byHand].flatMap((id) => sandbox.kite.order(id) ?? []);
  const wrong = placed.findLast((each) => each.instrument === instrument);
  if (!wrong) return;
  const word = { kind: 'placed', brokerOrderId: wrong.orderId } as const;
  const context = { caller: 'person', idempotencyKey: null };
  const heard = await call(world, orderId, (gateway) =>
    gateway.resolveOrder(orderId, word, context),
  );
  if (heard.kind !== 'answer') return;
  world.notice(
    violation('S3', `${orderId} of ${right.instrument} was bound to a row of ${wrong.instrument}`),
  );
}
