import { WebSocket } from 'ws';

/** One message of a stream of prices. */
export interface Message {
  readonly type: string;
  // Tests read whatever was sent.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly [name: string]: any;
}

export interface StreamClient {
  readonly messages: Message[];
  /** Without heartbeats. */
  readonly told: readonly Message[];
  /** Of the refusal; null where it was opened. */
  readonly refusal: { readonly status: number; readonly text: string } | null;
  /** Null while it is open. */
  readonly closeCode: number | null;
  send(message: unknown): void;
  sendText(text: string | Buffer): void;
  cut(): void;
  pause(): void;
}

/** Opens a WebSocket; resolves once it is open or refused. */
export function openStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamClient> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
    const messages: Message[] = [];
    let refusal: StreamClient['refusal'] = null;
    let closeCode: number | null = null;
    const client: StreamClient = {
      messages,
      get told() {
        return messages.filter(({ type }) => type !== 'heartbeat');
      },
      get refusal() {
        return refusal;
      },
      get closeCode() {
        return closeCode;
      },
      send: (message) => socket.send(JSON.stringify(message)),
      sendText: (text) => socket.send(text),
      cut: () => socket.terminate(),
      pause: () => socket.pause(),
    };
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    socket.on('open', () => resolve(client));
    socket.on('close', (code) => (closeCode = code));
    socket.on('error', (error) => refusal ?? reject(error));
    socket.on('unexpected-response', (request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        refusal = { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
        request.destroy();
        resolve(client);
      });
    });
  });
}
