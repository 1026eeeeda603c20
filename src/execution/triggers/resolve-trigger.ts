import type { BrokerTrigger } from '../../domain/trigger.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Decision } from '../../platform/single-writer.ts';
import { CommitError } from '../../platform/single-writer.ts';
import { sha256 } from '../../platform/secret.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { EpochMs, TradingDay, TriggerId } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { conflict } from '../submit/request-identity.ts';
import { stateProblem, unknownTrigger } from './trigger-problems.ts';
import type { TriggerChangeKey } from './decide-trigger-change.ts';
import { callAbsent } from './decide-trigger-read.ts';
import { couldBe, hasTerms, ownerOf } from './match-trigger.ts';
import { largestTerms } from './terms-at-broker.ts';
import type { ChangeResult, TriggerParts } from './trigger-parts.ts';
import { isFillUnknown, ordersOfTrigger, type TriggerRecord, triggerChangeKey } from './trigger.ts';
import { ordersTold, quantityOf, type ToldFill, type TriggerOrder } from './trigger-order.ts';
import { createTriggerUnit } from './trigger-unit.ts';

/** A person's word on what became of a trigger whose outcome is open. */
export type TriggerWord =
  | { readonly kind: 'placed'; readonly triggerId: string; readonly force: boolean }
  | { readonly kind: 'absent' }
  /** What its order has filled, which no book tells any more. */
  | ({ readonly kind: 'filled' } & ToldFill);

export interface ResolveTriggerCommand {
  readonly id: TriggerId;
  readonly word: TriggerWord;
  /** The caller who says it. */
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
}

export type ResolveTrigger = (command: ResolveTriggerCommand) => Promise<ChangeResult>;

/**
 * Takes a person's word on an uncertain trigger, or on one that was called absent. A trigger that is named has to
 * be in the broker's list now, be nobody else's, and have the same terms unless the word is forced. Of one that may
 * have placed an order, a person says how much that has filled, where no list and no book tells it any more.
 */
export function createResolveTrigger(parts: TriggerParts): ResolveTrigger {
  const { writer, journal, clock, ids } = parts;
  const { state } = writer;

  return async function resolve({ id, word, caller, ...asked }): Promise<ChangeResult> {
    const idempotencyKey = asked.idempotencyKey ?? ids.uuid7(clock.now());
    const key: TriggerChangeKey = {
      ...{ triggerId: id, kind: 'resolve', caller, idempotencyKey },
      requestHash: sha256(JSON.stringify(word)),
    };
    const known = await journal.triggerChange(key);
    const trigger = state.triggers.get(id) ?? (await journal.trigger(id));
    if (trigger === null) throw unknownTrigger(id);
    if (known !== null) {
      if (known.requestHash !== key.requestHash) throw conflict(idempotencyKey, null);
      return { trigger, change: known, idempotencyKey, repeated: true };
    }
    if (!state.triggers.has(id)) throw stateProblem(trigger, 'nothing about it can change');
    const row = word.kind === 'placed' ? await rowOf(trigger, word) : null;
    try {
      await writer.submit((current) => decideResolve(current, { key, word, row, at: clock.now() }));
    } catch (error) {
      if (!(error instanceof CommitError)) throw error;
      const detail =
        'the resolution could not be written to disk, so nothing has changed: send it again';
      const fields = { code: 'journal_unavailable', detail, mayHaveExecuted: false } as const;
      throw new GatewayProblem(fields, error);
    }
    parts.changed.notify();
    parts.watches.get(trigger.broker)?.wake();
    const change = state.triggerChanges.get(triggerChangeKey(key)) ?? null;
    const now = required(state.triggers, id, 'trigger');
    return { trigger: now, change, idempotencyKey, repeated: false };
  };

  /** The row that a person has named, by a list that is read now. Rejects where the list cannot be read. */
  async function rowOf(
    { broker, terms }: TriggerRecord,
    { triggerId, force }: Extract<TriggerWord, { kind: 'placed' }>,
  ): Promise<BrokerTrigger> {
    const watch = parts.watches.get(broker);
    if (!watch) {
      const detail = `${broker} is not configured: its triggers cannot be read`;
      throw new GatewayProblem({ code: 'no_broker', detail, mayHaveExecuted: false });
    }
    const { list } = await watch.read(clock.elapsed());
    const row = list.triggers.find((each) => each.triggerId === triggerId);
    if (!row)
      throw refused(`${broker} has no trigger ${triggerId} in its list, or it cannot be read`);
    if (force || hasTerms(row, terms)) return row;
    throw refused(`trigger ${triggerId} at ${broker} has other terms: say force if it is this one`);
  }
}

/** Writes down what a person says, and makes it so. */
export function decideResolve(
  state: ExecutionState,
  command: {
    readonly key: TriggerChangeKey;
    readonly word: TriggerWord;
    /** Of the trigger that was named. */
    readonly row: BrokerTrigger | null;
    readonly at: EpochMs;
  },
): Decision<Change, null> {
  const { key, word, row, at } = command;
  const trigger = required(state.triggers, key.triggerId, 'trigger');
  const triggers = createTriggerUnit(new UnitOfWork(state, at));
  const { kind } = trigger.state;
  if (word.kind === 'filled') {
    const orders = toldOrders(trigger, word, tradingDay(trigger.updatedAt));
    triggers.move(trigger.id, { type: 'note_orders', orders });
  } else if (word.kind === 'absent') {
    if (kind !== 'uncertain') throw stateProblem(trigger, 'only an uncertain one can be absent');
    callAbsent(
      triggers,
      trigger.id,
      'person',
      `${key.caller} says that the broker does not have it`,
    );
  } else if (row !== null) {
    if (kind !== 'uncertain' && kind !== 'absent') {
      throw stateProblem(trigger, 'it is known what became of it');
    }
    const owner = ownerOf(state, trigger.broker, row.triggerId);
    if (owner !== null) throw refused(`trigger ${row.triggerId} is ${owner} already`);
    const rival = rivalFor(state, trigger, row, word);
    if (rival !== null) throw refused(rival);
    const binding = { triggerId: row.triggerId, by: 'person' } as const;
    triggers.move(trigger.id, { type: 'bind', binding, row });
  }
  const change = { terms: null, state: 'taken', reason: null, at, settledAt: at } as const;
  triggers.putChange({ ...key, ...change });
  return { changes: triggers.unit.changes, reply: null };
}

/**
 * Why a named row may be another trigger's, whose outcome is open: that one would look absent without it. While that
 * one is on its way nobody can know; later a person may.
 */
function rivalFor(
  state: ExecutionState,
  trigger: TriggerRecord,
  row: BrokerTrigger,
  word: TriggerWord,
): string | null {
  for (const other of state.triggers.values()) {
    const isOpen = other.state.kind === 'sending' || other.state.kind === 'uncertain';
    if (other.id === trigger.id || other.broker !== trigger.broker) continue;
    if (!isOpen || !couldBe(other, row)) continue;
    const may = `trigger ${row.triggerId} may as well be ${other.id}`;
    if (other.state.kind === 'sending')
      return `${may}, which is being placed now: wait for its outcome`;
    if (word.kind === 'placed' && !word.force) return `${may}: say force if it is this one`;
  }
  return null;
}

/** Throws where what it has filled is known, or may still be read, and where it cannot have filled so much. */
function toldOrders(
  trigger: TriggerRecord,
  told: ToldFill,
  day: TradingDay,
): readonly TriggerOrder[] {
  const { kind } = trigger.state;
  const orders = ordersOfTrigger(trigger);
  const lost = orders.filter(({ state }) => state === 'lost');
  const isOpen = orders.some(({ state }) => state === 'open');
  if (!isFillUnknown(trigger) || isOpen || (kind !== 'triggered' && kind !== 'ended')) {
    const why = isOpen
      ? 'its order is still being read'
      : 'what it has filled is known, or it has not placed an order';
    throw stateProblem(trigger, why);
  }
  if (lost.length > 1) throw stateProblem(trigger, 'it has placed several orders');
  const { legs } = largestTerms(trigger);
  const most = Math.max(...legs.map(({ quantity }) => quantity));
  const least = Math.max(
    0,
    ...lost.map((order) => order.filledQuantity ?? quantityOf(order.fills)),
  );
  if (told.quantity < least || told.quantity > most) {
    throw refused(`it has filled at least ${least} and at most ${most}: say how much of that`);
  }
  return ordersTold(orders, told, { side: legs[0].side, day });
}

const refused = (detail: string): GatewayProblem =>
  new GatewayProblem({ code: 'order_state', detail, mayHaveExecuted: false });
