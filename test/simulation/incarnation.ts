import { AsyncResource } from 'node:async_hooks';
import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import { compose, type Composed } from '../../src/compose.ts';
import { type Clock, type Moment, momentOf, type Scheduler } from '../../src/platform/clock.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import {
  CONNECT_WITHIN_MS,
  HELD_BACK,
  type HttpReply,
  type HttpRequest,
} from '../../src/platform/http.ts';
import type { Identify } from '../../src/platform/directories.ts';
import { createIds } from '../../src/platform/ids.ts';
import { createPino } from '../../src/platform/log.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import { createDice } from './dice.ts';
import { createDisk, type Disk } from './disk.ts';
import { type CalledGateway, directly, overHttp } from './http-callers.ts';
import type { CrashPlan, CrashPoint } from './plan.ts';
import { connectingMs, networkMs, replyOf } from './network.ts';
import { isCancel } from './traffic.ts';
import { elapsedMs, epochMs, plus } from '../../src/units/branded.ts';

/** What the world gives to, and hears of, one life of the gateway. */
export interface IncarnationParts {
  readonly time: VirtualTime;
  readonly seed: string;
  readonly number: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Offset of the gateway's wall clock, in ms; changes as the clock is set. */
  readonly wallOffset: () => number;
  readonly diskFull: () => boolean;
  readonly diskLow: () => boolean;
  /** As on Linux: the clock of elapsed time stands still while the machine sleeps. */
  readonly sleepStopsClock: boolean;
  /** The crash to have next, once its time has come. */
  readonly nextCrash: () => CrashPlan | null;
  readonly crashed: (plan: CrashPlan) => void;
  /** A request has left; what is returned hands it to its broker. */
  readonly left: (request: HttpRequest) => () => WireReaction;
  /** No connection opened for a request, so that it never left. */
  readonly unconnected: (request: HttpRequest) => void;
  readonly logged: (line: string) => void;
  /** Whether callers come over HTTP, in memory, instead of calling the router. */
  readonly http: boolean;
  /** How a data directory is told from a copy of it. */
  readonly identify: Identify;
  /** Whether connections for orders and changes take seconds to open. */
  readonly slowConnections: boolean;
}

/** How long whoever stops the gateway waits until the process has ended, ms. */
const KILLED_AFTER_MS = 60_000;

/**
 * One life of the gateway, with ports of its own. When it crashes, its ports go silent: nothing that
 * it waits for ever settles, nothing that it does reaches anything, and the next life begins from
 * the files alone.
 */
export class Incarnation {
  readonly #parts: IncarnationParts;
  readonly #disk: Disk;
  #alive = true;
  /** Commits, or sends, that have come since the crash is due. */
  #passed = 0;
  #frozenUntil = -Infinity;
  /** How long its running clock has stood still, ms. */
  #slept = 0;
  #composed: Composed | null = null;
  #called: CalledGateway | null = null;
  readonly died: Promise<'died'>;
  #die: () => void = () => undefined;

  constructor(parts: IncarnationParts) {
    this.#parts = parts;
    this.died = new Promise((resolve) => {
      this.#die = () => resolve('died');
    });
    this.#disk = createDisk({
      before: () => {
        this.#mustLive();
        if (parts.diskFull()) throw new Error('database or disk is full');
        this.#crashAt('before_commit');
        this.#mustLive();
      },
      after: () => {
        this.#crashAt('after_commit');
        this.#mustLive();
      },
      space: () => (parts.diskLow() ? 'reserve' : 'ample'),
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Null until it has started, and once it is dead. */
  get composed(): Composed | null {
    return this.#alive ? this.#composed : null;
  }

  /** What callers call; null like `composed`. */
  get called(): CalledGateway | null {
    return this.#alive ? this.#called : null;
  }

  /** Also of one that is dead: for the checker. */
  get last(): Composed | null {
    return this.#composed;
  }

  async start(): Promise<void> {
    const parts = this.#parts;
    const dice = createDice(`${parts.seed}/ids/${parts.number}`);
    try {
      const composed = await compose({
        clock: this.#clock(),
        scheduler: this.#scheduler(),
        ids: createIds((count) => dice.bytes(count)),
        transport: {
          send: (request) => this.#send(request),
          connectAhead: () => undefined,
          close: () => Promise.resolve(),
        },
        openDatabase: this.#disk.open,
        onImpossible: 'throw',
        lockData: () => ({ release: () => undefined }),
        identify: parts.identify,
        environment: memoryEnvironment(parts.environment),
        pino: createPino('debug', { write: (line: string) => parts.logged(line) }),
      });
      composed.begin();
      this.#composed = composed;
      this.#called = parts.http ? overHttp(composed.apps) : directly(composed);
    } catch (error) {
      if (this.#alive) throw error;
    }
  }

  /** Stops it as a signal does: what is under way is ended first. Nobody waits longer than a minute for that. */
  async stop(): Promise<void> {
    const { time } = this.#parts;
    const disposed = this.composed?.[Symbol.asyncDispose]();
    const stopped = Promise.resolve(disposed).catch(() => undefined);
    const killed = new Promise<void>((resolve) => void time.after(KILLED_AFTER_MS, resolve));
    await Promise.race([stopped, killed, this.died]);
    this.die(false);
  }

  crash(plan: CrashPlan): void {
    this.die(plan.power);
    this.#parts.crashed(plan);
  }

  /** The process is gone; what is durable stays. */
  die(power: boolean): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#die();
    this.#power = power;
  }

  #power = false;

  /** Closes the dead one's files, as the kernel does; not before the stack that died has unwound. */
  bury(): void {
    this.#disk.fail(this.#power);
  }

  /** The lid is shut: brokers go on, this machine does not. */
  freeze(ms: number): void {
    const now = this.#parts.time.elapsed();
    const from = Math.max(now, this.#frozenUntil);
    const until = Math.max(from, now + ms);
    this.#frozenUntil = until;
    if (this.#parts.sleepStopsClock) this.#slept += until - from;
  }

  /** What is left of the sleep, ms. */
  #leftAsleep(): number {
    return Math.max(0, this.#frozenUntil - this.#parts.time.elapsed());
  }

  /** When a request that comes now is read, by the clocks of this process: it waits until the machine is awake. */
  readAt(): Moment {
    const { elapsed, at } = momentOf(this.#clock());
    const wait = this.#leftAsleep();
    const runs = this.#parts.sleepStopsClock ? 0 : wait;
    return { elapsed: plus(elapsed, runs), at: plus(at, wait) };
  }

  /** How long ago a moment was, ms, by the clock of this process that says more; null for none. */
  ageOf(moment: Moment | null): number | null {
    if (moment === null) return null;
    const { now, elapsed } = this.#clock();
    return Math.max(now() - moment.at, elapsed() - moment.elapsed);
  }

  #mustLive(): void {
    if (!this.#alive) throw new Error('this process is gone');
  }

  #crashAt(point: CrashPoint, request: HttpRequest | null = null): void {
    if (!this.#alive) return;
    const plan = this.#parts.nextCrash();
    if (plan?.point !== point || (plan.ofCancel && request && !isCancel(request))) return;
    if ((this.#passed += 1) <= (plan.later ?? 0)) return;
    this.crash(plan);
  }

  #clock(): Clock {
    const { time, wallOffset, sleepStopsClock } = this.#parts;
    return {
      now: () => epochMs(time.now() + wallOffset()),
      // All of a sleep is taken away once it has begun, so that what is left of it has to be given back.
      elapsed: () =>
        elapsedMs(time.elapsed() - this.#slept + (sleepStopsClock ? this.#leftAsleep() : 0)),
    };
  }

  /** Runs what is due, if there is still a process to run it in, and it is awake. */
  #run(work: () => void): void {
    if (!this.#alive) return;
    const wait = this.#leftAsleep();
    if (wait > 0) this.#parts.time.after(wait, () => this.#run(work));
    else work();
  }

  #scheduler(): Scheduler {
    const { time } = this.#parts;
    return {
      after: (ms, run) => time.after(ms, () => this.#run(run)),
      endOfTurn: (run) => time.endOfTurn(() => this.#run(run)),
    };
  }

  #send(request: HttpRequest): Promise<HttpReply> {
    const { time } = this.#parts;
    return new Promise((resolve) => {
      if (!this.#alive) return;
      const changes = request.method !== 'GET';
      if (changes) this.#crashAt('before_send', request);
      if (!this.#alive) return;
      let settled = false;
      const finish = (reply: HttpReply): void => {
        if (settled) return;
        settled = true;
        cancelDeadline();
        this.#run(() => resolve(reply));
      };
      let hasLeft = false;
      const expire = (): void => {
        // Before it has left, this is the process's own time: it stands still while the machine sleeps.
        const asleepMs = this.#leftAsleep();
        if (!hasLeft && asleepMs > 0) {
          cancelDeadline = time.after(asleepMs + request.deadlineMs, expire);
          return;
        }
        finish({
          kind: 'broken',
          cause: 'deadline',
          message: `no whole reply within ${request.deadlineMs} ms`,
          status: null,
        });
      };
      let cancelDeadline = time.after(request.deadlineMs, expire);
      // On behalf of whom it leaves is known by the asynchronous context.
      const leave = AsyncResource.bind((): void => {
        if (request.mayLeave?.() === false) {
          return finish({ kind: 'not_sent', cause: HELD_BACK, message: 'it was kept back' });
        }
        hasLeft = true;
        const arrive = this.#parts.left(request);
        // The broker has it some milliseconds later, whatever has become of the sender.
        time.after(networkMs(request, time), () => {
          const reaction = arrive();
          const reply = replyOf(reaction);
          if (reply) time.after('delayMs' in reaction ? reaction.delayMs : 1, () => finish(reply));
        });
        if (changes) this.#crashAt('after_send', request);
      });
      const connectMs = request.fresh
        ? connectingMs(request, time, this.#parts.slowConnections)
        : 0;
      if (connectMs === 0) return leave();
      if (connectMs < CONNECT_WITHIN_MS) return void time.after(connectMs, () => this.#run(leave));
      time.after(CONNECT_WITHIN_MS, () => {
        this.#parts.unconnected(request);
        finish({ kind: 'not_sent', cause: 'ETIMEDOUT', message: 'no connection' });
      });
    });
  }
}
