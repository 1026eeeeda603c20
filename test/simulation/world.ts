import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrokerInspector, BrokerOrder } from '../../sandbox/kernel/inspector.ts';
import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { Composed } from '../../src/compose.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { Moment } from '../../src/platform/clock.ts';
import { drain, VirtualTime } from '../support/virtual-time.ts';
import type { ClosingId, ExitId } from '../../src/units/branded.ts';
import type { Violation } from './checks/violation.ts';
import { nothingAsked, type Asked, type Asking } from './asked.ts';
import { createBasketOrders } from './basket-orders.ts';
import { createExitLegs } from './exit-legs.ts';
import {
  fillingBeforeCancels,
  fillingBeforeLegs,
  fillingBetweenReads,
  restingBetweenReads,
} from './fills-between-reads.ts';
import { isCopied, writeAnchor } from './copied-days.ts';
import { copyDirectory } from './copied-directory.ts';
import { createDice, type Dice } from './dice.ts';
import type { Stretch } from './hours.ts';
import { callersFile } from './callers-file.ts';
import type { Incarnation } from './incarnation.ts';
import { loseJournal } from './journal-loss.ts';
import { createLives, type Lives } from './lives.ts';
import type { CrashPlan, SeedPlan } from './plan.ts';
import { createMachine } from './machine.ts';
import type { Mishap } from './mishaps.ts';
import { createResumedOrders } from './resumed-orders.ts';
import { hooksFile } from './signal-hooks.ts';
import { createStrikes } from './strikes.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { createTraffic, type LiveBroker, type Sent, type Taken, type Traffic } from './traffic.ts';
import { createUsers, type Users } from './users.ts';
import { createBackup } from './restored-backup.ts';
import type { SeenClosing, SeenExit } from './seen-exit.ts';
import type { SeenTrigger } from './seen-trigger.ts';
import { reachedBefore, type TakenTrigger } from './trigger-traffic.ts';
import { sandboxOf } from './world-settings.ts';

/** What a caller asked for, as the checker knows it whatever has become of the gateway. */
export interface Wanted {
  readonly caller: string;
  readonly key: string;
}

/** A trade that came after the end of its order. */
export interface LateTrade {
  readonly brokerOrderId: string;
  /** Epoch ms. */
  readonly at: number;
  /** Whether its order's row shows it; otherwise only the trades do. */
  readonly inRow: boolean;
}

export interface World {
  readonly plan: SeedPlan;
  readonly time: VirtualTime;
  readonly sandbox: Sandbox;
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly directory: string;
  /** Says on whose behalf what follows is done, so that every request can be told whose it is. */
  readonly onBehalf: AsyncLocalStorage<string>;
  /** When the gateway read the request that what follows is done for, by its own clocks. */
  readonly readAt: AsyncLocalStorage<Moment>;
  /** The call of a program that what follows is done for. */
  readonly asking: AsyncLocalStorage<Asking>;
  readonly taken: Taken[];
  readonly takenTriggers: readonly TakenTrigger[];
  /** What the gateway said of triggers, and how long. */
  readonly seenTriggers: SeenTrigger[];
  /** Shares by instrument before the first trade. */
  readonly holdingsBefore: Readonly<Record<LiveBroker, ReadonlyMap<string, number>>>;
  readonly sent: Sent[];
  readonly unconnected: Traffic['unconnected'];
  readonly reads: Traffic['reads'];
  /** When a session of the alternative broker died or began; epoch ms. */
  readonly sessions: number[];
  /** When the gateway could not do its work: a full disk, sleep, another user's login. Epoch ms. */
  readonly impaired: Stretch[];
  /** When the gateway ran on a copy of its data directory that nobody had armed; epoch ms. */
  readonly copies: readonly Stretch[];
  /** When its disk was nearly full; see Machine. */
  readonly lowDisk: readonly Stretch[];
  readonly users: Users;
  /** Broker ids of orders that were cancelled, and work again. */
  readonly worksAgain: Set<string>;
  /** The trades that came after the end of their orders. */
  readonly lateTrades: LateTrade[];
  readonly asked: Asked;
  /** The exits that have begun, by id. */
  readonly exits: Map<ExitId, SeenExit>;
  /** The closings of many positions that have begun, by id. */
  readonly closings: Map<ClosingId, SeenClosing>;
  readonly logs: string[];
  readonly crashes: { readonly at: number; readonly plan: CrashPlan }[];
  /** When each life began. */
  readonly births: number[];
  /** Fault and journal state, `hang_after × uncertain`, and how often they met. */
  readonly pairs: Map<string, number>;
  readonly strikes: Map<string, number>;
  /** The gateway now; null while it is down. */
  current(): Incarnation | null;
  /** Tells the checker of something that is wrong. */
  readonly notice: (violation: Violation) => void;
  /** A person stops the gateway and starts it again. */
  restart(): void;
  /** When the gateway was started on an older data directory, epoch ms; null where it was not. */
  restoredAt(): number | null;
  /** Runs the clock until an instant. */
  runUntil(at: number): Promise<void>;
  /** Ends the present life as a power loss or a kill does, for a mishap or the end. */
  dispose(): void;
}

export const nameOf = ({ caller, key }: Wanted): string => `${caller}/${key}`;

const holdingsOf = (inspector: BrokerInspector): ReadonlyMap<string, number> =>
  new Map(inspector.holdings().map((each) => [each.instrument.key, each.settled + each.t1]));

/** A directory of the day's own, in memory where the machine has such a place. */
function dayDirectory(): string {
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const directory = mkdtempSync(join(memory, 'abg-simulation-'));
  mkdirSync(join(directory, 'data'), { mode: 0o700 });
  return directory;
}

export interface WorldHooks {
  /** Called with what is wrong, the moment it is seen. */
  readonly notice: (violation: Violation) => void;
  /** Called the moment a broker takes an order of ours. */
  readonly onTaken: (taken: Taken, order: BrokerOrder) => void;
  /** What people do: in the broker's own app, and at the kill switch. */
  readonly onMishap: (mishap: Mishap) => void;
}

/** What hands a request to its broker: on some days something happens there just before it arrives. */
function overtaking(plan: SeedPlan, sandbox: Sandbox, last: () => Composed | null) {
  const dice = createDice(`${plan.seed}/races`);
  if (plan.directed === 'exits_rest_between') return restingBetweenReads({ sandbox, last });
  if (plan.directed === 'closings_mine') return fillingBeforeCancels({ sandbox, last });
  return (arrive: () => WireReaction, request: HttpRequest): (() => WireReaction) => {
    if (plan.directed === 'exits_between_reads') {
      return fillingBetweenReads(arrive, request, { sandbox, last });
    }
    if (plan.directed?.startsWith('rows_spelled') === true) {
      return fillingBeforeLegs(arrive, request, { sandbox, last });
    }
    const { triggers } = plan;
    return triggers
      ? reachedBefore(arrive, request, { sandbox, dice, share: triggers.races })
      : arrive;
  };
}

/** The keys and the hooks that the gateway finds at its first start. */
function writeDayFiles(directory: string, plan: SeedPlan): void {
  const { hours, http, keys, signals } = plan;
  const write = (name: string, content: string): void =>
    writeFileSync(join(directory, 'data', name), content, { mode: 0o600 });
  if (isCopied(plan)) writeAnchor(directory);
  if (http || keys || signals) write('callers.json', callersFile(hours.boot, plan));
  if (signals) write('hooks.json', hooksFile(hours.boot, signals.maxAgeSeconds));
}

/** On whose behalf, when it was read, and for which call something is done. */
const createContexts = (): Pick<World, 'onBehalf' | 'readAt' | 'asking'> => ({
  ...{ onBehalf: new AsyncLocalStorage(), readAt: new AsyncLocalStorage() },
  asking: new AsyncLocalStorage(),
});

const endsSession = ({ kind }: Mishap): boolean =>
  kind === 'token_death' || kind === 'token_deleted';

/** The session of the alternative broker ends: a person ends it in the gateway, or the broker ends it. */
function endSession({ kind }: Mishap, sandbox: Sandbox, gateway: Composed | null): void {
  if (kind === 'token_death') sandbox.kite.killTokens();
  else void gateway?.session?.end().catch(() => undefined);
}

export function createWorld(plan: SeedPlan, hooks: WorldHooks): World {
  const time = new VirtualTime(plan.hours.boot);
  const timeline = createTimeline(() => time.now());
  const dice = createDice(`${plan.seed}/world`);
  const directory = dayDirectory();
  writeDayFiles(directory, plan);
  const { onBehalf, readAt, asking } = createContexts();
  const logs: string[] = [];
  const machine = createMachine(time, (ms) => lives.current()?.freeze(ms));
  const sessions: number[] = [];
  const copies: Stretch[] = [];

  const sandbox = sandboxOf(plan, time, (body) => {
    const composed = lives.current()?.composed;
    void composed?.gateway.receivePostback(body).catch(() => undefined);
  });
  const users = createUsers(sandbox);
  const last = (): Composed | null => lives.current()?.last ?? null;
  const strikes = createStrikes(sandbox, last);
  const asked = nothingAsked();
  const legs = createExitLegs({ last, asked, notice: hooks.notice });
  const baskets = createBasketOrders({ time, last, asked, notice: hooks.notice });
  const overtaken = overtaking(plan, sandbox, last);
  const traffic = createTraffic({
    ...{ time, timeline, sandbox, onBehalf, asking, legs, baskets },
    resumed: createResumedOrders({ last, isPlayed: plan.signals !== undefined }),
    age: () => lives.current()?.ageOf(readAt.getStore() ?? null) ?? null,
    life: () => lives.births.length,
    handled: () => strikes.noteFaults(),
    onTaken: hooks.onTaken,
  });
  const lives: Lives = createLives({
    ...{ plan, time, timeline, directory },
    wallOffset: machine.wallOffset,
    userId: () => users.named,
    diskFull: machine.diskFull,
    diskLow: machine.diskLow,
    left(request) {
      const arrive = traffic.left(request);
      if (traffic.sent.at(-1)?.placing) machine.sent();
      return overtaken(arrive, request);
    },
    unconnected: traffic.didNotConnect,
    logged: (line) => void logs.push(line),
    struck: (crash) => strikes.note(`crash_${crash.point}`),
  });

  /** What befalls the machine is done here; what people do is the callers' and the person's. */
  function befall(mishap: Mishap): void {
    timeline.note('world', `mishap ${JSON.stringify(mishap)}`);
    strikes.note(mishap.kind);
    if (machine.befall(mishap)) return;
    if (mishap.kind === 'journal_lost') {
      const parts = { ...{ directory, time, timeline, lives }, impaired: machine.impaired };
      return loseJournal({ ...parts, notice: hooks.notice }, mishap.logOnly);
    }
    if (mishap.kind === 'stopped') return lives.stop();
    if (mishap.kind === 'restored') return backup.restore();
    if (mishap.kind === 'copied') {
      const { impaired } = machine;
      return copyDirectory({ directory, time, timeline, lives, impaired, copies }, mishap);
    }
    if (!endsSession(mishap)) return hooks.onMishap(mishap);
    sessions.push(time.now());
    endSession(mishap, sandbox, last());
  }

  const backup = createBackup({ directory, time, timeline, lives }, plan.mishaps);
  for (const mishap of plan.mishaps) {
    time.after(mishap.at - time.now(), () => befall(mishap));
  }
  const { halt } = plan.hours;
  if (halt) time.after(halt.from - time.now(), () => sandbox.exchange.pauseFills());
  if (halt) time.after(halt.until - time.now(), () => sandbox.exchange.resumeFills());
  lives.begin();
  return {
    ...{ plan, time, sandbox, timeline, dice, directory, onBehalf, readAt, asking, logs },
    holdingsBefore: { alt: holdingsOf(sandbox.kite), primary: holdingsOf(sandbox.primary) },
    ...{ reads: traffic.reads, unconnected: traffic.unconnected, sessions, asked },
    ...{ impaired: machine.impaired, lowDisk: machine.lowDisk, copies },
    ...{ exits: new Map(), closings: new Map() },
    ...{ takenTriggers: traffic.takenTriggers, seenTriggers: [] },
    ...{ taken: traffic.taken, sent: traffic.sent, crashes: lives.crashes, births: lives.births },
    ...{ pairs: strikes.pairs, strikes: strikes.strikes, current: lives.current, users },
    ...{ worksAgain: new Set(), lateTrades: [] },
    restart: () => lives.restart(),
    restoredAt: () => backup.restoredAt(),
    notice: hooks.notice,
    async runUntil(at) {
      const limit = time.elapsed() + Math.max(0, at - time.now());
      await drain();
      while (time.fireNext(limit)) await drain();
      await time.advance(Math.max(0, at - time.now()));
    },
    dispose() {
      lives.dispose();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
