import { sleep } from '../../src/platform/clock.ts';
import type { InProcessReply } from '../support/in-process-http.ts';
import { call, type CallersParts, type Heard } from './call.ts';
import { createDice, type Dice } from './dice.ts';
import {
  bodyOf,
  HOOKS,
  keyOfAlert,
  ordersOf,
  type PlayedHook,
  type PostedSignal,
} from './signal-hooks.ts';

/** As TradingView does: after an error of the server it posts an alert up to three times more, five seconds apart. */
const AGAIN_MS = 5_000;
const TIMES = 4;
const TICKERS = ['INFY', 'SBIN', 'ITC', 'RELIANCE'] as const;

/** The programs that post alerts to hooks: once, again after errors, and again although they were answered. */
export async function runSignalCallers(parts: CallersParts): Promise<void> {
  const { plan, time } = parts.world;
  const { signals, seed, hours } = plan;
  if (!signals) return;
  const dice = createDice(`${seed}/signals`);
  const alerts: Promise<void>[] = [];
  let number = 0;
  for (const { from, until } of hours.placing) {
    await sleep(time, from - time.now());
    for (let left = signals.each; left > 0; left -= 1) {
      await sleep(time, dice.between(0, (until - time.now()) / left));
      number += 1;
      alerts.push(raise(parts, createDice(`${seed}/signals/${number}`), number));
    }
  }
  await Promise.all(alerts);
}

async function raise(parts: CallersParts, dice: Dice, number: number): Promise<void> {
  const { world } = parts;
  const { repeats = 0 } = world.plan.signals ?? {};
  const hook = dice.pick([...HOOKS, HOOKS[0]]);
  const alert: PostedSignal = {
    ...{ id: `alert ${number}`, action: dice.chance(0.6) ? 'buy' : 'sell', at: world.time.now() },
    tickers: hook.isList ? [...TICKERS].slice(0, dice.whole(2, 4)) : [dice.pick(TICKERS)],
    quantity: dice.pick([1, 2, 7, 100]),
  };
  for (const [index, request] of ordersOf(hook, alert).entries()) {
    const wanted = `${hook.caller}/${keyOfAlert(hook, alert.id, index)}`;
    world.asked.orders.set(wanted, { request, instrument: request.instrument });
  }
  world.timeline.note('caller', `${hook.id}: raises ${bodyOf(hook, alert)}`);
  if (dice.chance(repeats)) void post(parts, hook, alert);
  let isAccepted = false;
  for (let tries = 0; tries < TIMES; tries += 1) {
    const heard = await post(parts, hook, alert);
    isAccepted ||= heard.kind === 'answer' && heard.value.status === 202;
    if (heard.kind === 'answer' && heard.value.status < 500) break;
    await sleep(world.time, AGAIN_MS);
  }
  while (dice.chance(repeats)) {
    await sleep(world.time, dice.pick([50, 2_000, 30_000, 200_000]));
    // Another alert under the same id, now and then.
    const isOther = isAccepted && dice.chance(0.2);
    await post(parts, hook, isOther ? { ...alert, quantity: alert.quantity + 1 } : alert, isOther);
  }
}

async function post(
  parts: CallersParts,
  hook: PlayedHook,
  alert: PostedSignal,
  isOther = false,
): Promise<Heard<InProcessReply>> {
  const { world } = parts;
  const { asked, time, timeline } = world;
  const wanted = alert.tickers.map(
    (_, index) => `${hook.caller}/${keyOfAlert(hook, alert.id, index)}`,
  );
  const [first = ''] = wanted;
  const on = wanted.length === 1 ? first : `${hook.caller}/${alert.id}`;
  // One request is about several orders, as that of a basket.
  if (wanted.length > 1) asked.baskets.set(on, { wanted, ordered: false, isWrong: false });
  const posted = { at: time.now(), hook, alert, wanted, isOther };
  const heard = await call(world, on, (gateway) =>
    gateway.postAlert(hook.secret, bodyOf(hook, alert)),
  );
  const status = heard.kind === 'answer' ? heard.value.status : null;
  const signalId =
    status === 202 ? String(heard.kind === 'answer' && heard.value.body.data.id) : null;
  asked.alerts.push({ ...posted, answeredAt: time.now(), status, signalId });
  const code = heard.kind === 'answer' ? (heard.value.body?.code ?? '') : 'connection lost';
  timeline.note('caller', `${hook.id} ${alert.id}: ${status ?? ''} ${signalId ?? String(code)}`);
  return heard;
}
