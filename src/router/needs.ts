import type { BrokerId } from '../domain/broker.ts';

/** What a person has to look at. */
export const NEEDS = [
  'disarmed',
  'kill_switch',
  'session',
  'token',
  'exit',
  'closing',
  'order',
  'trigger',
  'book',
  'address',
  'prices',
  'signal',
  'webhook',
] as const;

export interface Need {
  readonly what: (typeof NEEDS)[number];
  /** What it is, and what to do, for people. */
  readonly detail: string;
  readonly broker: BrokerId | null;
  /** Of `order` alone. */
  readonly orderId: string | null;
  /** Of the order, exit, closing, trigger, signal or webhook; null for what has none. */
  readonly id: string | null;
}

export const needOf = (
  what: Need['what'],
  detail: string,
  of: Partial<Pick<Need, 'broker' | 'orderId' | 'id'>> = {},
): Need => ({ what, detail, ...{ broker: null, orderId: null, id: null }, ...of });
