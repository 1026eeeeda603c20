import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { OrderModification } from '../../../src/domain/order.ts';
import { attemptsOfOrder } from '../../../src/execution/journal/state.ts';
import { asShown, rowAsShown } from '../../../src/execution/order/accepted-terms.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { modifyAttempt } from '../support/attempts.ts';
import { accountWith, EXIT, settled, tried } from '../support/exit-account.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { bookRow, ist, position } from '../support/makers.ts';
import { fieldsOf } from '../support/order-fields.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};
const HOUR_MS = 3_600_000;

/** An order for ten at 1500 that works; its book is written by the test. */
async function workingOrder() {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  const [placed] = broker.placed;
  const own = rowAt(time, { tags: [placed?.tag ?? ''] });
  /** Shows its row, last changed so long from now (ms). */
  const show = (changedIn: number | null, parts: Partial<BrokerOrder> = {}): void => {
    const updatedAt = changedIn === null ? null : epochMs(time.now() + changedIn);
    broker.rows = [{ ...own, updatedAt, ...parts }];
  };
  show(0);
  await time.advance(2_000);
  return { time, broker, gateway, show, now: () => fieldsOf(gateway.order(id)), id };
}

const RAISED = { quantity: 30, price: 1_510 };

describe('an open row that is older than the one before, by its time of change', () => {
  it.each([
    ['lacks its last time of change from now on', -1_000],
    ['is dated in another time zone from now on', -5.5 * HOUR_MS],
  ])('is left aside at first, and believed after ten seconds: it %s', async (_, changedIn) => {
    const { time, show, now } = await workingOrder();
    show(0);
    await time.advance(2_000);
    show(changedIn - 2_000, RAISED);
    await time.advance(6_000);
    expect(now().terms).toMatchObject({ quantity: 10, price: 1_500 });
    await time.advance(6_000);
    expect(now().terms).toMatchObject(RAISED);
  });

  it('is not believed where a read in between shows the newer one: a book can be of the past', async () => {
    const { time, show, now } = await workingOrder();
    for (let turn = 0; turn < 6; turn += 1) {
      show(-60_000, RAISED);
      await time.advance(4_000);
      show(0);
      await time.advance(2_000);
      expect(now().terms).toMatchObject({ quantity: 10, price: 1_500 });
    }
  });

  it('takes back no fill where it tells fewer, and its terms are believed', async () => {
    const { time, show, now } = await workingOrder();
    show(0, { filledQuantity: 6 });
    await time.advance(2_000);
    show(0, { filledQuantity: 4, ...RAISED });
    await time.advance(6_000);
    expect(now()).toMatchObject({ filledQuantity: 6, terms: { quantity: 10 } });
    await time.advance(8_000);
    expect(now()).toMatchObject({ status: 'working', filledQuantity: 6, terms: RAISED });
  });
});

describe('a row that was changed in the future, as it says', () => {
  it('makes no later row an older one', async () => {
    const { time, show, now } = await workingOrder();
    show(24 * HOUR_MS);
    await time.advance(2_000);
    show(0, RAISED);
    await time.advance(2_000);
    expect(now().terms).toMatchObject(RAISED);
  });

  it('does so neither after a restart', async () => {
    const { time, gateway, show, now } = await workingOrder();
    show(24 * HOUR_MS);
    await time.advance(2_000);
    await gateway.restart();
    show(0, RAISED);
    await time.advance(3_000);
    expect(now().terms).toMatchObject(RAISED);
  });

  it('says nothing against a modification that was accepted after it', async () => {
    const { time, gateway, show, now, id } = await workingOrder();
    show(24 * HOUR_MS);
    await time.advance(2_000);
    await time.settle(gateway.execution.amend(id, { ...NOTHING, quantity: 30 }, null));
    const { state } = gateway.execution;
    const shown = asShown(gateway.order(id), attemptsOfOrder(state, id), time.now());
    expect(shown.terms.quantity).toBe(30);
    expect(now().terms.quantity).toBe(10);
  });

  it('says as little of an order placed elsewhere', () => {
    const at = ist('2026-11-05T11:00:00');
    const row = bookRow({ updatedAt: epochMs(at + 24 * HOUR_MS) });
    const accepted = modifyAttempt({
      changes: { ...NOTHING, price: 1_490 },
      state: { kind: 'acknowledged', settledAt: at, brokerOrderId: 'b1' },
    });
    expect(rowAsShown(row, [accepted], epochMs(at + 1_000)).price).toBe(1_490);
  });

  it('hides nothing that an order still sells from the kill switch', async () => {
    const account = await accountWith(
      (broker) => {
        broker.positions = [position({ quantity: 30 })];
      },
      { isEngaged: false },
    );
    const { time, broker, gateway } = account;
    expect(await settled(time, tried(account, { ...EXIT, quantity: 10 }))).toBe('working');
    const [placed] = broker.placed;
    const row = rowAt(time, {
      ...{ ...EXIT, quantity: 10, tags: [placed?.tag ?? ''] },
      updatedAt: epochMs(time.now() + 24 * HOUR_MS),
    });
    broker.rows = [row];
    await time.advance(2_000);
    broker.rows = [{ ...row, quantity: 30, updatedAt: epochMs(time.now()) }];
    await time.advance(2_000);
    const engaged = gateway.execution.setKillSwitch({
      engaged: true,
      reason: null,
      changedBy: null,
    });
    await time.settle(engaged);
    expect(await settled(time, tried(account, { ...EXIT, quantity: 20 }))).toBe('kill_switch');
    expect(broker.placed).toHaveLength(1);
  });
});
