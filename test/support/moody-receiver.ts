import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxRandom } from '../../sandbox/kernel/ports.ts';

/** One request that a webhook's receiver was sent, whole. */
export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  /** Which life of the gateway sent it. */
  readonly life: number;
  /** Whether it was answered with 200; one that was cut or refused is sent again. */
  readonly isTaken: boolean;
}

/** A receiver of a webhook that fails, hangs and cuts connections as it is drawn. */
export interface MoodyReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** From now on it takes everything. */
  calm(): void;
}

export async function createMoodyReceiver(
  random: SandboxRandom,
  life: () => number,
): Promise<MoodyReceiver> {
  const received: Received[] = [];
  let isCalm = false;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const drawn = isCalm ? 1 : random.next();
      const head = (name: string): string => String(request.headers[name] ?? '');
      const note = (isTaken: boolean): void => {
        const [id, timestamp] = [head('webhook-id'), head('webhook-timestamp')];
        const signature = head('webhook-signature');
        received.push({ id, timestamp, signature, body, life: life(), isTaken });
      };
      if (drawn >= 0.08) {
        note(true);
        response.end();
        return;
      }
      note(false);
      if (drawn < 0.02) response.writeHead(503).end();
      else if (drawn < 0.05) request.socket.destroy();
      else if (drawn < 0.075) setTimeout(() => request.socket.destroy(), 300);
      // The others hang until the gateway gives up.
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    calm: () => void (isCalm = true),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
