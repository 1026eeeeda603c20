import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../support/no-limits.ts';
import type { OrderRequest } from '../../../src/domain/order.ts';
import { notSent, type Outcome } from '../../../src/domain/outcome.ts';
import { reasonOf, statusOf } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { EXIT } from '../support/exit-account.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { instrument, position } from '../support/makers.ts';

const NO_CHANGE = {
  orderType: null,
  quantity: null,
  price: null,
  triggerPrice: null,
  validity: null,
};
const SWITCH = { engaged: true, reason: 'enough', changedBy: 'someone' };

/** A gateway whose broker takes seconds to connect to; `meanwhile` happens before that is done. */
async function onSlowConnection(connectMs = 4_000) {
  const time = midday();
  const broker = lyingBroker(time);
  broker.positions = [position({ quantity: 10 })];
  const left: string[] = [];
  const doing = { connectMs, meanwhile: (): void => undefined };
  async function leave(what: string, mayLeave?: () => boolean): Promise<Outcome> {
    await new Promise<void>((resolve) => time.after(doing.connectMs / 2, resolve));
    doing.meanwhile();
    await new Promise<void>((resolve) => time.after(doing.connectMs / 2, resolve));
    // As the transport does, in the turn in which it writes the request.
    if (mayLeave?.() === false) return notSent('held_back', 'it was kept back');
    left.push(what);
    return { kind: 'acknowledged', brokerOrderId: `b${left.length}` };
  }
  broker.place = (attempt) => leave(`${attempt.terms.side} order`, attempt.mayLeave);
  const disk = failingDatabase(openDatabase(':memory:'));
  const gateway = await tradingWith(time, [broker], disk.database);
  gateway.execution.wake('alt');
  await time.advance(10_000);
  const tried = (request: Partial<OrderRequest> = {}, freezeQuantity: number | null = null) => {
    const command = { ...gateway.commandOf(request), instrument: instrument({ freezeQuantity }) };
    const placed = gateway.execution.place(command).then(
      ({ order }) => statusOf(order),
      (error: unknown) => String(error),
    );
    return time.settle(placed);
  };
  const orders = () => [...gateway.execution.state.orders.values()];
  const last = () => orders().at(-1)!;
  return { time, broker, gateway, disk, left, doing, leave, tried, orders, last };
}

describe('an order whose connection takes seconds', () => {
  it('leaves', async () => {
    const { left, tried } = await onSlowConnection();
    expect(await tried()).toBe('working');
    expect(left).toEqual(['BUY order']);
  });

  it('is noted as sent when it was written, not when its connection was asked for', async () => {
    const { gateway, tried } = await onSlowConnection();
    await tried();
    const [attempt] = [...gateway.execution.state.attempts.values()];
    const times = attempt?.kind === 'place' ? attempt.times : undefined;
    expect(times?.sentMs).toBeGreaterThanOrEqual(4_000);
    expect(times?.committedMs).toBeLessThan(4_000);
  });

  it('does not leave after the kill switch was engaged meanwhile', async () => {
    const { gateway, doing, left, tried, last } = await onSlowConnection();
    doing.meanwhile = () => void gateway.execution.setKillSwitch(SWITCH);
    expect(await tried()).toBe('not_sent');
    expect(left).toEqual([]);
    expect(reasonOf(last())).toMatch(/^the kill switch is engaged: enough\. By/);
  });

  it('does not leave after its key was stopped meanwhile, and leaves with another key', async () => {
    const { gateway, doing, left, tried, last } = await onSlowConnection();
    const stop = (caller: string) =>
      gateway.execution.setKeyBrakes(
        new Map([[caller, { name: 'bot', stopped: 'enough', limits: NO_LIMITS }]]),
      );
    doing.meanwhile = () => stop('someone');
    expect(await tried()).toBe('not_sent');
    expect(left).toEqual([]);
    expect(reasonOf(last())).toMatch(/^the key bot is stopped: enough\. By/);
    stop('other');
    doing.meanwhile = () => undefined;
    expect(await tried()).toBe('working');
  });

  it('leaves all the same where it only reduces a position', async () => {
    const { gateway, doing, left, tried } = await onSlowConnection();
    doing.meanwhile = () => void gateway.execution.setKillSwitch(SWITCH);
    expect(await tried(EXIT)).toBe('working');
    expect(left).toEqual(['SELL order']);
  });

  it('does not leave after it was cancelled meanwhile', async () => {
    const { gateway, broker, doing, left, tried, last } = await onSlowConnection();
    doing.meanwhile = () => void gateway.execution.amend(last().id, null, null);
    expect(await tried()).toBe('not_sent');
    expect([left, broker.cancels]).toEqual([[], []]);
    expect(reasonOf(last())).toBe('it was cancelled before it was sent');
  });

  it('does not leave after a cancel that the disk did not take, also once it has space again', async () => {
    const { time, gateway, broker, disk, doing, left, tried, last } = await onSlowConnection();
    doing.meanwhile = () => {
      disk.fail();
      void gateway.execution.amend(last().id, null, null).then(({ onDisk }) => {
        expect(onDisk).toBe(false);
        disk.heal();
      });
    };
    expect(await tried()).toBe('not_sent');
    await time.advance(20_000);
    expect([left, broker.cancels]).toEqual([[], []]);
    expect(reasonOf(last())).toBe('it was cancelled before it was sent');
  });

  it('does not leave once the gateway stops', async () => {
    const { gateway, doing, left, tried, last } = await onSlowConnection();
    doing.meanwhile = () => void gateway.execution[Symbol.asyncDispose]();
    expect(await tried()).toBe('not_sent');
    expect(left).toEqual([]);
    expect(reasonOf(last())).toBe('the gateway is stopping');
  });

  it('does not leave without a session, whatever the breaker says', async () => {
    const { broker, doing, left, tried } = await onSlowConnection();
    const session = { blocked: (): ReturnType<typeof notSent> | null => null };
    Object.assign(broker.trading, { blocked: () => session.blocked() });
    doing.meanwhile = () => void (session.blocked = () => notSent('token', 'logged out'));
    expect(await tried()).toBe('not_sent');
    expect(left).toEqual([]);
  });

  it('does not leave later than six seconds after it came', async () => {
    const { left, tried, last } = await onSlowConnection(7_000);
    expect(await tried()).toBe('not_sent');
    expect(left).toEqual([]);
    expect(reasonOf(last())).toContain('so long that its price may be outdated');
  });

  it('does not leave after the computer slept: its running clock stood still', async () => {
    const { time, doing, left, tried } = await onSlowConnection();
    doing.meanwhile = () => time.stepWall(3_600_000);
    expect(await tried()).toBe('not_sent');
    expect(left).toEqual([]);
  });

  it('does not leave as a slice either, and no other slice does', async () => {
    const { gateway, doing, left, tried } = await onSlowConnection(1_000);
    doing.meanwhile = () => {
      if (left.length === 1) void gateway.execution.setKillSwitch(SWITCH);
    };
    await tried({ quantity: 30 }, 10);
    expect(left).toHaveLength(1);
  });
});

describe('slices at a slow broker', () => {
  it('stop to leave half a minute after the order came', async () => {
    const { left, tried, orders } = await onSlowConnection(5_800);
    await tried({ quantity: 100 }, 10);
    expect(left).toHaveLength(5);
    const slices = orders().filter(({ parentId }) => parentId !== null);
    expect(slices.map(statusOf).filter((status) => status === 'not_sent')).toHaveLength(5);
  });
});

describe('a modification whose connection takes seconds', () => {
  async function resting() {
    const rig = await onSlowConnection();
    expect(await rig.tried({ orderType: 'LIMIT', price: 1_500 })).toBe('working');
    const order = rig.last();
    rig.broker.rows = [rowAt(rig.time, { price: 1_500, tags: [rig.broker.placed[0]!.tag] })];
    await rig.time.advance(2_000);
    rig.broker.modify = () => rig.leave('change', rig.broker.modified.at(-1)?.mayLeave);
    const modify = (changes: { readonly price: number }) =>
      rig.time.settle(
        rig.gateway.execution.amend(order.id, { ...NO_CHANGE, ...changes }, null).then(
          () => 'done',
          (error: unknown) => String(error),
        ),
      );
    return { ...rig, modify };
  }

  it('leaves', async () => {
    const { left, modify } = await resting();
    await modify({ price: 1_499 });
    expect(left).toEqual(['BUY order', 'change']);
  });

  it('does not leave after the kill switch was engaged meanwhile', async () => {
    const { gateway, doing, left, modify } = await resting();
    doing.meanwhile = () => void gateway.execution.setKillSwitch(SWITCH);
    expect(await modify({ price: 1_501 })).toContain('kill switch');
    expect(left).toEqual(['BUY order']);
  });

  it('does not leave once the gateway stops', async () => {
    const { gateway, doing, left, modify } = await resting();
    doing.meanwhile = () => void gateway.execution[Symbol.asyncDispose]();
    expect(await modify({ price: 1_499 })).toContain('the gateway is stopping');
    expect(left).toEqual(['BUY order']);
  });

  it('does not leave later than six seconds after it was decided', async () => {
    const { doing, left, modify } = await resting();
    doing.connectMs = 7_000;
    await modify({ price: 1_501 });
    expect(left).toEqual(['BUY order']);
  });
});
