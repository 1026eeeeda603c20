import { request as httpRequest } from 'node:http';

/** One event of a stream, as a browser's EventSource reads it. */
export interface Heard {
  readonly lastEventId: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly at: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

export interface EventClient {
  /** Events so far, heartbeats and notices of the stream among them. */
  readonly heard: readonly Heard[];
  /** Events so far without those that tell of the stream itself. */
  readonly told: readonly Heard[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What came where it is no stream. */
  readonly text: string;
  /** Whether the server has ended it. */
  readonly isOver: boolean;
  /** The `retry` of the stream, ms. */
  readonly retryMs: number | null;
  /** Cuts the connection. */
  cut(): void;
  pause(): void;
  resume(): void;
}

const OF_STREAM = new Set(['heartbeat', 'stream.closing']);

/** Opens a stream of events; resolves once its head is there. */
export function openEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventClient> {
  return new Promise((resolve, reject) => {
    const heard: Heard[] = [];
    let [text, isOver] = ['', false];
    let retryMs: number | null = null;
    const outgoing = httpRequest(url, {
      headers: { accept: 'text/event-stream', ...headers },
      agent: false,
    });
    const take = (block: string): void => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(': ');
          return [line.slice(0, colon), line.slice(colon + 2)] as const;
        }),
      );
      const data = fields.get('data');
      if (fields.has('retry')) retryMs = Number(fields.get('retry'));
      if (data !== undefined) {
        heard.push({ lastEventId: fields.get('id') ?? '', event: JSON.parse(data) });
      }
    };
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const isStream = String(incoming.headers['content-type']).startsWith('text/event-stream');
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
        if (!isStream) return;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          take(text.slice(0, end));
          text = text.slice(end + 2);
        }
      });
      incoming.on('error', () => undefined);
      incoming.on('close', () => (isOver = true));
      resolve({
        heard,
        get told() {
          return heard.filter(({ event }) => !OF_STREAM.has(event.type));
        },
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        get text() {
          return text;
        },
        get isOver() {
          return isOver;
        },
        get retryMs() {
          return retryMs;
        },
        cut: () => outgoing.destroy(),
        pause: () => incoming.pause(),
        resume: () => incoming.resume(),
      });
    });
    outgoing.end();
  });
}
