/**
 * One event in the sequence of all events (docs/architecture.md, "Events"). It is committed
 * together with the change that it reports, so no event is lost or stored twice.
 */
export interface GatewayEvent {
  /** 1, 2, 3, … without a gap, for the life of the data directory. */
  readonly sequence: number;
  /** Epoch ms. */
  readonly at: number;
  readonly type: EventType;
  /** The order concerned; null when it concerns none. */
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

/** `critical`: a person must look at once. */
export type AlertLevel = 'warning' | 'critical';
