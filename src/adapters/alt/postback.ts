import type { PostbackReader, PostbackReading } from '../../domain/postback.ts';
import { sameText, sha256 } from '../../platform/secret.ts';
import { parseKiteJson } from './calls.ts';
import { postback } from './schemas.ts';

const LONGEST_STATUS = 32;

/**
 * Postbacks (docs/spec/kite-postbacks.md). The checksum covers only order id and time, and can be
 * replayed: a genuine postback says only that the order should be read again.
 */
export function createAltPostbacks(settings: { readonly apiSecret: string }): PostbackReader {
  return {
    broker: 'alt',
    readPostback(body): PostbackReading {
      const parsed = postback.safeParse(parseKiteJson(body));
      if (!parsed.success) {
        const field = parsed.error.issues[0]?.path.join('.');
        return { kind: 'malformed', detail: field ? `${field} is missing or wrong` : 'not JSON' };
      }
      const { order_id, order_timestamp, checksum, status } = parsed.data;
      const expected = sha256(order_id + order_timestamp + settings.apiSecret);
      if (!sameText(checksum, expected)) return { kind: 'forged' };
      const subject = `${sha256(`${order_id} ${order_timestamp}`)}:`;
      return {
        kind: 'genuine',
        hint: {
          broker: 'alt',
          brokerOrderId: order_id,
          subject,
          digest: `${subject}${sha256(body)}`,
          rawStatus: (status ?? '').slice(0, LONGEST_STATUS),
        },
      };
    },
  };
}
