import { heartbeat, messageOf, packetOf } from '../../../../sandbox/kite/tick-packets.ts';
import { createAltTicker, type Ticker } from '../../../../src/adapters/alt/ticker/ticker.ts';
import type { Instrument } from '../../../../src/domain/instrument.ts';
import type { Tick } from '../../../../src/domain/tick.ts';
import { createIds } from '../../../../src/platform/ids.ts';
import { createLog, createPino } from '../../../../src/platform/log.ts';
import { instrument } from '../../../execution/support/makers.ts';
import {
  createFakeSockets,
  type FakeSocket,
  type FakeSockets,
} from '../../../support/fake-sockets.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

export const listed = (name: string, instrumentToken: number | null): Instrument => ({
  ...instrument({ name }),
  instrumentToken,
});
export const INFY = listed('NSE:INFY', 408_065);
export const TCS = listed('NSE:TCS', 2_953_217);

/** A message with a last price, rupees. */
export const priceOf = (token: number, rupees: number): Uint8Array => {
  const none = { open: 0, high: 0, low: 0, close: 0, volume: 0, average: 0, at: 0 };
  const figures = { token, index: false, last: rupees * 100, ...none, bids: [], asks: [] };
  return messageOf([packetOf(figures, 'ltp')]);
};

export const beat = (socket: FakeSocket): void => socket.binary(heartbeat);

export interface BenchOptions {
  /** The random bytes: 0 halves each pause, 255 leaves it unchanged. */
  readonly dice?: number;
  readonly token?: string | null;
}

/** A ticker on sockets that the test controls. */
export interface Bench {
  readonly time: VirtualTime;
  readonly sockets: FakeSockets;
  readonly lines: readonly string[];
  readonly ticks: readonly Tick[];
  /** Tokens that were reported as refused. */
  readonly refused: readonly string[];
  readonly ticker: Ticker;
  /** The token of the session. */
  token: string | null;
  /** How often a read of orders was requested. */
  orders: number;
  /** Opens the last connection. */
  stand(socket?: FakeSocket): Promise<FakeSocket>;
  /** Lets time pass on a connection that receives heartbeats. */
  beatFor(ms: number): Promise<void>;
}

export function createBench({ dice = 255, token = 'token-1' }: BenchOptions = {}): Bench {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const sockets = createFakeSockets();
  const lines: string[] = [];
  const ticks: Tick[] = [];
  const refused: string[] = [];
  const bench: Bench = {
    ...{ time, sockets, lines, ticks, refused },
    token,
    orders: 0,
    async stand(socket = sockets.last) {
      socket.open();
      await time.advance(0);
      return socket;
    },
    async beatFor(ms) {
      for (let passed = 0; passed < ms; passed += 1_000) {
        beat(sockets.last);
        await time.advance(Math.min(1_000, ms - passed));
      }
    },
    ticker: createAltTicker({
      sockets,
      ...{ clock: time, scheduler: time },
      ids: createIds((count) => new Uint8Array(count).fill(dice)),
      log: createLog(createPino('debug', { write: (line: string) => void lines.push(line) })),
      accessToken: () => bench.token,
      onOrders: () => void (bench.orders += 1),
      onRefused: (accessToken) => void refused.push(accessToken),
      settings: { apiKey: 'kitekey', tickerUrl: 'wss://ws.kite.trade' },
    }),
  };
  bench.ticker.onTick((tick) => ticks.push(tick));
  return bench;
}
