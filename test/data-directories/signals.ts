import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import { inProcessHttp, type InProcessReply } from '../support/in-process-http.ts';
import type { Brokers } from './brokers.ts';
import { createActions } from './actions.ts';
import { context, type Running } from './running.ts';

/** Friday 6 November 2026: alerts at a hook, a key that is stopped, and an exit with its leg on its way. */
export const SIGNALS = { start: '2026-11-06T11:00:00+05:30', day: '2026-11-06' };

const MARKET = { orderType: 'MARKET', price: null, product: 'INTRADAY' } as const;
const REFUSAL = { status: 'error', message: 'Insufficient funds.', data: null };
const REFUSED = JSON.stringify({ ...REFUSAL, error_type: 'MarginException' });
const TEMPLATE = {
  ...{ id: '{id}', maxQuantity: 100 },
  order: {
    ...{ instrument: 'NSE:{ticker}', side: '{action}', quantity: '{quantity}' },
    ...{ orderType: 'MARKET', product: 'INTRADAY' },
  },
};

/** Returns while requests are under way: copy the files then, and kill the gateway. */
export async function playSignals(brokers: Brokers, running: Running): Promise<void> {
  const actions = createActions(brokers, running, SIGNALS.day);
  brokers.act({ kind: 'price', instrument: 'NSE:INFY', paise: 150_000 });
  brokers.act({ kind: 'price', instrument: 'NSE:ITC', paise: 40_000 });
  await running.logIn();
  await actions.pause(2_000);
  const { post, begin } = await addHook(running);
  await addWebhook(running);
  const spoil = (kind: FaultKind, params: Record<string, string | number> = {}): void =>
    actions.spoil(kind, 'POST', '/orders', { params });
  await actions.place('for long', { ...MARKET, product: 'CNC', quantity: 5 });
  await actions.place('held', { ...MARKET, instrument: 'NSE:ITC', quantity: 40 });
  await post({ id: 'placed', ticker: 'INFY', action: 'buy', quantity: 7 });
  await actions.pause(1_500);
  spoil('error_before', { status: 400, body: REFUSED });
  await post({ id: 'refused', ticker: 'INFY', action: 'buy', quantity: 8 });
  await actions.pause(1_500);
  await post({ id: 'wrong', ticker: 'NOSUCH', action: 'buy', quantity: 1 });
  const stopped = running.composed.callers.add({ name: 'stopped', scope: 'trade' });
  running.composed.callers.setStop(stopped.caller.id, { reason: 'it misbehaves', by: 'admin' });
  await actions.pause(3_000);
  running.checkpoint();
  // From here on the receiver of events answers nothing: one of them is half delivered.
  running.receiver.hang();
  // The leg of an exit is at the broker, and its answer is on its way.
  spoil('hang_after');
  const exit = { kind: 'position', instrument: 'NSE:ITC', product: 'INTRADAY' } as const;
  await running.settle(
    running.composed.gateway.startExit({ ...exit, quantity: null, broker: 'alt' }, context('exit')),
  );
  await actions.pause(900);
  spoil('hang_after');
  begin({ id: 'on its way', ticker: 'SBIN', action: 'buy', quantity: 9 });
  await actions.pause(400);
  // Taken, and its order is not decided yet.
  await post({ id: 'taken', ticker: 'INFY', action: 'buy', quantity: 3 });
}

async function asAdmin(
  { composed, settle }: Pick<Running, 'composed' | 'settle'>,
  path: string,
  json: object,
) {
  const admin = readFileSync(join(composed.dataDirectory, 'admin-key'), 'utf8').trim();
  const headers = { authorization: `Bearer ${admin}` };
  const send = inProcessHttp(composed.apps.main);
  const made = await settle(send({ method: 'POST', path, headers, json }));
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}

const addWebhook = (running: Running) =>
  asAdmin(running, '/api/v1/webhooks', {
    ...{ url: 'https://events.example.com/', types: ['order.updated', 'signal.accepted'] },
  });

/** A key for real money with a hook, and what posts alerts to it. */
async function addHook({ composed, settle }: Pick<Running, 'composed' | 'settle'>) {
  const { caller } = composed.callers.add({ name: 'strategy', scope: 'trade', mode: 'live' });
  const asked = { name: 'breakout', key: caller.id, mode: 'live', template: TEMPLATE };
  const path = String((await asAdmin({ composed, settle }, '/api/v1/hooks', asked)).path);
  const hooks = inProcessHttp(composed.apps.hooks);
  const send = (alert: object): Promise<InProcessReply> =>
    hooks({ method: 'POST', path, text: JSON.stringify(alert) });
  return {
    async post(alert: object) {
      const { status, text } = await settle(send(alert));
      if (status !== 202) throw new Error(text);
    },
    begin: (alert: object) => void send(alert).catch(() => null),
  };
}
