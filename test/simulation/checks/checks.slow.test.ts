import type { AskedCancel } from '../asked.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import type { Refusal } from '../../../sandbox/kernel/broker.ts';
import { kiteRefusals } from '../../../sandbox/kite/refusal.ts';
import { primaryRefusals } from '../../../sandbox/primary/refusal.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { planRichDay } from '../plan-rich.ts';
import { dayOf, playSeed } from '../run-seed.ts';
import type { Sent, Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import { ordersAreTaken } from './available.ts';
import { cancelsAreSent } from './cancels.ts';
import type { Day, Violation } from './context.ts';
import { ordersLeaveInTime } from './leaves-in-time.ts';
import { reducesOnly, sendsAreAllowed } from './kill-switch.ts';
import { averagesAgree } from './orders.ts';
import { openAnswersStayOpen, refusalsAreTrue } from './refusals.ts';
import { changedAsAsked, nothingAfterUnknown, receivedAsAsked } from './wire.ts';

/**
 * A day is played, and then told wrong in one point: each check has to notice its own. The files of the
 * day are gone by then, but for the checks that read them while it is open.
 */
/** A cancel that was answered while the order was open. */
const openCancel = (wanted: string, at: number): AskedCancel => ({
  ...{ wanted, at, status: 'working', isOnDisk: true },
});

const OF = { of: 'placing', under: null, call: 0 } as const;

describe('each check goes red', () => {
  let whileDisputed: string[] | null = null;
  const found = new Map<string, { before: string[]; after: string[] }>();
  const textsOf = (violations: readonly Violation[]): string[] =>
    violations.map(({ property, text }) => `${property} ${text}`);

  function compare(
    name: string,
    look: (day: Day) => Violation[],
    day: Day,
    falsify: (day: Day) => Day,
  ): void {
    found.set(name, { before: textsOf(look(day)), after: textsOf(look(falsify(day))) });
  }

  const withWorld = (day: Day, changes: Partial<World>): Day => ({
    ...day,
    world: { ...day.world, ...changes },
  });

  const withTaken = (day: Day, change: (taken: Taken) => Partial<Taken['order']>): Day =>
    withWorld(day, {
      taken: day.world.taken.map((each) => ({
        ...each,
        order: { ...each.order, ...change(each) },
      })),
    });

  /** Every order was cancelled by a caller, and lapsed at `at`: no cancel was sent. */
  const neverSent = (day: Day, at: number): Day => {
    const { world } = day;
    const lapsed = <T extends BrokerInspector>(inspector: T): T => ({
      ...inspector,
      order(id: string) {
        const order = inspector.order(id);
        return order && { ...order, phase: 'expired', updatedAt: at, hiddenUntil: 0 };
      },
    });
    const { kite, primary } = world.sandbox;
    const cancels = world.taken.map(({ wanted, order }) => openCancel(wanted, order.createdAt));
    return withWorld(day, {
      ...{ births: [], reads: [], sessions: [], impaired: [], lowDisk: [] },
      sandbox: { ...world.sandbox, kite: lapsed(kite), primary: lapsed(primary) },
      sent: world.sent.filter(({ placing }) => placing),
      asked: { ...world.asked, cancels },
    });
  };

  /** An order was taken and answered with a refusal, and the caller was told so without a read of the book. */
  const toldRefused = (day: Day, taken: Taken, name: string, { reply }: Refusal): Day => {
    const { world } = day;
    const at = world.plan.hours.end;
    const { wanted } = taken;
    const broker = name === 'kite' ? 'alt' : 'primary';
    const reaction = { kind: 'answer' as const, ...reply, delayMs: 0 };
    const answer = { at, reaction, honest: false };
    const sent = { ...world.sent.find(({ placing }) => placing)!, wanted, broker, answer } as const;
    const problem = { kind: 'problem', code: 'order_refused', detail: '', wanted, ...OF } as const;
    return {
      ...withWorld(day, {
        sent: [sent],
        taken: [{ ...taken, broker }],
        reads: [],
      }),
      statements: [{ ...problem, mayHaveExecuted: false, at: at + 50, events: 0 }],
    };
  };

  function compareRefusals(day: Day): void {
    const taken = day.world.taken.at(-1)!;
    for (const [name, refusals] of [
      ['kite', kiteRefusals],
      ['primary', primaryRefusals],
    ] as const) {
      for (const means of ['open', 'unlisted'] as const) {
        compare(`${means} words of ${name}, told as a refusal`, openAnswersStayOpen, day, (each) =>
          toldRefused(
            each,
            taken,
            name,
            refusals.find((one) => one.means === means)!,
          ),
        );
      }
    }
  }

  beforeAll(async () => {
    await playSeed(planRichDay('3'), async (played) => {
      const day = dayOf(played)!;
      const { world, state } = day;
      const [first] = world.taken;
      const at = world.plan.hours.end;
      for (const [name, change] of Object.entries<
        (order: Taken['order']) => Partial<Taken['order']>
      >({
        instrument: () => ({ instrument: 'NSE:TCS' }),
        side: ({ side }) => ({ side: side === 'BUY' ? 'SELL' : 'BUY' }),
        product: () => ({ product: 'carry' }),
        type: () => ({ orderType: 'FANCY' }),
        trigger: () => ({ triggerPaise: 1 }),
        price: ({ limitPaise }) => ({ limitPaise: limitPaise + 5 }),
        quantity: ({ quantity }) => ({ quantity: quantity + 1 }),
      })) {
        compare(name, receivedAsAsked, day, (each) =>
          withTaken(each, ({ order }) => change(order)),
        );
      }
      const sent = (request: Partial<Sent['request']>, changes: Partial<Sent> = {}): Sent => ({
        ...world.sent.find((each) => each.placing)!,
        ...changes,
        request: { ...world.sent.find((each) => each.placing)!.request, ...request },
      });
      const url = 'http://kite.test/orders/regular/260000000000001';
      compare('a change that nobody asked for', changedAsAsked, day, (each) =>
        withWorld(each, {
          sent: [...world.sent, sent({ method: 'PUT', url, body: 'quantity=9999' })],
        }),
      );
      const reset = { kind: 'reset', delayMs: 0 } as const;
      const unknown: Sent['answer'] = { at, reaction: reset, honest: false };
      compare('a slice after an uncertain one', nothingAfterUnknown, day, (each) =>
        withWorld(each, {
          sent: [
            ...world.sent,
            sent({}, { wanted: 'someone/key', at: at - 1_000, answer: unknown }),
            sent({}, { wanted: 'someone/key', at: at + 1_000 }),
          ],
        }),
      );
      const larger = { method: 'PUT', url, body: 'quantity=9999' } as const;
      compare('a quantity that grows under the switch', sendsAreAllowed, day, (each) => ({
        ...withWorld(each, {
          sent: [...world.sent, sent(larger, { placing: false, at: at + 5, before: first!.order })],
        }),
        killSwitch: [...each.killSwitch, { at, engaged: true, isOnDisk: true }],
      }));
      const opening = world.sent.find((each) => each.placing && !reducesOnly(day, each))!;
      const withSent = (each: Day, changes: Partial<Sent>): Day =>
        withWorld(each, { sent: [...world.sent, { ...opening, ...changes }] });
      compare('an order that leaves late', ordersLeaveInTime, day, (each) =>
        withSent(each, { age: 40_000 }),
      );
      compare('a modification that leaves late', ordersLeaveInTime, day, (each) =>
        withSent(each, { ...sent({ method: 'PUT', url }), placing: false, age: 15_001 }),
      );
      compare('an order that leaves after its cancel', ordersLeaveInTime, day, (each) => {
        const { wanted } = opening;
        const cancels = [openCancel(wanted ?? '', opening.at - 1)];
        return withWorld(each, { asked: { ...world.asked, cancels } });
      });
      compare('an average price', averagesAgree, day, (each) => ({
        ...each,
        state: {
          ...state,
          orders: new Map([...state.orders].map(([id, one]) => [id, dearer(one)])),
        },
      }));
      compare('a refusal that is not true', refusalsAreTrue, day, (each) => ({
        ...each,
        statements: world.taken.map(({ wanted }) => ({
          ...{ kind: 'problem', code: 'order_refused', detail: '', mayHaveExecuted: false },
          ...{ at, wanted, events: Infinity, ...OF },
        })),
      }));
      compareRefusals(day);
      compare('a cancel that is never sent', cancelsAreSent, day, (each) => neverSent(each, at));
      const undisputed = new Map([...state.orders.keys()].map((id) => [id, at]));
      whileDisputed = textsOf(cancelsAreSent(neverSent({ ...day, undisputed }, at)));
      compare('a broker without orders', ordersAreTaken, day, (each) => {
        const [broker] = world.plan.tradingRoute;
        const reads = Array.from({ length: 30 }, (_, index) => ({
          ...{ at: at - 300_000 + index * 10_000, honest: true, failed: false },
          broker: broker as 'alt' | 'primary',
        }));
        const detail = `the order book of ${broker} has not been read whole yet`;
        const asked = { at, wanted: 'someone/key', mayHaveExecuted: false, events: 0, ...OF };
        const refused = { kind: 'problem', code: 'recovering', detail } as const;
        return {
          ...withWorld(each, { reads, births: [], crashes: [], impaired: [], sessions: [] }),
          statements: [{ ...refused, ...asked }],
        };
      });
    });
  });

  const dearer = (order: OrderRecord): OrderRecord =>
    'fill' in order.state && order.state.fill.averagePrice !== null
      ? ({
          ...order,
          state: {
            ...order.state,
            fill: { ...order.state.fill, averagePrice: order.state.fill.averagePrice + 0.05 },
          },
        } as OrderRecord)
      : order;

  it.each([
    'instrument',
    'side',
    'product',
    'type',
    'trigger',
    'price',
    'quantity',
    'a change that nobody asked for',
    'a slice after an uncertain one',
    'a quantity that grows under the switch',
    'an order that leaves late',
    'a modification that leaves late',
    'an order that leaves after its cancel',
    'an average price',
    'a refusal that is not true',
    'open words of kite, told as a refusal',
    'unlisted words of kite, told as a refusal',
    'open words of primary, told as a refusal',
    'unlisted words of primary, told as a refusal',
    'a cancel that is never sent',
    'a broker without orders',
  ])('%s', (name) => {
    const { before, after } = found.get(name)!;
    expect(before).toEqual([]);
    expect(after).not.toEqual([]);
  });
  it('but not of a cancel of an order that was disputed until it had ended', () => {
    expect(whileDisputed).toEqual([]);
  });
});
