import type { OrderRequest } from '../../src/domain/order.ts';
import { sleep } from '../../src/platform/clock.ts';
import type { CloseAllRequest } from '../../src/router/closings.ts';
import type { CancelAllRequest, ExitRequest } from '../../src/router/gateway.ts';
import {
  call,
  type CallersParts,
  type Heard,
  keepProblem,
  tellOrder,
  tellProblem,
} from './call.ts';
import { noteTried, noticeHeldBack, runCancelAlls } from './cancel-all-callers.ts';
import { createDice, type Dice } from './dice.ts';
import { type Holding, holdings, tradeThinly } from './held-positions.ts';
import type { ToldClosing } from './http-callers.ts';
import type { PlannedClosing } from './planned-closing.ts';
import { option } from './rich-orders.ts';
import { nameOf } from './world.ts';

/** The programs and the person who close many positions, and cancel many orders (plan-closings.ts). */
export async function runClosingCallers(parts: CallersParts): Promise<void> {
  const { closings = [], seed } = parts.world.plan;
  await Promise.all([
    ...closings.map((planned, index) =>
      closeOnce(parts, planned, createDice(`${seed}/closings/${index}`), index),
    ),
    runCancelAlls(parts),
  ]);
}

/** How long before a closing its program has bought and sold what is to be closed. */
const BEFORE_MS = 45_000;

async function closeOnce(
  parts: CallersParts,
  planned: PlannedClosing,
  dice: Dice,
  index: number,
): Promise<void> {
  const { world } = parts;
  const name = `closing-${index + 1}`;
  if (planned.hedge === 'by_caller') {
    await sleep(world.time, planned.at - BEFORE_MS - world.time.now());
    await placeHedge(parts, dice, planned, name);
  }
  await sleep(world.time, planned.at - world.time.now());
  const request = requestOf(holdings(world), planned, dice);
  const short = holdings(world).find(({ net, instrument }) => net < 0 && isOption(instrument));
  if (planned.thinMs !== null && short) {
    void tradeThinly(world, short.instrument, planned.thinMs, dice);
  }
  const { caller } = planned;
  const first = ask(parts, dice, { caller, key: name, request });
  void askBeside(parts, dice, planned, request, name);
  const told = await first;
  if (told === null || planned.cancelledAfterMs === null) return;
  await sleep(world.time, planned.cancelledAfterMs);
  world.timeline.note('caller', `${caller}: ends ${told.id}`);
  const context = { caller, idempotencyKey: null };
  await call(world, `${caller}/${name}`, (gateway) => gateway.cancelClosing(told.id, context));
}

const isOption = (instrument: string): boolean => instrument.startsWith('NFO');

function requestOf(held: readonly Holding[], planned: PlannedClosing, dice: Dice): CloseAllRequest {
  const { scope, side, holdings: named } = planned;
  const of = held.length > 0 ? dice.pick(held) : null;
  const one = planned.isOfOne && of !== null && of.product !== 'CNC' ? of : null;
  return {
    ...{ scope, side, holdings: one === null ? named : [] },
    broker: planned.isNamed && of !== null ? of.broker : null,
    ...{ instrument: one?.instrument ?? null, product: one?.product ?? null },
    includeUndelivered: dice.chance(0.5),
  };
}

/** The program sells an option, and buys another one that covers it. */
async function placeHedge(
  parts: CallersParts,
  dice: Dice,
  { caller }: PlannedClosing,
  name: string,
): Promise<void> {
  const { world } = parts;
  const product = dice.pick(['INTRADAY', 'MARGIN'] as const);
  const long = option(dice).instrument;
  const short = option(dice).instrument;
  const sides = [['BUY', long] as const, ['SELL', short] as const];
  for (const [side, instrument] of long === short ? [] : sides) {
    const key = `${name}-${side}`;
    const wanted = nameOf({ caller, key });
    const request: OrderRequest = {
      ...{ instrument, side, product, quantity: 130, orderType: 'MARKET', validity: 'DAY' },
      ...{ price: null, triggerPrice: null, amo: false, tag: null, broker: null, mode: null },
    };
    world.asked.orders.set(wanted, { request, instrument });
    world.timeline.note('caller', `${wanted}: ${side} 130 ${instrument}`);
    const heard = await call(world, wanted, (gateway) =>
      gateway.placeOrder(request, { caller, idempotencyKey: key }),
    );
    if (heard.kind === 'answer') tellOrder(parts, wanted, heard.value.order);
    if (heard.kind === 'problem') tellProblem(parts, wanted, heard, { of: 'placing' });
  }
}

/** What another program, or the same one, asks for at the same moment. */
async function askBeside(
  parts: CallersParts,
  dice: Dice,
  { beside, holdings: named }: PlannedClosing,
  request: CloseAllRequest,
  name: string,
): Promise<void> {
  const { world } = parts;
  const key = `${name}-beside`;
  if (beside === 'closing') {
    const scope = dice.pick(['mine', 'account'] as const);
    const caller = scope === 'mine' ? 'caller-1' : 'person';
    await ask(parts, dice, { caller, key, request: { ...request, scope, holdings: named } });
  }
  if (beside === 'cancel_all') {
    const all = { broker: null, instrument: null, product: null, side: null };
    const asked: CancelAllRequest = { scope: 'account', ...all };
    noteTried(world, asked, 'person');
    await call(world, `person/${key}`, (gateway) =>
      gateway.cancelAll(asked, { caller: 'person', idempotencyKey: key }),
    );
  }
  const of = holdings(world).filter(({ instrument }) => isOption(instrument));
  if (beside !== 'exit' || of.length === 0) return;
  const { broker, instrument, product } = dice.pick(of);
  const exit: ExitRequest = { kind: 'position', instrument, product, quantity: null, broker };
  world.asked.exits.set(`caller-1/${key}`, exit);
  await call(world, `caller-1/${key}`, (gateway) =>
    gateway.startExit(exit, { caller: 'caller-1', idempotencyKey: key }),
  );
}

/** Asks for a closing, and again under the same key until there is an answer; then looks at it. */
async function ask(
  parts: CallersParts,
  dice: Dice,
  {
    caller,
    key,
    request,
  }: { readonly caller: string; readonly key: string; readonly request: CloseAllRequest },
): Promise<ToldClosing | null> {
  const { world } = parts;
  const wanted = nameOf({ caller, key });
  world.asked.closings.set(wanted, { request, at: world.time.now() });
  world.timeline.note('caller', `${wanted}: closes ${JSON.stringify(request)}`);
  for (let tries = 0; tries < 8; tries += 1) {
    const keep = (each: Heard<ToldClosing>): void => {
      if (each.kind === 'problem') {
        keepProblem(parts, wanted, each, { of: 'closing', under: wanted });
      }
    };
    const heard = await call(
      world,
      wanted,
      (gateway) => gateway.closeAll(request, { caller, idempotencyKey: key }),
      { under: wanted, late: keep },
    );
    keep(heard);
    if (heard.kind === 'answer') {
      const { id, status, positions } = heard.value;
      const held = positions.map(({ instrument, net }) => `${net} ${instrument}`).join(', ');
      world.timeline.note('caller', `${wanted}: told ${id} ${status}: ${held}`);
      return heard.value;
    }
    if (heard.kind === 'problem') {
      const { fields } = heard.problem;
      world.timeline.note('caller', `${wanted}: told ${fields.code} (${fields.detail})`);
      noticeHeldBack(parts, wanted, heard.problem, true);
      if (fields.code === 'invalid_request' || fields.code === 'forbidden') return null;
    }
    await sleep(world.time, dice.between(500, 6_000));
  }
  return null;
}
