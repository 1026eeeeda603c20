/**
 * One thing that happened, in the one sequence of all of them (docs/architecture.md, "Events").
 * Committed together with what it tells of, so an event is never lost and never told twice.
 */
export interface GatewayEvent {
  /** 1, 2, 3, … without a gap, for the life of the data directory. */
  readonly sequence: number;
  /** Epoch ms. */
  readonly at: number;
  readonly type: EventType;
  /** The order concerned; null for what concerns none. */
  readonly orderId: string | null;
  /** Plain JSON; holds no secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

export const EVENT_TYPES = [
  'order.updated',
  'order.fill',
  'order.attempt',
  'order.resolved',
  'postback.received',
  'kill_switch.changed',
  'alert',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `critical` asks a person to look now. */
export type AlertLevel = 'warning' | 'critical';
