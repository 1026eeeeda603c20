import type { VirtualTime } from '../support/virtual-time.ts';
import type { Stretch } from './hours.ts';
import type { Mishap } from './mishaps.ts';

/** The machine that the gateway runs on: its clock, its disk, and whether it is awake. */
export interface Machine {
  /** Offset of its wall clock, ms. */
  wallOffset(): number;
  diskFull(): boolean;
  /** When its disk was nearly full, so that the databases used their reserve. */
  readonly lowDisk: Stretch[];
  diskLow(): boolean;
  /** When it could not work: its disk was full, or it slept. Epoch ms. */
  readonly impaired: Stretch[];
  /** An order has left it. */
  sent(): void;
  /** False for a mishap that is none of the machine's. */
  befall(mishap: Mishap): boolean;
}

/** A disk that fills for long is nearly full before that. */
const LOW_MS = 60_000;

export function createMachine(time: VirtualTime, sleep: (ms: number) => void): Machine {
  let wallOffset = 0;
  let diskFullUntil = -Infinity;
  let fullAtSendMs: number | null = null;
  const impaired: Stretch[] = [];
  const lowDisk: Stretch[] = [];

  function impair(forMs: number): void {
    impaired.push({ from: time.now(), until: time.now() + forMs });
  }

  function fillDisk(forMs: number): void {
    diskFullUntil = time.now() + forMs;
    impair(forMs);
  }

  return {
    wallOffset: () => wallOffset,
    diskFull: () => time.now() < diskFullUntil,
    lowDisk,
    diskLow: () => lowDisk.some(({ from, until }) => time.now() >= from && time.now() < until),
    impaired,
    sent() {
      if (fullAtSendMs !== null) fillDisk(fullAtSendMs);
      fullAtSendMs = null;
    },
    befall(mishap) {
      switch (mishap.kind) {
        case 'disk_full':
          fillDisk(mishap.forMs);
          return true;
        case 'disk_full_long':
          lowDisk.push({ from: time.now(), until: time.now() + LOW_MS + mishap.forMs });
          time.after(LOW_MS, () => fillDisk(mishap.forMs));
          return true;
        case 'disk_full_at_send':
          fullAtSendMs = mishap.forMs;
          return true;
        case 'clock_step':
          wallOffset += mishap.byMs;
          return true;
        case 'clock_jump':
          wallOffset += mishap.byMs;
          time.after(mishap.forMs, () => (wallOffset -= mishap.byMs));
          return true;
        case 'sleep':
          sleep(mishap.forMs);
          impair(mishap.forMs);
          return true;
        default:
          return false;
      }
    },
  };
}
