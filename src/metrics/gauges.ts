import { Counter, Gauge, type Registry } from 'prom-client';
import type { BrokerId, Mode } from '../domain/broker.ts';
import type { EpochMs } from '../units/branded.ts';
import type { LimitBucket } from '../domain/limits.ts';

/** What is counted anew for each answer of `/metrics`. */
export interface Figures {
  readonly ready: boolean;
  readonly killSwitchEngaged: boolean;
  readonly brokers: readonly {
    readonly broker: BrokerId;
    readonly mode: Mode;
    readonly available: boolean;
    /** Orders that are not over, by status. */
    readonly openOrders: ReadonlyMap<string, number>;
    /** Seconds for which its book cannot be read although orders in it are open; 0 where it can. */
    readonly bookUnreadSeconds: number;
    readonly limits: readonly LimitBucket[];
  }[];
  /** Seconds until the token of a broker with a daily login ends; 0 without one. */
  readonly tokens: readonly { readonly broker: BrokerId; readonly secondsLeft: number }[];
  /** Null where it is not measured. */
  readonly eventLoopDelay: EventLoopDelay | null;
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
  readonly startedAt: EpochMs;
}

/** How late timers ran since the last answer, in seconds. */
export interface EventLoopDelay {
  readonly mean: number;
  readonly p99: number;
  readonly longest: number;
}

export interface Gauges {
  set(figures: Figures): void;
}

/** Statuses of open orders that are told also where no order has them: an alert can compare with 0. */
const ALWAYS_TOLD = ['uncertain', 'disputed', 'working'];

export function createGauges(registry: Registry): Gauges {
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Gauge<Label> =>
    new Gauge({
      name: `altbroker_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
    });

  const ready = gauge(
    'ready',
    '1 once orders that a crash left open have been looked up, otherwise 0',
  );
  const killSwitch = gauge('kill_switch_engaged', '1 while the kill switch is engaged');
  const available = gauge('broker_available', '1 while a broker can be called', ['broker', 'mode']);
  const open = gauge('open_orders', 'Orders that are not over, by status', [
    'broker',
    'mode',
    'status',
  ]);
  const unread = gauge(
    'book_unread_seconds',
    'Time for which an order book with open orders cannot be read; 0 where it can',
    ['broker'],
  );
  const left = gauge(
    'limit_left',
    'Calls that a rate limit allows now, as the gateway counts them',
    [...(['broker', 'bucket', 'window_seconds'] as const)],
  );
  const waiting = gauge('limit_waiting', 'Calls that wait for a place of a rate limit', [
    'broker',
    'bucket',
  ]);
  const waited = createWaits(registry);
  const token = gauge('token_seconds_left', 'Time until the token of the day ends; 0 without one', [
    'broker',
  ]);
  const delay = gauge('event_loop_delay_seconds', 'How late timers ran since the last scrape', [
    'quantile',
  ]);
  const memory = gauge('memory_bytes', 'Memory of the process', ['kind']);
  const started = gauge('start_time_seconds', 'When the gateway began, in seconds since 1970');

  return {
    set(figures) {
      ready.set(Number(figures.ready));
      killSwitch.set(Number(figures.killSwitchEngaged));
      for (const each of [available, open, unread, left, waiting, token, delay]) each.reset();
      for (const { broker, mode, ...of } of figures.brokers) {
        available.set({ broker, mode }, Number(of.available));
        for (const status of ALWAYS_TOLD) open.set({ broker, mode, status }, 0);
        for (const [status, count] of of.openOrders) open.set({ broker, mode, status }, count);
        unread.set({ broker }, of.bookUnreadSeconds);
        for (const bucket of of.limits) {
          const named = { broker, bucket: bucket.name };
          waiting.set(named, bucket.waiting);
          waited.set(named, bucket.waited);
          for (const window of bucket.windows) {
            left.set({ ...named, window_seconds: String(window.perMs / 1000) }, window.left);
          }
        }
      }
      for (const { broker, secondsLeft } of figures.tokens) token.set({ broker }, secondsLeft);
      if (figures.eventLoopDelay) {
        delay.set({ quantile: 'mean' }, figures.eventLoopDelay.mean);
        delay.set({ quantile: '0.99' }, figures.eventLoopDelay.p99);
        delay.set({ quantile: '1' }, figures.eventLoopDelay.longest);
      }
      memory.set({ kind: 'resident' }, figures.memory.residentBytes);
      memory.set({ kind: 'heap' }, figures.memory.heapBytes);
      started.set(figures.startedAt / 1000);
    },
  };
}

/** Calls that had to wait for a place, and how long all of them together: they only grow. */
function createWaits(registry: Registry) {
  const labelNames = ['broker', 'bucket'] as const;
  const registers = [registry];
  const calls = new Counter({
    name: 'altbroker_limit_waits_total',
    help: 'Calls that waited for a place of a rate limit and got one',
    ...{ labelNames, registers },
  });
  const seconds = new Counter({
    name: 'altbroker_limit_waited_seconds_total',
    help: 'Time that these calls waited, all together',
    ...{ labelNames, registers },
  });
  return {
    set(
      labels: { readonly broker: BrokerId; readonly bucket: string },
      total: LimitBucket['waited'],
    ): void {
      calls.remove(labels);
      calls.inc(labels, total.calls);
      seconds.remove(labels);
      seconds.inc(labels, total.ms / 1000);
    },
  };
}
