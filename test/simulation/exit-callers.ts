import { passesByItself } from '../../src/domain/problem.ts';
import { isOver } from '../../src/execution/order/order.ts';
import { sleep } from '../../src/platform/clock.ts';
import type { ExitRequest } from '../../src/router/gateway.ts';
import { placeMany, sellBeside } from './burst.ts';
import { call, type CallersParts, type Heard, keepProblem } from './call.ts';
import { violation } from './checks/violation.ts';
import { createDice, type Dice } from './dice.ts';
import { type Holding, holdings, tradeApart, tradeThinly } from './held-positions.ts';
import type { ToldExit } from './http-callers.ts';
import type { PlannedExit } from './planned-exit.ts';
import { nameOf, type World } from './world.ts';

/** The programs and people who ask for ways out, each at its moment (plan-exits.ts). */
export async function runExitCallers(parts: CallersParts): Promise<void> {
  const { world } = parts;
  const { exits = [], seed } = world.plan;
  await Promise.all(
    exits.map((planned, index) =>
      exitOnce(parts, planned, createDice(`${seed}/exits/${index}`), index),
    ),
  );
}

async function exitOnce(
  parts: CallersParts,
  planned: PlannedExit,
  dice: Dice,
  index: number,
): Promise<void> {
  const { world } = parts;
  await sleep(world.time, planned.at - world.time.now());
  const request = requestOf(world, planned, dice);
  const instrument = request.kind === 'position' ? request.instrument : null;
  if (planned.thinMs !== null && instrument !== null) {
    void tradeThinly(world, instrument, planned.thinMs, dice);
  }
  const { caller, beside, parted } = planned;
  if (parted !== undefined && instrument !== null) void tradeApart(world, instrument, parted);
  placeMany(parts, { caller, key: `exit-${index + 1}`, count: planned.burst });
  if (planned.sale !== undefined && instrument !== null) {
    void sellBeside(parts, { key: `exit-${index + 1}-sale`, instrument, ...planned.sale });
  }
  const first = ask(parts, dice, { caller, key: `exit-${index + 1}`, request });
  if (beside !== null) {
    const other = beside === 'same' ? request : requestOf(world, { ...planned, of: 'share' }, dice);
    void ask(parts, dice, { caller: 'caller-1', key: `exit-${index + 1}-beside`, request: other });
  }
  const told = await first;
  if (told === null || planned.cancelledAfterMs === null) return;
  await sleep(world.time, planned.cancelledAfterMs);
  world.timeline.note('caller', `${caller}: cancels ${told.id}`);
  const context = { caller, idempotencyKey: null };
  await call(world, `${caller}/exit-${index + 1}`, (gateway) =>
    gateway.cancelExit(told.id, context),
  );
}

/** Asks for a way out, and again under the same key until there is an answer. */
async function ask(
  parts: CallersParts,
  dice: Dice,
  {
    caller,
    key,
    request,
  }: { readonly caller: string; readonly key: string; readonly request: ExitRequest },
): Promise<ToldExit | null> {
  const { world } = parts;
  const wanted = nameOf({ caller, key });
  world.asked.exits.set(wanted, request);
  world.timeline.note('caller', `${wanted}: exit ${JSON.stringify(request)}`);
  for (let tries = 0; tries < 6; tries += 1) {
    const keep = (each: Heard<ToldExit>): void => {
      if (each.kind === 'problem') {
        keepProblem(parts, wanted, each, { of: 'exit', under: wanted });
      }
    };
    const heard = await call(
      world,
      wanted,
      (gateway) => gateway.startExit(request, { caller, idempotencyKey: key }),
      { under: wanted, late: keep },
    );
    keep(heard);
    if (heard.kind === 'answer') {
      world.timeline.note('caller', `${wanted}: told ${heard.value.id} ${heard.value.status}`);
      return heard.value;
    }
    if (heard.kind === 'problem') {
      const { code, detail } = heard.problem.fields;
      world.timeline.note('caller', `${wanted}: told ${code} (${detail})`);
      if (BRAKES.has(code)) parts.notice(violation('L16', `${wanted} was refused: ${detail}`));
      if (!passesByItself(code) || code === 'exit_running') return null;
    }
    await sleep(world.time, dice.between(500, 6_000));
  }
  return null;
}

/** What holds entries back, and no exit. */
const BRAKES: ReadonlySet<string> = new Set(['kill_switch', 'limit_reached', 'recovering']);

function requestOf(world: World, planned: PlannedExit, dice: Dice): ExitRequest {
  if (planned.of === 'order') {
    const orderId = openOrder(world, dice);
    if (orderId !== null) return { kind: 'order', orderId };
  }
  const held = holdings(world).filter(
    ({ instrument, product }) =>
      planned.instrument === undefined ||
      (instrument === planned.instrument && product === (planned.product ?? 'INTRADAY')),
  );
  const isOption = planned.of === 'option';
  const liked = held.filter(({ instrument }) => instrument.startsWith('NFO') === isOption);
  // Of a planned share, whoever asks believes that there still is some.
  const isBelieved = planned.instrument !== undefined;
  const none = {
    instrument: planned.instrument ?? 'NSE:ITC',
    product: planned.product ?? 'INTRADAY',
    net: 0,
  } as const;
  const live = world.plan.tradingRoute.includes('alt') ? 'alt' : 'primary';
  const nothing: Holding = { broker: isBelieved ? live : 'alt', ...none };
  const choices = liked.length > 0 ? liked : held.length > 0 ? held : [nothing];
  const { broker, instrument, product, net } = dice.pick(choices);
  const step = instrument.startsWith('NFO') ? 65 : 1;
  const part = Math.floor((Math.abs(net) * dice.pick([0.3, 0.5, 0.9])) / step) * step;
  return {
    ...{ kind: 'position', instrument, product },
    quantity: planned.isPart && part > 0 ? part : null,
    ...(planned.cancelExternal ? { cancelExternal: true } : {}),
    broker: planned.isNamed && (net !== 0 || isBelieved) ? broker : null,
  };
}

/** An order that rests, by the journal: callers know the ids of theirs. */
function openOrder(world: World, dice: Dice): string | null {
  const state = world.current()?.composed?.execution.state;
  const open = [...(state?.orders.values() ?? [])].filter(
    (order) => !isOver(order) && order.parentId === null && !order.idempotencyKey.includes('#'),
  );
  return open.length === 0 ? null : dice.pick(open).id;
}
