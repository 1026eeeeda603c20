import { createHash } from 'node:crypto';
import { seededRandom } from '../../sandbox/kernel/ports.ts';

/** One post to the postback route, and the expected answer. */
export interface Post {
  readonly kind: 'genuine' | 'repeated' | 'forged' | 'oversized' | 'malformed';
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly orderId: string | null;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const LIMIT = 64 * 1024;

/** A genuine postback; `more` changes what the checksum does not cover. */
function genuine(secret: string, orderId: string, second: number, more: object): Post {
  const time = `2026-11-20 10:${String(second % 60).padStart(2, '0')}:00`;
  const body = JSON.stringify({
    user_id: 'AB1234',
    order_id: orderId,
    order_timestamp: time,
    checksum: sha256(orderId + time + secret),
    ...more,
  });
  return { kind: 'genuine', body, orderId };
}

const altered = (post: Post, changes: object): string =>
  JSON.stringify({ ...(JSON.parse(String(post.body)) as object), ...changes });

/**
 * 2,000 posts in an order of their own: 600 genuine ones of 400 orders (each order's end, and for
 * half of them an update that now comes before or after it), 400 repeats, 400 forged, 100 too large,
 * 500 that are no postback at all.
 */
export function postbackMix(secret: string, seed: string): readonly Post[] {
  const idOf = (index: number): string => `26112000${String(index).padStart(7 + (index % 5), '0')}`;
  const ends = Array.from({ length: 400 }, (_, index) =>
    genuine(secret, idOf(index), index, {
      status: ['COMPLETE', 'CANCELLED', 'REJECTED', 'UPDATE'][index % 4],
    }),
  );
  const updates = ends.slice(0, 200).map((_end, index) =>
    // The same second and so the same checksum as the end: only the text tells them apart.
    genuine(secret, idOf(index), index, { status: 'UPDATE', filled_quantity: index + 1 }),
  );
  const repeats = ends.map((post): Post => ({ ...post, kind: 'repeated' }));
  const forged = ends.map((post, index): Post => {
    const other = JSON.parse(String(ends[(index + 7) % 400]!.body)) as { checksum: string };
    const bodies = [
      altered(post, { checksum: other.checksum }),
      altered(post, { order_id: idOf(index + 400) }),
      altered(post, { order_timestamp: '2026-11-20 11:00:00' }),
      String(genuine(`${secret}x`, idOf(index), index, { status: 'COMPLETE' }).body),
    ];
    return { kind: 'forged', body: bodies[index % 4]!, orderId: null };
  });
  const oversized = ends.slice(0, 100).map((post, index): Post => {
    const free = LIMIT - String(altered(post, { status_message: '' })).length;
    const body = altered(post, { status_message: 'x'.repeat(free + 1 + index * 400) });
    return { kind: 'oversized', body, orderId: null };
  });
  const malformed = Array.from({ length: 500 }, (_, index): Post => {
    const post = ends[index % 400]!;
    const bodies = [
      '',
      'order_id=1&status=COMPLETE',
      String(post.body).slice(0, 40 + (index % 60)),
      altered(post, { order_id: '../session/token' }),
      altered(post, { order_id: undefined }),
      altered(post, { order_timestamp: null }),
      altered(post, { checksum: [] }),
      `[${String(post.body)}]`,
      '{"__proto__":{"order_id":"1"}}',
      new Uint8Array([0xff, 0xfe, 0x7b, 0x7d]),
    ];
    return { kind: 'malformed', body: bodies[index % 10]!, orderId: null };
  });
  return shuffled([...ends, ...updates, ...repeats, ...forged, ...oversized, ...malformed], seed);
}

function shuffled<T>(items: readonly T[], seed: string): readonly T[] {
  const random = seededRandom(seed);
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}
