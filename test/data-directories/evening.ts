import { createActions, type Actions } from './actions.ts';
import type { Running } from './running.ts';
import type { Brokers } from './brokers.ts';

/** Thursday 5 November 2026, after the close: after-market orders. */
export const EVENING = { start: '2026-11-05T20:00:00+05:30', day: '2026-11-05' };

/** How long rows of lost orders are hidden: until the next morning. */
const HIDDEN_MS = 12 * 3_600_000;
const MARKET = { orderType: 'MARKET', price: null } as const;

/** Returns while a request is under way: copy the files then, and kill the gateway. */
export async function playEvening(brokers: Brokers, running: Running): Promise<void> {
  const actions = createActions(brokers, running, EVENING.day);
  brokers.act({ kind: 'price', instrument: 'NSE:INFY', paise: 150_000 });
  brokers.act({ kind: 'price', instrument: 'NSE:ITC', paise: 40_000 });
  await running.logIn();
  await actions.pause(2_000);
  await playTaken(actions);
  running.checkpoint();
  await playOpen(actions);
}

async function playTaken(actions: Actions): Promise<void> {
  await actions.place('resting', { amo: true });
  await actions.place('at the market', { ...MARKET, amo: true });
  await actions.place('sliced', { instrument: 'NSE:ITC', quantity: 250, ...MARKET, amo: true });
  await actions.place('at the primary', { broker: 'primary', quantity: 3, amo: true });
  const cancelled = await actions.place('cancelled', { quantity: 4, amo: true });
  await actions.pause(2_000);
  await actions.cancel(cancelled);
  await actions.pause(6_000);
}

async function playOpen(actions: Actions): Promise<void> {
  actions.lose('/orders', HIDDEN_MS);
  actions.begin('late', { quantity: 11, amo: true });
  await actions.pause(1_000);
  actions.lose('/orders', HIDDEN_MS);
  actions.begin('late, to be cancelled', { quantity: 12, amo: true });
  await actions.pause(1_000);
  actions.spoil('hang_before', 'POST', '/orders');
  actions.begin('never there', { quantity: 13, amo: true });
  await actions.pause(9_000);
  await actions.cancel(await actions.find('late, to be cancelled'));
  actions.spoil('hang_after', 'POST', '/orders');
  actions.begin('sending', { quantity: 14, amo: true });
  await actions.pause(60);
}
