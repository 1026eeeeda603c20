import type { OrderTerms } from '../../src/domain/order.ts';
import { sleep } from '../../src/platform/scheduler.ts';
import { killSwitchOf } from '../../src/execution/kill-switch.ts';
import { isSliced } from '../../src/execution/state.ts';
import { call } from './callers.ts';
import { sentUnder, wantedOf } from './checks/context.ts';
import { createDice, type Dice } from './dice.ts';
import type { Mishap } from './plan.ts';
import type { World } from './world.ts';

/** The trader at the screen: logs in, trades by hand, throws the kill switch, settles disputes. */
export interface People {
  befall(mishap: Mishap): void;
  run(): Promise<void>;
  /** Broker ids of orders placed by hand. */
  readonly byHand: ReadonlySet<string>;
  /** When the kill switch was thrown and released, as told to the one who did it. */
  readonly killSwitch: readonly { readonly at: number; readonly thrown: boolean }[];
  /** Orders on which a person has given a word. */
  readonly worded: ReadonlySet<string>;
}

export function createPeople(world: () => World): People {
  const byHand = new Set<string>();
  const worded = new Set<string>();
  const killSwitch: { at: number; thrown: boolean }[] = [];
  /** Throws of a person's own that are not released yet. */
  let held = 0;
  let dice: Dice | null = null;
  const roll = (): Dice => (dice ??= createDice(`${world().plan.seed}/people`));

  /** What a twin is most confusing to: an order whose outcome is open, or else the latest. */
  function modelForTwin(): OrderTerms | null {
    const state = world().current()?.composed?.execution.state;
    const orders = [...(state?.orders.values() ?? [])].filter((order) => order.mode === 'live');
    const open = orders.findLast((order) => order.status === 'uncertain');
    return (open ?? orders.at(-1))?.terms ?? null;
  }

  function placeByHand(twin: boolean): void {
    const { sandbox, plan, timeline } = world();
    const inspector = plan.tradingRoute.includes('alt') ? sandbox.kite : sandbox.primary;
    const model = twin ? modelForTwin() : null;
    const order = refusedAsNull(() =>
      inspector.placeByHand({
        instrument: model?.instrument ?? 'NSE:INFY',
        side: model?.side ?? roll().pick(['BUY', 'SELL']),
        quantity: model?.quantity ?? roll().pick([1, 5, 10]),
        product: model?.product === 'CNC' ? 'delivery' : 'intraday',
        ...(model?.price ? { limitPaise: Math.round(model.price * 100) } : {}),
      }),
    );
    if (!order) return;
    byHand.add(order.orderId);
    timeline.note('world', `by hand: ${order.orderId}, ${twin ? 'a twin' : 'no twin'}`);
  }

  function cancelByHand(): void {
    const { sandbox, plan } = world();
    const inspector = plan.tradingRoute.includes('alt') ? sandbox.kite : sandbox.primary;
    const open = inspector.orders().filter((order) => !order.final && order.phase === 'open');
    if (open.length > 0) inspector.cancelByHand(roll().pick(open).orderId);
  }

  /** Another quantity or another price, of an order that rests: what it was placed with holds no more. */
  function modifyByHand(): void {
    const { sandbox, plan } = world();
    const inspector = plan.tradingRoute.includes('alt') ? sandbox.kite : sandbox.primary;
    const open = inspector.orders().filter((order) => !order.final && order.phase === 'open');
    if (open.length === 0) return;
    const order = roll().pick(open);
    const change = roll().chance(0.5)
      ? { quantity: order.quantity + roll().pick([1, 5]) }
      : { limit: order.limitPaise + roll().pick([-50, 50]) };
    inspector.modifyByHand(order.orderId, change);
    world().timeline.note('world', `by hand: ${order.orderId} becomes ${JSON.stringify(change)}`);
  }

  async function throwKillSwitch(forMs: number): Promise<void> {
    held += 1;
    for (const thrown of [true, false]) {
      // Told late, a release has happened since it was asked for; a throw holds once it is told.
      const asked = world().time.now();
      for (;;) {
        if (await turnKillSwitch(thrown)) break;
        await sleep(world().time, 1_000);
      }
      killSwitch.push({ at: thrown ? world().time.now() : asked, thrown });
      world().timeline.note('world', `kill switch ${thrown ? 'thrown' : 'released'}`);
      if (thrown) await sleep(world().time, forMs);
    }
    held -= 1;
  }

  /** The gateway throws it too, when it finds itself wrong. Somebody looks, and goes on trading. */
  async function keepTrading(): Promise<void> {
    const { time, timeline, plan } = world();
    while (time.now() < plan.hours.evening) {
      await sleep(time, roll().between(10_000, 60_000));
      const state = world().current()?.composed?.execution.state;
      if (held > 0 || !state || !killSwitchOf(state)?.thrown) continue;
      const at = time.now();
      if (!(await turnKillSwitch(false))) continue;
      killSwitch.push({ at, thrown: false });
      timeline.note('world', 'kill switch released: the gateway had thrown it');
    }
  }

  /** False when nothing definite was heard. */
  async function turnKillSwitch(thrown: boolean): Promise<boolean> {
    const context = { caller: 'person', idempotencyKey: null };
    const heard = await call(world(), 'person/kill-switch', (gateway) =>
      gateway.setKillSwitch(thrown, 'rehearsal', context),
    );
    return heard.kind === 'answer';
  }

  /** Logs in whenever the session is found dead, some time after it died. */
  async function keepLoggedIn(): Promise<void> {
    const { time, sandbox, timeline, plan } = world();
    const { evening, asleep } = plan.hours;
    while (time.now() < evening) {
      if (asleep && time.now() >= asleep.from && time.now() < asleep.until) {
        await sleep(time, asleep.until - time.now());
      }
      const session = world().current()?.composed?.session;
      if (session && session.current().state !== 'valid') {
        const { state } = session.begin();
        const requestToken = sandbox.kite.issueRequestToken();
        const callback = { requestToken, status: 'success', state, cookieState: state };
        try {
          await Promise.race([session.complete(callback), world().current()!.died]);
          timeline.note('world', 'logged in');
        } catch (error) {
          timeline.note('world', `login failed: ${String(error)}`);
        }
      }
      await sleep(time, roll().between(5_000, 40_000));
    }
  }

  /** Looks at what is open, in the broker's own app, and says what is there. */
  async function settleOpen(statuses: readonly string[]): Promise<void> {
    const { taken, sandbox, time, timeline } = world();
    const state = world().current()?.composed?.execution.state;
    if (!state) return;
    for (const order of [...state.orders.values()]) {
      if (!statuses.includes(order.status) || order.brokerOrderId !== null) continue;
      if (isSliced(state, order.id)) continue;
      const wanted = wantedOf(state, order);
      // Another slice of the same order has its own row.
      const bound = new Set(sentUnder(state, wanted).map((each) => each.brokerOrderId));
      const found = taken.find((each) => each.wanted === wanted && !bound.has(each.brokerOrderId));
      const inspector = found?.broker === 'primary' ? sandbox.primary : sandbox.kite;
      const row = found && inspector.order(found.brokerOrderId);
      const shown = row && row.hiddenUntil <= time.now();
      const word = shown
        ? ({ kind: 'placed', brokerOrderId: row.orderId } as const)
        : ({ kind: 'absent' } as const);
      timeline.note('world', `a person says of ${wanted}: ${JSON.stringify(word)}`);
      if (!shown) worded.add(order.id).add(order.parentId ?? order.id);
      await call(world(), wanted, (gateway) =>
        gateway.resolveOrder(order.id, word, { caller: 'person', idempotencyKey: null }),
      );
    }
  }

  return {
    byHand,
    killSwitch,
    worded,
    befall(mishap) {
      if (mishap.kind === 'hand_order') placeByHand(mishap.twin);
      if (mishap.kind === 'hand_cancel') cancelByHand();
      if (mishap.kind === 'hand_modify') modifyByHand();
      if (mishap.kind === 'kill_switch') void throwKillSwitch(mishap.forMs);
    },
    async run() {
      const { time, plan } = world();
      const { placing, cleared, evening } = plan.hours;
      await Promise.all([
        plan.tradingRoute.includes('alt') ? keepLoggedIn() : Promise.resolve(),
        keepTrading(),
        (async () => {
          // Once in the day, on a hunch; in the evening, for good.
          await sleep(time, placing[0]!.from + 600_000 - time.now());
          if (roll().chance(0.5)) await settleOpen(['disputed']);
          if (roll().chance(0.2)) await settleOpen(['uncertain']);
          if (cleared) await sleep(time, cleared.until - time.now());
          if (cleared && roll().chance(0.7)) await settleOpen(['uncertain']);
          await sleep(time, evening - 60_000 - time.now());
          await settleOpen(['disputed']);
        })(),
      ]);
    },
  };
}

/** A broker refuses a person too: for lack of shares, say. */
function refusedAsNull<T>(place: () => T): T | null {
  try {
    return place();
  } catch {
    return null;
  }
}
