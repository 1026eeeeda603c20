import type { Client, Schemas } from '../../../client/index.ts';
import { isOver, type Order, STATUS_WORDS, termsOf } from './orders.ts';
import { OWN_TRIGGER_WORDS } from './triggers.ts';

/**
 * `done`: as it was asked for. `look`: the gateway has it, and a person has to look at what it says. `open`: not known yet whether it was
 * done. `refused`: known to have changed nothing.
 */
export interface Outcome {
  readonly kind: 'done' | 'look' | 'open' | 'refused';
  readonly words: string;
  /** The lines of an answer for many orders. */
  readonly items?: readonly string[];
  /** What it is about and how that stood, for an answer that is shown later. */
  readonly about?: {
    readonly order?: Pick<Order, 'id' | 'status' | 'updatedAt'>;
    /** ISO 8601: when the kill switch was changed. */
    readonly killSwitchAt?: string | null;
  };
}

/** The same outcome, with the order that it is about. */
export function aboutOrder(outcome: Outcome, { id, status, updatedAt }: Order): Outcome {
  return { ...outcome, about: { order: { id, status, updatedAt } } };
}

export const OUTCOME_CLASSES: Readonly<Record<Outcome['kind'], string>> = {
  done: 'notice good',
  look: 'notice warn',
  open: 'notice warn',
  refused: 'notice bad',
};

const isOpen = ({ status }: Pick<Order, 'status'>): boolean =>
  status === 'uncertain' || status === 'disputed';

/** An order that was placed, or that a person has said what became of. */
export function orderOutcome(order: Order): Outcome {
  const words = `${termsOf(order)}: ${STATUS_WORDS[order.status]}`;
  // The gateway has it, and finds out: it is among what needs the person, and is not asked for again.
  return isOpen(order)
    ? { kind: 'look', words: `${words}. Do not place it again: the gateway is finding out.` }
    : { kind: 'done', words: `${words}.` };
}

/** `httpStatus` is 202 while it is not known whether the broker has taken the change. */
export function modifyOutcome(order: Order, httpStatus: number): Outcome {
  return httpStatus === 200
    ? { kind: 'done', words: `The broker has taken the change: ${termsOf(order)}.` }
    : {
        kind: 'look',
        words: `Under way, and not known yet whether the broker takes the change: ${termsOf(order)}, ${STATUS_WORDS[order.status]}.`,
      };
}

export function cancelOutcome(order: Order): Outcome {
  if (order.status === 'cancelled') return { kind: 'done', words: 'The order is cancelled.' };
  const is = STATUS_WORDS[order.status];
  if (isOver(order)) return { kind: 'look', words: `The order is over, and not cancelled: ${is}.` };
  if (order.status === 'uncertain') {
    const words = 'The cancel is kept until it is known whether the broker has the order.';
    return { kind: 'look', words };
  }
  const words = `The cancel is under way; the order is ${is}.`;
  return { kind: isOpen(order) ? 'look' : 'done', words };
}

export function deleteTriggerOutcome({ status }: Pick<Schemas['Trigger'], 'status'>): Outcome {
  switch (status) {
    case 'ended':
    case 'absent':
      return { kind: 'done', words: 'The trigger is cancelled.' };
    case 'refused':
    case 'not_sent':
      return { kind: 'done', words: 'There is nothing to cancel: the broker has no such trigger.' };
    case 'triggered':
      return { kind: 'look', words: 'The trigger had placed its order before: look at the order.' };
    case 'uncertain':
      return {
        kind: 'look',
        words: 'The cancel is under way; it is not known yet whether the broker has the trigger.',
      };
    default:
      return {
        kind: 'done',
        words: `The cancel is under way; the trigger is ${status.replace('_', ' ')}.`,
      };
  }
}

/** A trigger that a person has said what became of. */
export function resolvedTriggerOutcome(
  trigger: Pick<Schemas['Trigger'], 'status' | 'instrument'>,
): Outcome {
  const words = `The trigger of ${trigger.instrument}: ${OWN_TRIGGER_WORDS[trigger.status]}.`;
  return { kind: trigger.status === 'uncertain' ? 'look' : 'done', words };
}

type CancelAll = Pick<Awaited<ReturnType<Client['cancelAll']>>, 'data' | 'meta'>;
type CancelResult = Schemas['CancelledOrder']['result'];

const RESULTS: Readonly<Record<CancelResult, string>> = {
  cancelled: 'cancelled',
  cancelling: 'the cancel is under way',
  over: 'was over before',
  refused: 'the cancel was refused',
  not_sent: 'no cancel was sent',
  uncertain: 'not known yet',
};
/** After these the order may stay in the book. */
const TO_LOOK_AT: ReadonlySet<CancelResult> = new Set(['refused', 'not_sent', 'uncertain']);

export function cancelAllOutcome({ data, meta }: CancelAll): Outcome {
  const items = [
    ...data.map(
      ({ result, order, reason }) =>
        `${termsOf(order)}: ${RESULTS[result]}${reason === null ? '' : ` (${reason})`}`,
    ),
    ...meta.errors.map(({ broker, reason }) => `The book of ${broker} cannot be read: ${reason}`),
  ];
  const isGood = meta.errors.length === 0 && !data.some(({ result }) => TO_LOOK_AT.has(result));
  const words = data.length === 0 ? 'No open order was found.' : 'Each order, as it stands now:';
  return { kind: isGood ? 'done' : 'look', words, items };
}

/** Positions that a closing does not end. */
const STAYS: ReadonlySet<Schemas['Closing']['positions'][number]['status']> = new Set([
  ...(['kept', 'partly_flat', 'stopped'] as const),
]);

/** A closing as it begins: each position, and each row that cannot be read and so stays open. */
export function closingOutcome({
  detail,
  positions,
  unread,
}: Pick<Schemas['Closing'], 'detail' | 'positions' | 'unread'>): Outcome {
  const items = [
    ...positions.map(
      ({ instrument, product, status, reason }) =>
        `${instrument} ${product}: ${status.replace('_', ' ')}${reason === null ? '' : ` (${reason})`}`,
    ),
    ...unread.map(({ broker, list, instrument, product, reason }) => {
      const row = [instrument ?? 'an instrument that cannot be read', product ?? '']
        .join(' ')
        .trim();
      return `${row}: not closed, since its row in the ${list} at ${broker} cannot be read (${reason}). Look at it in the app of ${broker}.`;
    }),
  ];
  const isWhole = unread.length === 0 && positions.every(({ status }) => !STAYS.has(status));
  const words = `The closing has begun: ${detail}.`;
  return { kind: isWhole ? 'done' : 'look', words, items };
}
