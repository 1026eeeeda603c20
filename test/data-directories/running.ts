import { seededRandom } from '../../sandbox/kernel/ports.ts';
import { compose, type Composed } from '../../src/compose.ts';
import type { OrderRequest, OrderResponse } from '../../src/domain/order.ts';
import { openDatabase, type Database } from '../../src/platform/database.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { createIds } from '../../src/platform/ids.ts';
import type { HttpTransport } from '../../src/platform/http.ts';
import { createPino } from '../../src/platform/log.ts';
import { createLife } from '../support/life.ts';
import { KITE, PRIMARY_TOKEN, type Brokers } from './brokers.ts';

/** A gateway that is connected to the sandbox brokers. */
export interface Running {
  readonly composed: Composed;
  readonly log: readonly string[];
  /** The program that takes the events of webhooks. */
  readonly receiver: Receiver;
  /** Advances the clock as far as the work needs, and no further. */
  settle<T>(work: Promise<T>): Promise<T>;
  /** Logs in at the alternative broker. */
  logIn(): Promise<void>;
  /** Our orders of one day at all brokers, oldest first. */
  ordersOn(day: string): Promise<readonly OrderResponse[]>;
  /** Copies the write-ahead logs into the database files, as SQLite does now and then. */
  checkpoint(): void;
  /** Ends it as SIGKILL would. Closing the databases changes their files: copy them before. */
  kill(): void;
  stop(): Promise<void>;
}

export const FREEZE = 100;

/** A call of the caller `trader` under an idempotency key. */
export const context = (key: string) => ({ caller: 'trader', idempotencyKey: key });

/** An order with these fields, and defaults for the rest. It rests: NSE:INFY trades at 1,500 rupees. */
export const orderRequest = (more: Partial<OrderRequest> = {}): OrderRequest => ({
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 10,
  orderType: 'LIMIT',
  product: 'CNC',
  validity: 'DAY',
  price: 1_470,
  triggerPrice: null,
  amo: false,
  tag: null,
  broker: 'alt',
  mode: null,
  ...more,
});

/** Takes the events of webhooks, by their ids; while it hangs, it answers nothing. */
export interface Receiver {
  readonly transport: HttpTransport;
  readonly received: readonly string[];
  hang(): void;
}

function createReceiver(): Receiver {
  const received: string[] = [];
  let hangs = false;
  return {
    received,
    hang: () => void (hangs = true),
    transport: {
      send({ headers }) {
        received.push(headers['webhook-id'] ?? '');
        if (hangs) return new Promise(() => undefined);
        const reply = { status: 204, statusText: '', headers: {}, body: '' } as const;
        return Promise.resolve({ kind: 'answered', ...reply });
      },
      connectAhead: () => undefined,
      close: () => Promise.resolve(),
    },
  };
}

/** Starts a gateway on `directory`. The ids that it draws follow from `seed`. */
export async function run(brokers: Brokers, directory: string, seed: string): Promise<Running> {
  const { time, transport } = brokers;
  const databases: Database[] = [];
  const log: string[] = [];
  const receiver = createReceiver();
  const life = createLife({
    scheduler: time,
    transport,
    // A gateway reserves 16 MB for its log; a fixture has to be small. Checkpoints are explicit.
    openDatabase(path) {
      const database = openDatabase(path);
      database.exec('PRAGMA wal_autocheckpoint = 0');
      databases.push(database);
      return database;
    },
  });
  const random = seededRandom(`ids/${seed}`);
  const bytes = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => Math.floor(random.next() * 256));
  const composed = await time.settle(
    compose({
      ...life.ports,
      clock: time,
      ids: createIds(bytes),
      environment: memoryEnvironment({
        APP_ALT_BROKER_API_KEY: KITE.apiKey,
        APP_ALT_BROKER_API_SECRET: KITE.apiSecret,
        APP_ALT_BROKER_API_ROOT: 'http://kite.test',
        APP_ALT_BROKER_LOGIN_URL: 'http://kite.test/connect/login',
        APP_PRIMARY_BASE_URL: 'http://primary.test',
        APP_PRIMARY_ACCESS_TOKEN: PRIMARY_TOKEN,
        APP_DATA_DIR: directory,
        APP_ROUTE_TRADING: 'alt,primary,paper',
        APP_ORDER_POLL_SECONDS: '5',
        APP_FREEZE_QUANTITIES: `NSE:ITC=${FREEZE}`,
      }),
      webhookTransport: () => receiver.transport,
      pino: createPino('debug', { write: (line: string) => void log.push(line) }),
    }),
  );
  const { gateway, session } = composed;
  brokers.onPostback((body) => void gateway.receivePostback(body).catch(() => undefined));

  return {
    composed,
    log,
    receiver,
    settle: (work) => time.settle(work),
    async logIn() {
      if (!session) throw new Error('no broker of this gateway has a login');
      const { state } = session.begin();
      const requestToken = brokers.act({ kind: 'token' });
      if (typeof requestToken !== 'string') throw new Error('the broker gives no request token');
      const callback = { requestToken, status: 'success', state, cookieState: state };
      await time.settle(session.complete(callback));
    },
    async ordersOn(day) {
      const orders = new Map<string, OrderResponse>();
      for (const broker of ['alt', 'primary', 'paper'] as const) {
        const { data } = await time.settle(gateway.getOrders({ broker, day }));
        for (const order of data) if (!order.external) orders.set(order.id, order);
      }
      return [...orders.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
    },
    checkpoint() {
      for (const database of databases) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    kill() {
      brokers.onPostback(null);
      life.kill();
    },
    async stop() {
      brokers.onPostback(null);
      await time.settle(Promise.resolve(composed[Symbol.asyncDispose]()));
    },
  };
}
