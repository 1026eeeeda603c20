import { describe, expect, it } from 'vitest';
import { journalEvents, journalPostbacks } from '../support/journal-events.ts';
import { postbackMix, type Post } from '../support/postback-mix.ts';
import { createStage, KITE, serveGateway, type ServedGateway } from '../support/served.ts';
import { fetchReply, logInOverSockets } from '../support/socket-client.ts';
import { until } from '../support/until.ts';
import { BUY } from './walk.ts';

const AT_ONCE = 64;
const EXPECTED = { genuine: 200, repeated: 200, forged: 401, oversized: 413, malformed: 400 };

interface Answered {
  readonly post: Post;
  readonly status: number;
  /** What a 200 says of it. */
  readonly received: 'accepted' | 'repeated' | null;
}

/** Sends them all over sockets, so many at a time. */
async function sendAll(url: string, posts: readonly Post[]): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  const waiting = [...posts].reverse();
  const send = async (): Promise<void> => {
    for (let post = waiting.pop(); post; post = waiting.pop()) {
      const { status, body } = await fetchReply(url, { method: 'POST', body: post.body });
      answered.push({ post, status, received: body?.data?.received ?? null });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return answered;
}

/** Asks the main listener again and again until `done`; gives what was answered. */
async function askMeanwhile({ client }: ServedGateway, done: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  while (!done()) {
    statuses.push((await client.get('/health/live')).status);
    statuses.push((await client.get('/api/v1/kill-switch')).status);
  }
  return statuses;
}

describe('the postback route, under two thousand mixed posts at once', () => {
  it('takes the genuine ones once each, and the gateway goes on serving', async () => {
    await using stage = await createStage();
    await using gateway = await serveGateway(stage, { APP_ORDER_POLL_SECONDS: '60' });
    const { kite } = stage.served.sandbox;
    const bookReads = (): number => kite.counts()['GET /orders'] ?? 0;
    await logInOverSockets(gateway.url);
    const warmUp = await until('the gateway takes an order', async () => {
      const reply = await gateway.client.place(BUY, `warm-up-${kite.orders().length}`);
      return reply.status === 201 && reply;
    });
    await until('the postback of that order has come', () => kite.postbacks().length > 0);
    const before = journalEvents(stage.dataDirectory, 'postback.received').length;

    const posts = postbackMix(KITE.apiSecret, 'flood');
    expect(posts).toHaveLength(2_000);
    const [begunAt, readsBefore] = [Date.now(), bookReads()];
    let over = false;
    const flood = sendAll(gateway.postbackUrl, posts).finally(() => (over = true));
    const meanwhile = askMeanwhile(gateway, () => over);
    const placed = await gateway.client.place(BUY, 'in-the-flood');
    const answered = await flood;

    // Each kind is answered as it should be.
    const wrong = answered.filter(({ post, status }) => status !== EXPECTED[post.kind]);
    expect(wrong).toEqual([]);
    // Of several with one text exactly one is taken, whichever came first.
    const texts = new Set(
      posts.flatMap(({ orderId, body }) => (orderId === null ? [] : [String(body)])),
    );
    const taken = answered.filter(({ received }) => received === 'accepted');
    expect(new Set(taken.map(({ post }) => String(post.body)))).toEqual(texts);
    expect([taken.length, texts.size]).toEqual([600, 600]);
    expect(answered.filter(({ received }) => received === 'repeated')).toHaveLength(400);

    // The journal says the same, in events and in the inbox.
    const ownIds = new Set(kite.orders().map(({ orderId }) => orderId));
    const ids = journalEvents(stage.dataDirectory, 'postback.received')
      .slice(before)
      .map(({ data }) => String(data.brokerOrderId))
      .filter((id) => !ownIds.has(id));
    expect([...ids].sort()).toEqual(taken.map(({ post }) => post.orderId).sort());
    const inbox = journalPostbacks(stage.dataDirectory);
    expect(inbox.filter(({ brokerOrderId }) => !ownIds.has(brokerOrderId))).toHaveLength(600);

    // The rest of the gateway was served all the while, and an order went out.
    const statuses = await meanwhile;
    expect(statuses.length).toBeGreaterThan(10);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([warmUp.status, placed.status, placed.body.meta?.broker]).toEqual([201, 201, 'alt']);
    // Two reads at once and then two a second, whatever comes in; one may have been due as it began.
    const seconds = (Date.now() - begunAt) / 1_000;
    expect(bookReads() - readsBefore).toBeLessThanOrEqual(Math.ceil(seconds * 2) + 2);
    expect(kite.limitBreaks()).toEqual([]);
  });
});
