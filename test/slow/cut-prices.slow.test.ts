import { describe, expect, it } from 'vitest';
import { type SandboxRandom, seededRandom } from '../../sandbox/kernel/ports.ts';
import { openEvents } from '../support/event-client.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { ADMIN_KEY, createStage } from '../support/served.ts';
import { type Message, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

const LIVES = 3;
const INSTRUMENTS = ['NSE:INFY', 'NSE:TCS', 'NSE:ITC'];
const MOST_MS = 800;
/** Of each reader, that have told a price before they were cut. */
const CONNECTIONS = 6;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One connection of a reader: what it was told, in order. */
type Told = readonly Message[];

interface Price {
  readonly instrument: string;
  readonly lastPrice: number;
  readonly source: string;
}

interface PriceReader {
  readonly connections: readonly Told[];
  /** All prices so far, of all connections. */
  prices(): readonly Price[];
  stop(): Promise<void>;
}

interface OpenStream {
  told(): Told;
  isOver(): boolean;
  cut(): void;
}

const HEADERS = { authorization: `Bearer ${ADMIN_KEY}` };

async function openSocket(url: string): Promise<OpenStream> {
  const client = await openStream(url, HEADERS);
  return {
    told: () => client.messages,
    isOver: () => client.closeCode !== null,
    cut: () => client.cut(),
  };
}

/** The same messages, as server-sent events. */
async function openSent(url: string): Promise<OpenStream> {
  const client = await openEvents(url, HEADERS);
  return {
    told: () => client.heard.map(({ event }) => event),
    isOver: () => client.isOver,
    cut: () => client.cut(),
  };
}

/** Follows prices over connections that it cuts after a drawn time. */
function followPrices(
  url: () => string | null,
  open: (url: string) => Promise<OpenStream>,
  random: SandboxRandom,
): PriceReader {
  const connections: Told[] = [];
  let current: OpenStream | null = null;
  let isStopping = false;
  async function follow(): Promise<void> {
    while (!isStopping) {
      const end = Date.now() + random.next() * MOST_MS;
      const at = url();
      const path = `/api/v1/stream?instruments=${INSTRUMENTS.join(',')}`;
      current = at === null ? null : await open(`${at}${path}`).catch(() => null);
      while (!isStopping && current?.isOver() === false && Date.now() < end) await pause(10);
      if (current === null) await pause(10);
      else {
        current.cut();
        connections.push([...current.told()]);
      }
    }
  }
  const done = follow();
  done.catch(() => undefined);
  return {
    connections,
    prices: () =>
      [...connections.flat(), ...(current?.told() ?? [])].flatMap(({ prices }) => prices ?? []),
    async stop() {
      isStopping = true;
      await done;
    },
  };
}

/** What is wrong with one connection; prices of the exchange only rise, so none may be below an earlier one. */
function wrongIn(told: Told, highest: Map<string, number>): readonly string[] {
  const wrong: string[] = [];
  const begun = new Set<string>();
  let seq = 0;
  if (told.length > 0 && told[0]?.type !== 'hello') wrong.push(`begins with ${told[0]?.type}`);
  for (const message of told) {
    if (message.seq !== undefined && message.seq !== (seq += 1)) {
      wrong.push(`seq ${message.seq} in place of ${seq}`);
    }
    for (const { instrument, lastPrice } of message.prices ?? []) {
      if (message.type === 'ticks' && !begun.has(instrument))
        wrong.push(`no snapshot: ${instrument}`);
      begun.add(instrument);
      const before = highest.get(instrument) ?? 0;
      if (lastPrice < before) wrong.push(`${instrument} went from ${before} back to ${lastPrice}`);
      highest.set(instrument, Math.max(before, lastPrice));
    }
  }
  return wrong;
}

const wholeOf = (connections: readonly Told[]) =>
  connections.filter((told) => told.some(({ prices }) => prices !== undefined));

const wrongOf = ({ connections }: PriceReader): readonly string[] => {
  const highest = new Map<string, number>();
  return connections.flatMap((told) => wrongIn(told, highest));
};

describe('prices, over streams that are cut, a ticker that fails and a gateway that is killed', () => {
  it('begin with a snapshot on each connection, skip no number, never go back, and end with the last', async () => {
    await using stage = await createStage({ sandbox: { latencyMs: [2, 30] } });
    const { kite, exchange, faults } = stage.served.sandbox;
    const random = seededRandom('cut prices');
    let rupees = 1_500;
    const rise = (): void => {
      rupees += 0.1;
      for (const instrument of INSTRUMENTS) exchange.setPrice(instrument, Math.round(rupees * 100));
    };
    rise();
    const settings = {
      APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect(),
      APP_ALT_BROKER_TICKER_URL: stage.served.tickerUrl,
    };
    faults.add({ broker: 'kite', kind: 'ticker_cut', probability: 0.2 });
    let gateway: GatewayProcess | null = null;
    const url = () => gateway?.url ?? null;
    const readers = [openSocket, openSocket, openSent].map((open, number) =>
      followPrices(url, open, seededRandom(`reader ${number}`)),
    );
    const hasSource = (source: string) =>
      readers.every(({ prices }) => prices().some((each) => each.source === source));
    let refused: string | null = faults.add({ broker: 'kite', kind: 'ticker_refused' });
    const rising = setInterval(rise, 15);
    try {
      for (let life = 1; life < LIVES; life += 1) {
        const now = await startGateway(stage, settings);
        gateway = now;
        if (refused !== null) {
          await until('every reader has polled prices', () => hasSource('polling'));
          faults.remove(refused);
          refused = null;
        }
        await pause(random.next() * 1_000);
        gateway = null;
        now.kill('SIGKILL');
        await now.exited;
      }
      await using last = await startGateway(stage, settings);
      gateway = last;
      await until('every reader has ticks', () => hasSource('ticks'));
      await until('every reader was cut again and again', () =>
        readers.every(({ connections }) => wholeOf(connections).length >= CONNECTIONS),
      );
      clearInterval(rising);
      const final = Math.round(rupees * 100) / 100;
      await until('every reader has the last price of each instrument', () =>
        readers.every(({ prices }) => {
          const all = prices();
          const last = (name: string) => all.findLast(({ instrument }) => instrument === name);
          return INSTRUMENTS.every((name) => last(name)?.lastPrice === final);
        }),
      );
      await Promise.all(readers.map((reader) => reader.stop()));
    } finally {
      clearInterval(rising);
    }
    expect(readers.flatMap(wrongOf)).toEqual([]);
  });
});
