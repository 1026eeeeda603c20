import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import type { TriggerLegTerms } from '../../src/domain/trigger.ts';
import type { Brokers } from './brokers.ts';
import { createActions, type Actions } from './actions.ts';
import { context, orderRequest, type Running } from './running.ts';

/** Friday 6 November 2026: triggers, an exit, a closing and a basket. */
export const TRIGGERS = { start: '2026-11-06T11:00:00+05:30', day: '2026-11-06' };

/** How long the rows of lost triggers are hidden: past the crash, so that the next start finds them. */
const HIDDEN_MS = 60_000;
const MARKET = { orderType: 'MARKET', price: null, product: 'INTRADAY' } as const;
const PATH = '/gtt/triggers';
const REFUSAL = { status: 'error', message: 'Invalid `quantity`.', data: null };
const REFUSED = JSON.stringify({ ...REFUSAL, error_type: 'InputException' });

/** What the scenario does with triggers. A call that is begun goes on while the clock is advanced. */
interface Triggers {
  /** Places a stop for ten shares of NSE:INFY, which trades at 1,500 rupees. */
  begin(key: string, triggerPrice: number): Promise<unknown>;
  place(key: string, triggerPrice: number): Promise<string>;
  /** The id of the trigger under a key. */
  find(key: string): string;
  remove(key: string): Promise<unknown>;
  change(key: string, triggerPrice: number): Promise<unknown>;
  spoil(kind: FaultKind, method: string, more?: Partial<FaultRule>): void;
}

/** Returns while requests are under way: copy the files then, and kill the gateway. */
export async function playTriggers(brokers: Brokers, running: Running): Promise<void> {
  const actions = createActions(brokers, running, TRIGGERS.day);
  const triggers = createTriggers(brokers, running);
  brokers.act({ kind: 'price', instrument: 'NSE:INFY', paise: 150_000 });
  brokers.act({ kind: 'price', instrument: 'NSE:ITC', paise: 40_000 });
  await running.logIn();
  await actions.pause(2_000);
  await playEnds(brokers, running, actions, triggers);
  await playChanges(running, actions, triggers);
  await actions.place('held', { ...MARKET, instrument: 'NSE:ITC', quantity: 40 });
  await actions.place('held, too', { ...MARKET, instrument: 'NSE:SBIN', quantity: 30 });
  await playUncertain(running, actions, triggers);
  running.checkpoint();
  await playOpen(running, actions, triggers);
}

async function playEnds(
  brokers: Brokers,
  running: Running,
  actions: Actions,
  triggers: Triggers,
): Promise<void> {
  await triggers.place('triggered', 1_490);
  brokers.act({ kind: 'price', instrument: 'NSE:INFY', paise: 148_900 });
  await actions.pause(40_000);
  brokers.act({ kind: 'price', instrument: 'NSE:INFY', paise: 150_000 });
  await actions.pause(2_000);
  triggers.spoil('error_before', 'POST', { params: { status: 400, body: REFUSED } });
  await triggers.place('refused', 1_481);
  triggers.spoil('refuse', 'POST');
  await triggers.place('never left', 1_482);
  await triggers.place('ended', 1_483);
  await running.settle(triggers.remove('ended'));
  triggers.spoil('hang_before', 'POST');
  const absent = await triggers.place('called absent', 1_484);
  const { gateway } = running.composed;
  await running.settle(gateway.resolveTrigger(absent, { kind: 'absent' }, context('word')));
}

async function playChanges(running: Running, actions: Actions, triggers: Triggers): Promise<void> {
  await triggers.place('waiting', 1_450);
  await triggers.place('changed', 1_451);
  await running.settle(triggers.change('changed', 1_446));
  await triggers.place('change refused', 1_452);
  triggers.spoil('error_before', 'PUT', { params: { status: 400, body: REFUSED } });
  await running.settle(triggers.change('change refused', 1_447));
  await triggers.place('deletion refused', 1_453);
  triggers.spoil('error_before', 'DELETE', { params: { status: 400, body: REFUSED } });
  await running.settle(triggers.remove('deletion refused'));
  for (const [key, price] of Object.entries({ changing: 1_454, deleting: 1_455, lost: 1_456 })) {
    await triggers.place(key, price);
  }
  await actions.pause(2_000);
}

/** Lost answers: rows that appear late, one that never appears, a deletion that waits for its row. */
async function playUncertain(
  running: Running,
  actions: Actions,
  triggers: Triggers,
): Promise<void> {
  for (const [key, price] of Object.entries({ late: 1_461, 'late, to be deleted': 1_462 })) {
    triggers.spoil('late_rows', 'POST', { params: { delayMs: HIDDEN_MS } });
    triggers.spoil('hang_after', 'POST');
    void triggers.begin(key, price);
    await actions.pause(1_000);
  }
  triggers.spoil('hang_before', 'POST');
  void triggers.begin('never there', 1_463);
  triggers.spoil('hang_before', 'PUT');
  void triggers.change('lost', 1_448);
  await actions.pause(16_000);
  await running.settle(triggers.remove('late, to be deleted'));
}

/** Requests of every kind are under way at once. */
async function playOpen(running: Running, actions: Actions, triggers: Triggers): Promise<void> {
  const { gateway } = running.composed;
  triggers.spoil('hang_after', 'POST');
  void triggers.begin('sending', 1_471);
  await actions.pause(60);
  triggers.spoil('hang_after', 'PUT');
  void triggers.change('changing', 1_449);
  await actions.pause(60);
  triggers.spoil('hang_before', 'DELETE');
  void triggers.remove('deleting');
  await actions.pause(60);
  actions.spoil('hang_after', 'POST', '/orders');
  const orders = [5, 6].map((quantity) => ({
    request: orderRequest({ quantity }),
    clientOrderId: `basket ${quantity}`,
  }));
  void quietly(gateway.placeBasket({ orders, ordered: true, dryRun: false }, 'trader'));
  await actions.pause(60);
  const exit = { kind: 'position', instrument: 'NSE:ITC', product: 'INTRADAY' } as const;
  await running.settle(
    gateway.startExit({ ...exit, quantity: null, broker: 'alt' }, context('exit')),
  );
  const closing = { broker: 'alt', instrument: 'NSE:SBIN', product: null, side: null } as const;
  const asked = { ...closing, scope: 'mine', holdings: [], includeUndelivered: false } as const;
  await running.settle(gateway.closeAll(asked, context('closing')));
}

// A refusal is one of the wanted outcomes; the trigger then says what became of it.
const quietly = (work: Promise<unknown>): Promise<unknown> => work.catch(() => null);

function createTriggers(brokers: Brokers, running: Running): Triggers {
  const { gateway, execution } = running.composed;
  const legOf = (triggerPrice: number): TriggerLegTerms => ({
    ...{ triggerPrice, price: triggerPrice - 1, side: 'SELL', quantity: 10, product: 'CNC' },
  });
  const begin = (key: string, triggerPrice: number): Promise<unknown> =>
    quietly(
      gateway.placeTrigger(
        {
          ...{ instrument: 'NSE:INFY', legs: [legOf(triggerPrice)], broker: 'alt' },
          ...{ mode: null, lastPrice: 1_500 },
        },
        context(key),
      ),
    );
  function find(key: string): string {
    const all = [...execution.state.triggers.values()];
    const found = all.find(({ idempotencyKey }) => idempotencyKey === key);
    if (found) return found.id;
    throw new Error(`there is no trigger "${key}"`);
  }
  return {
    begin,
    async place(key, triggerPrice) {
      await running.settle(begin(key, triggerPrice));
      return find(key);
    },
    find,
    remove: (key) => quietly(gateway.deleteTrigger(find(key), context('delete'))),
    change: (key, triggerPrice) =>
      quietly(
        gateway.modifyTrigger(
          find(key),
          { legs: [{ triggerPrice, quantity: null, price: null }], lastPrice: 1_500 },
          context('change'),
        ),
      ),
    spoil(kind, method, more = {}) {
      const match = { method, path: PATH };
      brokers.act({ kind: 'fault', rule: { broker: 'kite', kind, match, times: 1, ...more } });
    },
  };
}
