import {
  hasOtherIds,
  type Instrument,
  type InstrumentName,
  isExpired,
} from '../../domain/instrument.ts';
import { istDay } from '../../domain/ist.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { LiveInstrument } from './live-price.ts';

export interface ListWatchParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** As the instrument lists have it now; null where none has it. */
  readonly lookUp: (name: InstrumentName) => Instrument | null;
  readonly all: () => Iterable<LiveInstrument>;
  readonly isWanted: (live: LiveInstrument) => boolean;
  readonly onExpired: (live: LiveInstrument) => void;
  /** It had expired by a clock that was ahead, and has not by the clock of now. */
  readonly onBack: (live: LiveInstrument) => void;
  /** The lists have it under other ids than those of its prices. */
  readonly onOther: (live: LiveInstrument, now: Instrument) => void;
}

/**
 * Looks whether what is streamed is still what it was when it was subscribed to, some of it each second: streams are open for days,
 * contracts expire meanwhile, and brokers give their numbers to other instruments.
 */
export interface ListWatch {
  /** Something is streamed: looks, until nothing is. */
  begin(): void;
  stop(): void;
}

const LOOK_MS = 1_000;
/** All that one broker's ticker carries is looked at within a minute and a half. */
const AT_ONCE = 100;

export function createListWatch(parts: ListWatchParts): ListWatch {
  let waiting: LiveInstrument[] = [];
  let cancel: Cancel | null = null;
  let isStopped = false;

  function begin(): void {
    if (cancel === null && !isStopped) cancel = parts.scheduler.after(LOOK_MS, look);
  }

  function look(): void {
    cancel = null;
    if (waiting.length === 0) waiting = [...parts.all()];
    if (waiting.length === 0) return;
    const today = istDay(parts.clock.now());
    for (const live of waiting.splice(0, AT_ONCE)) {
      if (parts.isWanted(live)) check(live, today);
    }
    begin();
  }

  function check(live: LiveInstrument, today: string): void {
    const { instrument } = live;
    const isOver = isExpired(instrument, today);
    if (isOver !== live.isOver) (isOver ? parts.onExpired : parts.onBack)(live);
    if (isOver) return;
    const now = parts.lookUp(instrument.name);
    if (now === null || now === instrument) return;
    if (hasOtherIds(instrument, now)) parts.onOther(live, now);
  }

  return {
    begin,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
