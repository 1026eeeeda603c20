import { describe, expect, it } from 'vitest';
import { createAltPostbacks } from '../../../src/adapters/alt/postback.ts';
import { sha256 } from '../../../src/platform/secret.ts';

const SECRET = 'planted-secret';
const { readPostback } = createAltPostbacks({ apiSecret: SECRET });

function body(changes: Record<string, unknown> = {}): string {
  const order_id = '261120000000001';
  const order_timestamp = '2026-11-20 09:45:30';
  const checksum = sha256(order_id + order_timestamp + SECRET);
  return JSON.stringify({ order_id, order_timestamp, checksum, status: 'COMPLETE', ...changes });
}

describe('a postback', () => {
  it('is genuine when its checksum is right', () => {
    expect(readPostback(body())).toEqual({
      kind: 'genuine',
      hint: {
        broker: 'alt',
        brokerOrderId: '261120000000001',
        subject: expect.stringMatching(/^[0-9a-f]{64}:$/),
        digest: expect.stringMatching(new RegExp(`^[0-9a-f]{64}:${sha256(body())}$`)),
        rawStatus: 'COMPLETE',
      },
    });
  });

  it('has the same digest when it comes again, and another when anything differs', () => {
    const digest = (text: string) => {
      const reading = readPostback(text);
      return reading.kind === 'genuine' ? reading.hint.digest : null;
    };
    expect(digest(body())).toBe(digest(body()));
    expect(digest(body({ status: 'CANCELLED' }))).not.toBe(digest(body()));
  });

  it.each([
    ['another order', { order_id: '261120000000002' }],
    ['another time', { order_timestamp: '2026-11-20 09:45:31' }],
    ['no checksum to speak of', { checksum: '' }],
    ['a checksum under another secret', { checksum: sha256('261120000000001x') }],
  ])('is forged with %s', (_what, changes) => {
    expect(readPostback(body(changes)).kind).toBe('forged');
  });

  it('is checked by the digits as they came, also of a bare number', () => {
    const id = '2611200000000012345';
    const time = '2026-11-20 09:45:30';
    const checksum = sha256(id + time + SECRET);
    const text = `{"order_id":${id},"order_timestamp":"${time}","checksum":"${checksum}"}`;
    expect(readPostback(text)).toMatchObject({ kind: 'genuine', hint: { brokerOrderId: id } });
  });

  it.each([
    ['not JSON', 'order_id=1'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['an id that is none', body({ order_id: '../session/token' })],
    ['no id', body({ order_id: undefined })],
    ['no time', body({ order_timestamp: null })],
    ['a checksum that is no text', body({ checksum: 7 })],
    ['brackets without end', '['.repeat(50_000)],
  ])('is malformed when it is %s', (_what, text) => {
    expect(readPostback(text).kind).toBe('malformed');
  });

  it('does not show the secret when it is malformed', () => {
    expect(JSON.stringify(readPostback(body({ order_id: SECRET })))).not.toContain(SECRET);
  });
});
