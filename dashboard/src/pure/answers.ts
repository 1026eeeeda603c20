import { STATUS_WORDS, termsOf } from './orders.ts';
import type { Outcome } from './outcomes.ts';
import type { PageState } from './state.ts';

/** What became of something that a person asked for, kept until the person has seen it. */
export interface Answer {
  /** Of the intent. */
  readonly key: string;
  /** What was asked for, for people. */
  readonly words: string;
  /** When the answer came, epoch ms. */
  readonly at: number;
  readonly outcome: Outcome;
}

export type Now = Pick<PageState, 'orders' | 'overview'>;

/** Whether an answer still tells how things are: a kill switch that was changed since is told of by the page itself. */
export function stillHolds({ outcome: { about } }: Pick<Answer, 'outcome'>, now: Now): boolean {
  const told = about?.killSwitchAt;
  if (!told) return true;
  const changedAt = now.overview?.killSwitch.changedAt ?? null;
  return changedAt === null || Date.parse(changedAt) <= Date.parse(told);
}

/** What the order of an answer is now, where that has changed since; null where it has not, or is not known. */
export function sinceThen(
  { outcome: { about } }: Pick<Answer, 'outcome'>,
  now: Now,
): string | null {
  const told = about?.order;
  const order = told === undefined ? undefined : now.orders?.get(told.id);
  if (told === undefined || order === undefined || order.status === told.status) return null;
  if (Date.parse(order.updatedAt) < Date.parse(told.updatedAt)) return null;
  return `${termsOf(order)}: ${STATUS_WORDS[order.status]}`;
}
