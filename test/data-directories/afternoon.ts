import { createActions, type Actions } from './actions.ts';
import { context, type Running } from './running.ts';
import type { Brokers } from './brokers.ts';

/** Friday 6 November 2026, an ordinary trading day. */
export const AFTERNOON = { start: '2026-11-06T11:00:00+05:30', day: '2026-11-06' };

/** How long the rows of lost orders are hidden: past the crash, so that the next start finds them. */
const HIDDEN_MS = 60_000;
const MARKET = { orderType: 'MARKET', price: null } as const;
const ITC = { instrument: 'NSE:ITC', quantity: 250 } as const;

/** Returns while requests are under way: copy the files then, and kill the gateway. */
export async function playAfternoon(brokers: Brokers, running: Running): Promise<void> {
  const actions = createActions(brokers, running, AFTERNOON.day);
  brokers.act({ kind: 'price', instrument: 'NSE:INFY', paise: 150_000 });
  brokers.act({ kind: 'price', instrument: 'NSE:ITC', paise: 40_000 });
  await running.logIn();
  running.composed.callers.add({ name: 'screen', scope: 'read' });
  await actions.pause(2_000);
  await playEnds(brokers, running, actions);
  await playChanges(actions);
  await playDispute(brokers, actions);
  await playUncertain(actions);
  running.checkpoint();
  await playOpen(running, actions);
}

/** Each of the final statuses, slices, and the paper account. */
async function playEnds(brokers: Brokers, running: Running, actions: Actions): Promise<void> {
  await actions.place('filled', MARKET);
  await actions.place('paper filled', { ...MARKET, broker: 'paper' });
  await actions.place('paper resting', { broker: 'paper' });
  await actions.place('sliced', { ...ITC, ...MARKET });
  await actions.place('refused', { price: 3_000 });
  await actions.place('thrown out', { quantity: 90_000 });
  await actions.pause(2_000);
  actions.spoil('refuse', 'POST', '/orders');
  await actions.place('never left');
  actions.spoil('refuse', 'POST', '/orders');
  await actions.place('failed over', { broker: null, quantity: 3 });

  const cancelled = await actions.place('cancelled');
  const partial = await actions.place('partial', { quantity: 30 });
  await actions.pause(2_000);
  const row = brokers.sandbox.kite.orders().at(-1);
  if (row?.quantity !== 30) throw new Error('the last row of the book is another order');
  brokers.act({ kind: 'fill', broker: 'kite', orderId: row.orderId, quantity: 12, paise: 147_000 });
  await actions.pause(6_000);
  await actions.cancel(cancelled);
  await actions.cancel(partial);

  actions.spoil('hang_before', 'POST', '/orders');
  const absent = await actions.place('called absent');
  const word = { kind: 'absent' } as const;
  await running.settle(running.composed.gateway.resolveOrder(absent, word, context('word')));
}

/** Modifications and cancels, with each outcome that one can have. */
async function playChanges(actions: Actions): Promise<void> {
  const resting = await actions.place('modified', { quantity: 20 });
  await actions.pause(2_000);
  await actions.modify(resting, 1_465);
  await actions.modify(resting, 3_000);
  actions.spoil('refuse', 'PUT', '/orders');
  await actions.modify(resting, 1_466);
  actions.spoil('hang_before', 'PUT', '/orders');
  await actions.modify(resting, 1_467);

  // Still on its way to the exchange, it cannot be cancelled yet.
  await actions.cancel(await actions.place('cancelled on its way', { quantity: 4 }));
  const second = await actions.place('cancelled at the second try', { quantity: 5 });
  await actions.pause(2_000);
  actions.spoil('refuse', 'DELETE', '/orders');
  await actions.cancel(second);
  const third = await actions.place('cancel without an effect', { quantity: 6 });
  await actions.pause(2_000);
  actions.spoil('hang_before', 'DELETE', '/orders');
  await actions.cancel(third);
}

/** The answer is lost, and a person has placed an equal order: nobody can tell which row is ours. */
async function playDispute(brokers: Brokers, actions: Actions): Promise<void> {
  actions.lose('/order', 5_000);
  actions.begin('disputed', { broker: 'primary', quantity: 7 });
  await actions.pause(1_000);
  const twin = { instrument: 'NSE:INFY', side: 'BUY', quantity: 7, limitPaise: 147_000 } as const;
  brokers.act({ kind: 'hand', broker: 'primary', order: { ...twin, product: 'delivery' } });
  await actions.pause(30_000);
}

/** Lost answers: rows that appear late, a row that never appears, a cancel that waits for its row. */
async function playUncertain(actions: Actions): Promise<void> {
  actions.lose('/orders', HIDDEN_MS);
  actions.begin('late', { quantity: 11 });
  await actions.pause(1_000);
  actions.lose('/orders', HIDDEN_MS);
  actions.begin('late, to be cancelled', { quantity: 12 });
  await actions.pause(1_000);
  actions.spoil('hang_before', 'POST', '/orders');
  actions.begin('never there', { quantity: 13 });
  await actions.pause(1_000);
  actions.lose('/order', HIDDEN_MS);
  actions.begin('late at the primary', { broker: 'primary', quantity: 14 });
  await actions.pause(9_000);
  await actions.cancel(await actions.find('late, to be cancelled'));
}

/** Requests of every kind are under way at once. */
async function playOpen(running: Running, actions: Actions): Promise<void> {
  await actions.place('paper resting, too', { broker: 'paper', quantity: 21 });
  const cancelling = await actions.place('being cancelled', { quantity: 15 });
  const modifying = await actions.place('being modified', { quantity: 16 });
  await actions.pause(2_000);
  actions.spoil('hang_after', 'POST', '/orders');
  actions.begin('sending', { quantity: 17 });
  await actions.pause(60);
  actions.spoil('hang_before', 'POST', '/orders');
  actions.begin('sending, never there', { quantity: 18 });
  await actions.pause(60);
  actions.spoil('hang_after', 'DELETE', '/orders');
  actions.beginCancel(cancelling);
  await actions.pause(60);
  actions.spoil('hang_after', 'PUT', '/orders');
  actions.beginModify(modifying, 1_471);
  await actions.pause(60);
  // The first slice is taken, the second is on its way, the third has not left.
  actions.begin('slices', { ...ITC, price: 395 });
  await actions.pause(10);
  actions.spoil('hang_after', 'POST', '/orders');
  await actions.pause(60);
  // The first broker does not have it; before it goes to the next, that one's book is read.
  actions.spoil('refuse', 'POST', '/orders');
  actions.spoil('hang_before', 'GET', '/order-book');
  actions.begin('between two brokers', { broker: null, quantity: 19 });
  await actions.pause(60);
  const { gateway } = running.composed;
  await running.settle(gateway.setKillSwitch(true, 'rehearsal', context('kill switch')));
}
