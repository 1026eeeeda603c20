import { afterEach, describe, expect, it } from 'vitest';
import { createLog, createPino } from '../../src/platform/log.ts';
import type { IncomingMessage } from '../../src/platform/messenger.ts';
import { Secret } from '../../src/platform/secret.ts';
import { createTelegrafMessenger } from '../../src/telegram/telegraf-messenger.ts';
import {
  BOT_TOKEN,
  CHAT_ID,
  createFakeBotApi,
  no,
  type FakeBotApi,
} from '../support/fake-bot-api.ts';
import { until } from '../support/until.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** Real telegraf and real sockets; the test moves the time. */
async function bench(api: { readonly origin: string }) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const lines: string[] = [];
  const log = createLog(createPino('debug', { write: (line: string) => void lines.push(line) }));
  const messenger = await createTelegrafMessenger({
    token: new Secret(BOT_TOKEN),
    chatId: CHAT_ID,
    apiRoot: api.origin,
    clock: time,
    scheduler: time,
    log,
  });
  return { time, lines, messenger };
}

const secretPart = BOT_TOKEN.split(':')[1]!;

describe('sending by telegraf', () => {
  it('sends a plain text to the one chat', async () => {
    await using api = await createFakeBotApi();
    const { messenger } = await bench(api);
    expect(await messenger.send('a <b> & *c*')).toMatchObject({ kind: 'sent' });
    expect(api.calls).toEqual([
      {
        method: 'sendMessage',
        path: `/bot${BOT_TOKEN}/sendMessage`,
        body: {
          chat_id: CHAT_ID,
          text: 'a <b> & *c*',
          link_preview_options: { is_disabled: true },
        },
      },
    ]);
  });

  it('contacts nobody before its first message', async () => {
    await using api = await createFakeBotApi();
    await bench(api);
    expect(api.calls).toEqual([]);
  });

  it('waits as long as the service asks, and sends nothing meanwhile', async () => {
    await using api = await createFakeBotApi();
    const { messenger, time } = await bench(api);
    api.fault('sendMessage', no(429, 'Too Many Requests: retry after 7', { retry_after: 7 }));
    expect(await messenger.send('x')).toMatchObject({ kind: 'away', retryAfterMs: 7_000 });
    await time.advance(4_000);
    expect(await messenger.send('y')).toMatchObject({ kind: 'away', retryAfterMs: 3_000 });
    expect(api.calls).toHaveLength(1);
    await time.advance(3_000);
    expect(await messenger.send('y')).toMatchObject({ kind: 'sent' });
  });

  it.each([
    ['a failing server', { status: 502, body: 'Bad Gateway' }, /502/],
    ['a page in place of an answer', { status: 200, body: '<html>' }, /could not be read/],
    ['an answer of another shape', { status: 200, body: '{"ok":true,"result":{}}' }, /not be read/],
    ['no JSON object', { status: 200, body: 'null' }, /failed/],
    ['a cut connection', 'drop', /ECONNRESET|failed/],
  ] as const)('is away after %s', async (_name, answer, reason) => {
    await using api = await createFakeBotApi();
    const { messenger } = await bench(api);
    api.fault('sendMessage', answer);
    const result = await messenger.send('x');
    expect(result).toMatchObject({ kind: 'away', reason: expect.stringMatching(reason) });
    expect(JSON.stringify(result)).not.toContain(secretPart);
  });

  it.each([400, 401, 403, 404])('is refused after %s', async (status) => {
    await using api = await createFakeBotApi();
    const { messenger } = await bench(api);
    // A server that repeats the request in its answer.
    api.fault('sendMessage', no(status, `Unauthorized: ${BOT_TOKEN}\nsecond line`));
    const result = await messenger.send('x');
    expect(result).toEqual({
      kind: 'refused',
      reason: `HTTP ${status}: Unauthorized: [secret] second line`,
    });
  });

  it('is away when nothing listens at the address', async () => {
    const api = await createFakeBotApi();
    await api[Symbol.asyncDispose]();
    const { messenger } = await bench(api);
    const result = await messenger.send('x');
    expect(result).toMatchObject({ kind: 'away', reason: expect.stringContaining('ECONNREFUSED') });
    expect(JSON.stringify(result)).not.toContain(secretPart);
  });

  it('contacts no other address, whatever the server says', async () => {
    await using api = await createFakeBotApi();
    await using elsewhere = await createFakeBotApi();
    const { messenger } = await bench(api);
    const location = `${elsewhere.origin}/bot${BOT_TOKEN}/sendMessage`;
    api.fault('sendMessage', { status: 307, body: '', location });
    const result = await messenger.send('x');
    expect(result).toMatchObject({
      kind: 'away',
      reason: expect.stringContaining('another address'),
    });
    expect(elsewhere.calls).toEqual([]);
  });

  it('waits ten seconds for a server that does not answer', async () => {
    await using api = await createFakeBotApi();
    const { messenger, time } = await bench(api);
    api.fault('sendMessage', 'hang');
    const sending = messenger.send('x');
    await until('the call has come', () => api.calls.length === 1);
    await time.advance(10_000);
    expect(await sending).toMatchObject({ kind: 'away', reason: 'it did not answer in time' });
  });

  it('ends at once when it is stopped', async () => {
    await using api = await createFakeBotApi();
    const { messenger } = await bench(api);
    api.fault('sendMessage', 'hang');
    const stop = new AbortController();
    const sending = messenger.send('x', { signal: stop.signal });
    await until('the call has come', () => api.calls.length === 1);
    stop.abort();
    expect(await sending).toMatchObject({ kind: 'away' });
    expect(await messenger.send('y', { signal: stop.signal })).toMatchObject({ kind: 'away' });
    expect(api.calls).toHaveLength(1);
  });
});

describe('listening by telegraf', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function listening(api: FakeBotApi) {
    const made = await bench(api);
    const heard: IncomingMessage[] = [];
    const stop = made.messenger.listen((message) => void heard.push(message));
    stops.push(stop);
    return { ...made, heard, stop };
  }

  it('passes on each message of the user once, in order', async () => {
    await using api = await createFakeBotApi();
    const { heard } = await listening(api);
    api.write('/status');
    api.write('/orders');
    await until('the first two are there', () => heard.length === 2);
    api.write('/kill');
    await until('the third is there', () => heard.length === 3);
    expect(heard.map(({ text }) => text)).toEqual(['/status', '/orders', '/kill']);
    const ids = heard.map(({ messageId }) => messageId);
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
    const lastPoll = () => api.callsOf('getUpdates').at(-1)?.body;
    await until('the next poll is there', () => lastPoll()?.offset === 9_003);
    expect(lastPoll()).toMatchObject({ timeout: 50, allowed_updates: ['message'] });
  });

  it('ignores every other chat without an answer, and logs it once', async () => {
    await using api = await createFakeBotApi();
    const { heard, lines } = await listening(api);
    for (let count = 0; count < 3; count += 1) api.write('/positions', { id: 666 });
    api.write('/status', { id: -777, type: 'group' });
    api.write('/status');
    await until('ours is there', () => heard.length === 1);
    expect(heard).toHaveLength(1);
    expect(api.callsOf('sendMessage')).toEqual([]);
    expect(lines.filter((line) => line.includes('"caller":"666"'))).toHaveLength(1);
    expect(lines.join()).not.toContain('/positions');
  });

  it('accepts a command with its own name, and ignores commands to other bots', async () => {
    await using api = await createFakeBotApi();
    const { heard } = await listening(api);
    api.write('/kill@other_bot');
    api.write('/kill@Gateway_bot confirm');
    await until('both are there', () => heard.length === 2);
    expect(heard.map(({ text }) => text)).toEqual(['', '/kill confirm']);
  });

  it('continues after the service was away, at the start and later', async () => {
    await using api = await createFakeBotApi();
    api.fault('getMe', { status: 502, body: '' }, 'drop');
    const { heard, time, lines } = await listening(api);
    await until('it has asked once', () => lines.length === 1);
    await time.advance(1_000);
    await until('it has asked twice', () => api.callsOf('getMe').length === 2);
    await until('it waits', () => time.pending === 1);
    await time.advance(2_000);
    await until('a poll is held', () => api.held() === 1);
    api.fault('getUpdates', no(500, 'Internal'));
    api.write('/status');
    await until('it is there', () => heard.length === 1);
    await until('it waits', () => lines.filter((line) => line.includes('cannot')).length === 2);
    await time.advance(1_000);
    api.write('/orders');
    await until('the next is there', () => heard.length === 2);
    expect(lines.join()).not.toContain(secretPart);
  });

  it('polls again minutes later when the token is refused', async () => {
    await using api = await createFakeBotApi();
    api.fault('getMe', no(401, 'Unauthorized'));
    const { time, lines } = await listening(api);
    await until('it was refused', () => lines.length === 1);
    await time.advance(299_000);
    expect(api.callsOf('getMe')).toHaveLength(1);
    await time.advance(1_000);
    await until('a poll is held', () => api.held() === 1);
  });

  const updates = (...result: unknown[]) => ({
    status: 200,
    body: JSON.stringify({ ok: true, result }),
  });
  const written = (id: number | undefined, text: string) => ({
    update_id: id,
    message: { message_id: 5, date: 0, chat: { id: Number(CHAT_ID), type: 'private' }, text },
  });

  it('skips malformed updates, and handles the others of the same answer', async () => {
    await using api = await createFakeBotApi();
    const none = [null, 7, 'x', [], {}, { update_id: null }, { update_id: 1.5 }, written(-1, '/a')];
    api.fault(
      'getUpdates',
      updates(...none, written(41, '/status'), written(undefined, '/kill')),
      updates({ update_id: 42, message: null }, { update_id: 43 }, written(44, '/orders')),
    );
    const { heard } = await listening(api);
    await until('both are there', () => heard.length === 2);
    expect(heard.map(({ text }) => text)).toEqual(['/status', '/orders']);
    await until('a poll is held', () => api.held() === 1);
    expect(api.callsOf('getUpdates').at(-1)?.body).toMatchObject({ offset: 45 });
  });

  it('handles a repeated update once, in one answer and in later ones', async () => {
    await using api = await createFakeBotApi();
    const kill = written(50, '/kill confirm');
    api.fault('getUpdates', updates(kill, kill), updates(kill, written(51, '/status')));
    const { heard } = await listening(api);
    await until('the last is there', () => heard.some(({ text }) => text === '/status'));
    expect(heard.map(({ text }) => text)).toEqual(['/kill confirm', '/status']);
  });

  it('handles an update whose id is lower than those before', async () => {
    await using api = await createFakeBotApi();
    api.fault('getUpdates', updates(written(50, '/status')), updates(written(3, '/orders')));
    const { heard } = await listening(api);
    await until('both are there', () => heard.length === 2);
    expect(heard.map(({ text }) => text)).toEqual(['/status', '/orders']);
  });

  it('waits before it polls again when an answer has only known updates', async () => {
    await using api = await createFakeBotApi();
    api.fault('getUpdates', updates(null));
    const { time, lines } = await listening(api);
    await until('it says so', () => lines.length === 1);
    expect(api.callsOf('getUpdates')).toHaveLength(1);
    await time.advance(999);
    expect(api.callsOf('getUpdates')).toHaveLength(1);
    await time.advance(1);
    await until('a poll is held', () => api.held() === 1);
  });

  it('stops at once, during a poll and during a pause, and leaves no timer', async () => {
    await using api = await createFakeBotApi();
    const polling = await listening(api);
    await until('a poll is held', () => api.held() === 1);
    await polling.stop();
    await until('the poll is gone', () => api.held() === 0);
    api.fault('getMe', no(500, 'Internal'));
    const pausing = await listening(api);
    await until('it waits', () => pausing.lines.length === 1);
    await pausing.stop();
    expect([polling.time.pending, pausing.time.pending]).toEqual([0, 0]);
  });
});
