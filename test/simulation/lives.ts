import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import { identifyOn } from './copied-days.ts';
import { Incarnation } from './incarnation.ts';
import type { CrashPlan, SeedPlan } from './plan.ts';
import type { Timeline } from './timeline.ts';
import { environmentOf } from './world-settings.ts';

export interface LivesParts {
  readonly plan: SeedPlan;
  readonly time: VirtualTime;
  readonly timeline: Timeline;
  readonly directory: string;
  readonly wallOffset: () => number;
  readonly diskFull: () => boolean;
  readonly diskLow: () => boolean;
  readonly left: (request: HttpRequest) => () => WireReaction;
  readonly unconnected: (request: HttpRequest) => void;
  /** The user that may log in, as the settings name it now; null where they name none. */
  readonly userId: () => string | null;
  readonly logged: (line: string) => void;
  /** A crash has struck; the gateway that it struck is still the present one. */
  readonly struck: (crash: CrashPlan) => void;
}

/** The lives of one gateway, one after the other: a crash ends one, and after a pause begins the next. */
export interface Lives {
  readonly crashes: { readonly at: number; readonly plan: CrashPlan }[];
  /** When each life began. */
  readonly births: number[];
  /** The gateway now; null while it is down. */
  current(): Incarnation | null;
  begin(): void;
  /** A person stops the gateway and starts it again. */
  restart(how?: Restart): void;
  /** A person stops the gateway, which ends what is under way, and starts it again. */
  stop(): void;
  /** Ends the present life, and begins no other. */
  dispose(): void;
}

/** How a restart goes: `between` is called while no process has the files open. */
export interface Restart {
  readonly power?: boolean;
  readonly between?: () => void;
}

/** Starts that are refused while the disk has space; after that many nobody tries again. */
const MOST_REFUSED_STARTS = 60;

const CRASH_AT_THE_LATEST_MS = 45_000;

export function createLives(parts: LivesParts): Lives {
  const { plan, time, timeline } = parts;
  const crashes: { at: number; plan: CrashPlan }[] = [];
  const births: number[] = [];
  const crashesLeft = [...plan.crashes].sort((left, right) => left.at - right.at);
  let current: Incarnation | null = null;
  let disposed = false;
  let refusedStarts = 0;

  function boot(): void {
    if (disposed) return;
    births.push(time.now());
    const number = births.length;
    timeline.note('world', `life ${number} begins`);
    const incarnation = new Incarnation({
      time,
      seed: plan.seed,
      number,
      environment: environmentOf(plan, parts.directory, number, parts.userId()),
      wallOffset: parts.wallOffset,
      diskFull: parts.diskFull,
      diskLow: parts.diskLow,
      sleepStopsClock: plan.rich,
      nextCrash: () => {
        const next = crashesLeft[0];
        return next && time.now() >= next.at ? next : null;
      },
      crashed(crash) {
        crashesLeft.splice(crashesLeft.indexOf(crash), 1);
        crashes.push({ at: time.now(), plan: crash });
        timeline.note('world', `crash ${crash.point}${crash.power ? ', power loss' : ''}`);
        parts.struck(crash);
        follow(incarnation, crash.downMs);
      },
      left: parts.left,
      unconnected: parts.unconnected,
      logged: parts.logged,
      http: plan.http,
      identify: identifyOn(plan),
      slowConnections: plan.slowConnections === true,
    });
    current = incarnation;
    void start(incarnation);
  }

  async function start(incarnation: Incarnation): Promise<void> {
    try {
      await incarnation.start();
      refusedStarts = 0;
    } catch (error) {
      // A full disk, for one: whoever started it tries again.
      timeline.note('world', `the gateway does not start: ${String(error)}`);
      incarnation.die(false);
      if (!parts.diskFull()) refusedStarts += 1;
      if (refusedStarts < MOST_REFUSED_STARTS) return follow(incarnation, 2_000);
      current = null;
      incarnation.bury();
    }
  }

  /** Begins the next life once this one has been down for a while. */
  function follow(incarnation: Incarnation, downMs: number, between?: () => void): void {
    current = null;
    time.after(downMs, () => {
      incarnation.bury();
      between?.();
      boot();
    });
  }

  // A crash whose moment does not come by itself comes all the same.
  function insistOn(crash: CrashPlan): void {
    if (!crashesLeft.includes(crash)) return;
    if (current?.composed) current.crash(crash);
    else time.after(5_000, () => insistOn(crash));
  }

  return {
    crashes,
    births,
    current: () => current,
    begin() {
      for (const crash of plan.crashes)
        time.after(crash.at + CRASH_AT_THE_LATEST_MS - time.now(), () => insistOn(crash));
      boot();
    },
    restart({ power = false, between } = {}) {
      if (!current) return between?.();
      timeline.note('world', 'the gateway is started again');
      current.die(power);
      follow(current, 3_000, between);
    },
    stop: () => stopGently(current, timeline, (life) => current === life && follow(life, 3_000)),
    dispose() {
      disposed = true;
      current?.die(false);
      current?.bury();
    },
  };
}

/** Lets a life end what is under way; `ended` is told of it then. */
function stopGently(
  life: Incarnation | null,
  timeline: Timeline,
  ended: (life: Incarnation) => unknown,
): void {
  timeline.note('world', 'the gateway is being stopped');
  void life?.stop().then(() => {
    timeline.note('world', 'the gateway has stopped');
    ended(life);
  });
}
