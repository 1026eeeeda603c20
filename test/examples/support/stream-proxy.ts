import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { istIso } from '../../../src/domain/ist.ts';
import { type Ending, ENDINGS } from '../../../src/routes/price-session.ts';
import { epochMs } from '../../../src/units/branded.ts';

/**
 * Stands between a program and the gateway. It passes everything on, and says and does on the streams of prices what
 * the gateway would say and do in situations that a test cannot wait for.
 */
export interface StreamProxy extends AsyncDisposable {
  readonly url: string;
  /** `GET /api/v1/stream?…` of each request, WebSockets among them, in their order. */
  readonly addresses: readonly string[];
  /** What programs have sent on WebSockets, in their order. */
  readonly sent: readonly SentMessage[];
  /** How many streams of prices are open. */
  readonly open: number;
  /** Tells this price as a tick. */
  tell(price: {
    readonly instrument: string;
    readonly lastPrice: number;
    readonly stale: boolean;
  }): void;
  /** Cuts the streams of prices, without a close. */
  cut(): void;
  /** Ends them as the gateway ends a stream. Of WebSockets alone. */
  end(why: Ending): void;
}

/** A message of a program on its WebSocket. */
export interface SentMessage {
  readonly action: string;
  readonly instruments: readonly string[];
}

/** One stream of prices, to a program. */
interface Line {
  write(text: string): void;
  cut(): void;
  end(text: string): void;
}

/** Close codes of RFC 6455, as docs/streaming.md has them. */
const POLICY = 1008;
const isPrices = (address: string): boolean => /^\/api\/v1\/stream(\?|$)/.test(address);

export async function createStreamProxy(gateway: string): Promise<StreamProxy> {
  const lines = new Set<Line>();
  const addresses: string[] = [];
  const sent: SentMessage[] = [];
  const { host } = new URL(gateway);

  function pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    addresses.push(`${method} ${url}`);
    const passed = request(`${gateway}${url}`, { method, headers: { ...headers, host } });
    passed.on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.on('error', () => answer.destroy());
      reply.pipe(answer);
      if (!isPrices(url) || reply.statusCode !== 200) return;
      const line: Line = {
        write: (text) => void answer.write(`data: ${text}\n\n`),
        cut: () => answer.destroy(),
        end: (text) => answer.end(`data: ${text}\n\n`),
      };
      lines.add(line);
      answer.once('close', () => lines.delete(line));
    });
    passed.on('error', () => answer.destroy());
    answer.once('close', () => passed.destroy());
    incoming.pipe(passed);
  }

  function connect(program: WebSocket, url: string, headers: Record<string, string>): void {
    const passed = new WebSocket(`${gateway.replace(/^http/, 'ws')}${url}`, { headers });
    const line: Line = {
      write: (text) => program.send(text),
      cut: () => program.terminate(),
      end(text) {
        program.send(text);
        program.close(POLICY);
      },
    };
    const waiting: string[] = [];
    program.on('message', (data) => {
      const text = String(data);
      sent.push(JSON.parse(text));
      if (passed.readyState === WebSocket.OPEN) passed.send(text);
      else waiting.push(text);
    });
    passed.on('open', () => {
      lines.add(line);
      for (const text of waiting.splice(0)) passed.send(text);
    });
    passed.on('message', (data) => {
      if (lines.has(line)) program.send(String(data));
    });
    for (const each of [program, passed]) each.on('error', () => undefined);
    passed.on('close', () => program.terminate());
    program.on('close', () => {
      lines.delete(line);
      passed.terminate();
    });
  }

  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer(pass);
  server.on('upgrade', (incoming: IncomingMessage, socket, head) => {
    const { url = '/', headers } = incoming;
    addresses.push(`GET ${url}`);
    const { authorization } = headers;
    sockets.handleUpgrade(incoming, socket, head, (program) =>
      connect(program, url, authorization === undefined ? {} : { authorization }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, addresses, sent },
    get open() {
      return lines.size;
    },
    tell(price) {
      const now = { receivedAt: istIso(epochMs(Date.now())), exchangeAt: null };
      const whole = { ...price, ...now, mode: 'ltp', broker: 'alt', source: 'ticks' };
      const text = JSON.stringify({ type: 'ticks', seq: 0, prices: [whole] });
      for (const line of lines) line.write(text);
    },
    cut() {
      for (const line of [...lines]) line.cut();
    },
    end(why) {
      const text = JSON.stringify({ type: 'error', code: why, message: ENDINGS[why] });
      for (const line of [...lines]) {
        lines.delete(line);
        line.end(text);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const each of sockets.clients) each.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
