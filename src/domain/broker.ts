/** The brokers that the gateway can stand in front of, by the part they play. */
export const BROKERS = ['alt', 'primary', 'paper'] as const;
export type BrokerId = (typeof BROKERS)[number];

/** Whether money is real: every answer about an order or a portfolio says so. */
export type Mode = 'live' | 'paper';

export function modeOf(broker: BrokerId): Mode {
  return broker === 'paper' ? 'paper' : 'live';
}
