import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SANDBOX_TOTP_SECRET } from '../../sandbox/primary/totp.ts';
import { answerOf, primaryOrigin, rehearse, type Rehearsal } from './support/rehearsal.ts';

interface Attempt {
  readonly mpin?: string;
  readonly totp?: string;
  readonly key?: string;
}

function generate(rehearsal: Rehearsal, attempt: Attempt = {}) {
  const { mpin = '1234', totp = '123456', key = 'sandbox-key' } = attempt;
  return answerOf(
    rehearsal.sandbox.handle({
      method: 'POST',
      url: `${primaryOrigin}/generate/token`,
      headers: { 'x-api-key': key },
      body: JSON.stringify({ mpin, totp }),
    }),
  );
}

describe('the token generator of the sandbox', () => {
  it('gives a new token, which ends the one before', () => {
    const rehearsal = rehearse();
    expect(rehearsal.primary('GET', '/funds').status).toBe(200);
    const { status, json } = generate(rehearsal);
    expect(status).toBe(200);
    expect(json.data.token).toBe(rehearsal.sandbox.primary.liveToken());
    expect(rehearsal.primary('GET', '/funds')).toMatchObject({
      status: 403,
      json: { error_type: 'TokenException' },
    });
  });

  it('accepts the code of the present half minute, and not the one before', () => {
    const rehearsal = rehearse({ primary: { totp: 'none' } });
    const bits = [...SANDBOX_TOTP_SECRET].map((each) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
    );
    const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
    const code = (at: number): string => {
      const counter = Buffer.alloc(8);
      counter.writeUInt32BE(Math.floor(at / 30_000), 4);
      const digest = createHmac('sha1', key).update(counter).digest();
      const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff;
      return String(number).slice(-6).padStart(6, '0');
    };
    const now = rehearsal.clock.now();
    expect(generate(rehearsal, { totp: code(now - 30_000) }).status).toBe(403);
    expect(generate(rehearsal, { totp: code(now) }).status).toBe(200);
  });

  it.each([
    ['a wrong key', { key: 'other' }],
    ['a wrong mpin', { mpin: '4321' }],
    ['a wrong code', { totp: '000000' }],
  ])('refuses %s', (_, attempt) => {
    expect(generate(rehearse(), attempt).status).toBe(403);
  });

  it('is locked for 15 minutes after five wrong codes, for right ones too', () => {
    const rehearsal = rehearse();
    for (let wrong = 0; wrong < 5; wrong += 1) generate(rehearsal, { totp: '0' });
    expect(generate(rehearsal)).toMatchObject({
      status: 403,
      json: { message: expect.stringMatching(/15 minutes/) },
    });
    rehearsal.clock.advance(15 * 60_000);
    expect(generate(rehearsal).status).toBe(200);
  });

  it('answers once a minute', () => {
    const rehearsal = rehearse({ enforceLimits: true });
    expect(generate(rehearsal, { totp: '0' }).status).toBe(403);
    expect(generate(rehearsal).status).toBe(429);
    rehearsal.clock.advance(60_000);
    expect(generate(rehearsal).status).toBe(200);
  });
});

describe('an account of the sandbox that trades no derivatives', () => {
  it('is refused when it asks for them, and its profile says why', () => {
    const rehearsal = rehearse({ primary: { derivatives: false } });
    const asked = (segment: string, product: string) =>
      rehearsal.primary('GET', `/portfolio/positions?segment=${segment}&product=${product}`);
    expect(asked('derivative', 'margin').status).toBe(400);
    expect(asked('equity', 'cnc').status).toBe(200);
    expect(rehearsal.primary('GET', '/user/profile').json.data).toMatchObject({
      is_nse_fno_onboarded: false,
      is_bse_fno_onboarded: false,
    });
  });
});

describe('the sandbox’s limit on everything', () => {
  it('is a hundred requests in any second, refused ones among them', () => {
    const quoteAfter = (requests: number): number => {
      const rehearsal = rehearse({ enforceLimits: true });
      for (let count = 0; count < requests; count += 1) rehearsal.primary('GET', '/funds');
      return rehearsal.primary('GET', '/market/quotes/ltp?scrip-codes=NSE_1594').status;
    };
    expect([quoteAfter(99), quoteAfter(100)]).toEqual([200, 429]);
  });
});
