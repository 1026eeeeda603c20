import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const BOT_TOKEN = '424242:CANARY-bot_token-0123456789abcdef';
export const CHAT_ID = '777';

export interface BotCall {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = { readonly status: number; readonly body: string; readonly location?: string };

/** Telegram's interface for bots on a loopback address, with the faults that a test asks for. */
export interface FakeBotApi extends AsyncDisposable {
  readonly origin: string;
  readonly calls: readonly BotCall[];
  callsOf(method: string): readonly BotCall[];
  /** Texts that have arrived in the chat. */
  readonly texts: readonly string[];
  /** The next calls of a method get these, oldest first; `hang` never answers, `drop` cuts. */
  fault(method: string, ...answers: (Answer | 'hang' | 'drop')[]): void;
  /** Somebody writes to the bot. */
  write(text: string, chat?: { id: number; type?: string }): void;
  /** Polls that are held open. */
  held(): number;
}

/** As the service says no. */
export function no(status: number, description: string, parameters?: object): Answer {
  return {
    status,
    body: JSON.stringify({ ok: false, error_code: status, description, parameters }),
  };
}

export async function createFakeBotApi(): Promise<FakeBotApi> {
  const calls: BotCall[] = [];
  const texts: string[] = [];
  const faults = new Map<string, (Answer | 'hang' | 'drop')[]>();
  const updates: { update_id: number }[] = [];
  const polls = new Set<{ offset: number; response: ServerResponse }>();
  let messageId = 10;

  const ok = (response: ServerResponse, result: unknown): void => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, result }));
  };
  const release = (): void => {
    for (const poll of polls) {
      const due = updates.filter((update) => update.update_id >= poll.offset);
      if (due.length === 0) continue;
      polls.delete(poll);
      ok(poll.response, due);
    }
  };
  const answers: Record<string, (body: BotCall['body'], response: ServerResponse) => void> = {
    getMe: (_body, response) =>
      ok(response, { id: 424242, is_bot: true, first_name: 'Gateway', username: 'gateway_bot' }),
    deleteWebhook: (_body, response) => ok(response, true),
    sendMessage(body, response) {
      texts.push(String(body.text));
      messageId += 1;
      ok(response, { message_id: messageId, date: 0, chat: { id: body.chat_id }, text: body.text });
    },
    getUpdates(body, response) {
      const poll = { offset: Number(body.offset ?? 0), response };
      polls.add(poll);
      response.on('close', () => polls.delete(poll));
      release();
    },
  };

  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      const method = /^\/bot424242:[\w-]+\/(\w+)$/.exec(path)?.[1] ?? '';
      const body = (text === '' ? {} : JSON.parse(text)) as BotCall['body'];
      calls.push({ method, path, body });
      const fault = faults.get(method)?.shift();
      if (fault === 'hang') return;
      if (fault === 'drop') return void request.socket.destroy();
      if (fault) {
        response.statusCode = fault.status;
        if (fault.location) response.setHeader('location', fault.location);
        response.end(fault.body);
        return;
      }
      if (answers[method]) return answers[method](body, response);
      response.statusCode = 404;
      response.end(no(404, 'Not Found').body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    callsOf: (method) => calls.filter((call) => call.method === method),
    texts,
    fault: (method, ...more) => void faults.set(method, [...(faults.get(method) ?? []), ...more]),
    write(words, chat = { id: Number(CHAT_ID) }) {
      messageId += 1;
      const update = {
        update_id: 9_000 + updates.length,
        message: {
          message_id: messageId,
          date: 0,
          chat: { type: 'private', ...chat },
          from: { id: chat.id, is_bot: false, first_name: 'A' },
          text: words,
        },
      };
      updates.push(update);
      release();
    },
    held: () => polls.size,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
