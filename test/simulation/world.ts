import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
import type { BrokerInspector, BrokerOrder } from '../../sandbox/kernel/inspector.ts';
import { createSandbox, type Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import { drain, VirtualTime } from '../support/virtual-time.ts';
import { createDice, type Dice } from './dice.ts';
import { Incarnation } from './incarnation.ts';
import type { CrashPlan, Mishap, SeedPlan } from './plan.ts';
import { createTimeline, type Timeline } from './timeline.ts';

export const SECRETS = {
  apiSecret: 'CANARYapiSecret7f3e',
  adminKey: 'CANARY-admin-key-99b1',
  primaryToken: 'CANARYprimaryToken55aa',
};

/** What a caller asked for, as the checker knows it whatever has become of the gateway. */
export interface Wanted {
  readonly caller: string;
  readonly key: string;
}

export type LiveBroker = 'alt' | 'primary';

/** An order that a broker has taken from the gateway. */
export interface Taken {
  readonly broker: LiveBroker;
  readonly brokerOrderId: string;
  readonly wanted: string;
}

/** A request that left this machine. */
export interface Sent {
  readonly at: number;
  readonly broker: LiveBroker;
  readonly request: HttpRequest;
  readonly placing: boolean;
  readonly wanted: string | null;
  readonly life: number;
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
  readonly taken: Taken[];
  /** Shares by instrument before the first trade. */
  readonly holdingsBefore: Readonly<Record<LiveBroker, ReadonlyMap<string, number>>>;
  readonly sent: Sent[];
  readonly logs: string[];
  readonly crashes: { readonly at: number; readonly plan: CrashPlan }[];
  /** When each life began. */
  readonly births: number[];
  /** Fault and journal state, `hang_after × uncertain`, and how often they met. */
  readonly pairs: Map<string, number>;
  readonly strikes: Map<string, number>;
  /** The gateway now; null while it is down. */
  current(): Incarnation | null;
  /** Runs the clock until an instant. */
  runUntil(at: number): Promise<void>;
  /** Ends the present life as a power loss or a kill does, for a mishap or the end. */
  dispose(): void;
}

const CRASH_AT_THE_LATEST_MS = 45_000;

export const nameOf = ({ caller, key }: Wanted): string => `${caller}/${key}`;
const PLACING = /^\/(orders\/[a-z]+|order|smart\/order)$/;
const KITE_ORIGIN = 'http://kite.test';
const PRIMARY_ORIGIN = 'http://primary.test';

function environmentOf(plan: SeedPlan, directory: string, life: number): Record<string, string> {
  const remarks = plan.remarksChange && life % 2 === 0 ? !plan.remarks : plan.remarks;
  return {
    APP_ALT_BROKER_API_KEY: 'kitekey',
    APP_ALT_BROKER_API_SECRET: SECRETS.apiSecret,
    APP_ALT_BROKER_API_ROOT: KITE_ORIGIN,
    APP_ALT_BROKER_LOGIN_URL: `${KITE_ORIGIN}/connect/login`,
    APP_PRIMARY_BASE_URL: PRIMARY_ORIGIN,
    APP_PRIMARY_ACCESS_TOKEN: SECRETS.primaryToken,
    APP_BROKER_ORDER_REMARKS_ENABLED: String(remarks),
    APP_API_KEY: SECRETS.adminKey,
    APP_DATA_DIR: join(directory, 'data'),
    APP_ROUTE_TRADING: plan.tradingRoute.join(','),
    APP_ORDER_POLL_SECONDS: String(plan.pollSeconds),
    ...(plan.freezeQuantity === null
      ? {}
      : {
          APP_FREEZE_QUANTITIES: `NSE:INFY=${plan.freezeQuantity},NSE:ITC=${plan.freezeQuantity}`,
        }),
  };
}

const holdingsOf = (inspector: BrokerInspector): ReadonlyMap<string, number> =>
  new Map(inspector.holdings().map((each) => [each.instrument.key, each.settled + each.t1]));

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export interface WorldHooks {
  /** Called the moment a broker takes an order of ours. */
  readonly onTaken: (taken: Taken, order: BrokerOrder) => void;
  /** What people do: in the broker's own app, and at the kill switch. */
  readonly onMishap: (mishap: Mishap) => void;
}

export function createWorld(plan: SeedPlan, hooks: WorldHooks): World {
  const time = new VirtualTime(plan.hours.boot);
  const timeline = createTimeline(() => time.now());
  const dice = createDice(`${plan.seed}/world`);
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const directory = mkdtempSync(join(memory, 'abg-simulation-'));
  mkdirSync(join(directory, 'data'), { mode: 0o700 });
  const onBehalf = new AsyncLocalStorage<string>();
  const taken: Taken[] = [];
  const sent: Sent[] = [];
  const logs: string[] = [];
  const crashes: { at: number; plan: CrashPlan }[] = [];
  const births: number[] = [];
  const pairs = new Map<string, number>();
  const strikes = new Map<string, number>();
  const crashesLeft = [...plan.crashes].sort((left, right) => left.at - right.at);
  /** Whose order is being handed in, while a broker handles the request; and by tag, for later. */
  let handing: string | null = null;
  const wantedByTag = new Map<string, string>();
  const struck = new Map<string, number>();
  let wallOffset = 0;
  let diskFullUntil = -Infinity;
  let life = 0;
  let current: Incarnation | null = null;
  let disposed = false;

  const sandbox = createSandbox({
    clock: time,
    random: seededRandom(`${plan.seed}/sandbox`),
    market: 'exchange',
    latencyMs: [1, 40],
    kite: {
      apiKey: 'kitekey',
      apiSecret: SECRETS.apiSecret,
      userId: 'AB1234',
      origin: KITE_ORIGIN,
      redirectUrl: 'http://gateway.test/callback',
      postbackUrl: 'http://gateway.test/postback',
    },
    primary: {
      accessToken: SECRETS.primaryToken,
      clientId: '1',
      origin: PRIMARY_ORIGIN,
      remarks: plan.remarks,
    },
    post: (request) => {
      const gateway = current?.composed?.gateway;
      if (!gateway) return;
      void gateway.receivePostback(request.body).catch(() => undefined);
    },
  });
  for (const fault of plan.faults) sandbox.faults.add(fault);
  listen('alt');
  listen('primary');

  function listen(broker: LiveBroker): void {
    const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
    inspector.onOrder((order) => {
      if (order.placedBy === 'hand') return;
      const tag = order.tag ?? order.remarks;
      const wanted = handing ?? wantedByTag.get(tag ?? '') ?? '?';
      const each = { broker, brokerOrderId: order.orderId, wanted };
      taken.push(each);
      timeline.note('broker', `${broker} takes ${order.orderId} for ${wanted}`);
      hooks.onTaken(each, order);
    });
  }

  function left(request: HttpRequest): () => WireReaction {
    const broker: LiveBroker = request.url.startsWith(KITE_ORIGIN) ? 'alt' : 'primary';
    const path = new URL(request.url).pathname;
    const placing = request.method === 'POST' && PLACING.test(path);
    const wanted = onBehalf.getStore() ?? null;
    sent.push({ at: time.now(), broker, request, placing, wanted, life });
    const tag = /(?:tag=|"remarks":")([A-Za-z0-9]{20})/.exec(request.body ?? '')?.[1];
    if (placing && wanted !== null && tag) wantedByTag.set(tag, wanted);
    if (request.method !== 'GET') {
      timeline.note('gateway', `sends ${request.method} ${broker} ${path} for ${wanted ?? '-'}`);
    }
    return () => {
      handing = wanted;
      const reaction = sandbox.handle({
        method: request.method,
        url: request.url,
        headers: lowerCase(request.headers),
        body: request.body ?? '',
      });
      handing = null;
      noteReaction(broker, request.method, path, reaction);
      return reaction;
    };
  }

  function noteReaction(
    broker: LiveBroker,
    method: string,
    path: string,
    reaction: WireReaction,
  ): void {
    const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
    const fault =
      reaction.kind === 'refuse' ? 'refuse' : (inspector.requests().at(-1)?.fault ?? null);
    noteStrikes();
    const status = 'status' in reaction ? ` ${reaction.status}` : '';
    if (method !== 'GET' || fault !== null) {
      const why = fault === null ? '' : ` (${fault})`;
      timeline.note('broker', `${broker} ${method} ${path}: ${reaction.kind}${status}${why}`);
    }
  }

  /** What has struck since the last look, postbacks' and hidden rows' faults included. */
  function noteStrikes(): void {
    for (const [fault, hits] of Object.entries(sandbox.faults.hits())) {
      const known = struck.get(fault) ?? 0;
      for (let each = known; each < hits; each += 1) meet(fault);
      struck.set(fault, hits);
    }
  }

  /** Notes what a fault or a mishap met in the journal. */
  function meet(fault: string): void {
    strikes.set(fault, (strikes.get(fault) ?? 0) + 1);
    const composed = current?.last;
    if (!composed) return;
    const states = new Set(
      [...composed.execution.state.orders.values()].map(({ status }) => status),
    );
    for (const state of states) {
      const pair = `${fault} × ${state}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
  }

  function boot(): void {
    if (disposed) return;
    life += 1;
    births.push(time.now());
    const number = life;
    timeline.note('world', `life ${number} begins`);
    const incarnation = new Incarnation({
      time,
      seed: plan.seed,
      number,
      environment: environmentOf(plan, directory, number),
      wallOffset: () => wallOffset,
      diskFull: () => time.now() < diskFullUntil,
      nextCrash: () => {
        const next = crashesLeft[0];
        return next && time.now() >= next.at ? next : null;
      },
      crashed(crash) {
        crashesLeft.splice(crashesLeft.indexOf(crash), 1);
        crashes.push({ at: time.now(), plan: crash });
        timeline.note('world', `crash ${crash.point}${crash.power ? ', power loss' : ''}`);
        meet(`crash_${crash.point}`);
        current = null;
        time.after(crash.downMs, () => {
          incarnation.bury();
          boot();
        });
      },
      left,
      logged: (line) => void logs.push(line),
    });
    current = incarnation;
    void start(incarnation);
  }

  /** What befalls the machine is done here; what people do is the callers' and the person's. */
  function befall(mishap: Mishap): void {
    timeline.note('world', `mishap ${JSON.stringify(mishap)}`);
    meet(mishap.kind);
    switch (mishap.kind) {
      case 'disk_full':
        diskFullUntil = time.now() + mishap.forMs;
        return;
      case 'clock_step':
        wallOffset += mishap.byMs;
        return;
      case 'sleep':
        current?.freeze(mishap.forMs);
        return;
      case 'token_death':
        sandbox.kite.killTokens();
        return;
      default:
        hooks.onMishap(mishap);
    }
  }

  async function start(incarnation: Incarnation): Promise<void> {
    try {
      await incarnation.start();
    } catch (error) {
      // A full disk, for one: whoever started it tries again.
      timeline.note('world', `the gateway does not start: ${String(error)}`);
      incarnation.die(false);
      current = null;
      time.after(2_000, () => {
        incarnation.bury();
        boot();
      });
    }
  }

  for (const mishap of plan.mishaps) {
    time.after(mishap.at - time.now(), () => befall(mishap));
  }
  // A crash whose moment does not come by itself comes all the same.
  for (const crash of plan.crashes) {
    const insist = (): void => {
      if (!crashesLeft.includes(crash)) return;
      if (current?.composed) current.crash(crash);
      else time.after(5_000, insist);
    };
    time.after(crash.at + CRASH_AT_THE_LATEST_MS - time.now(), insist);
  }
  boot();
  const holdingsBefore = {
    alt: holdingsOf(sandbox.kite),
    primary: holdingsOf(sandbox.primary),
  };
  return {
    plan,
    time,
    sandbox,
    timeline,
    dice,
    directory,
    onBehalf,
    taken,
    holdingsBefore,
    sent,
    logs,
    crashes,
    births,
    pairs,
    strikes,
    current: () => current,
    async runUntil(at) {
      const limit = time.elapsed() + Math.max(0, at - time.now());
      await drain();
      while (time.fireNext(limit)) await drain();
      await time.advance(Math.max(0, at - time.now()));
    },
    dispose() {
      disposed = true;
      current?.die(false);
      current?.bury();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
