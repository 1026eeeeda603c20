import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactedBody, redactedReply } from '../../../src/adapters/kit/replies.ts';

describe('a reply that repeats what was sent', () => {
  it('loses only the secret, also where an escape hides it', () => {
    const body = String.raw`{"status":"error","message":"no \u0061bc123","n":1234,"of":["abc123"]}`;
    const shown = redactedBody(body, { secrets: ['abc123'], codes: ['1234'] });
    expect(JSON.parse(shown)).toEqual({
      status: 'error',
      message: 'no [secret]',
      n: 1234,
      of: ['[secret]'],
    });
  });

  it('that is not JSON is redacted as text', () => {
    const html = '<h1>abc123 refused</h1> 1234';
    const shown = redactedBody(html, { secrets: ['abc123'], codes: ['1234'] });
    expect(shown).toBe('<h1>[secret] refused</h1> [secret]');
  });

  it('is read only to the beginning of its texts, so that long ones take no time', () => {
    const hidden = { secrets: ['abc123'] };
    const long = '%25'.repeat(2_000_000);
    const started = performance.now();
    const body = redactedBody(`{"message":"no abc123 ${long}"}`, hidden);
    expect(JSON.parse(body)).toEqual({ message: 'no [secret]…' });
    expect(redactedBody(`no abc123 ${long}`, hidden)).toBe('no [secret]…');
    const broken = { kind: 'broken', cause: 'malformed', status: null } as const;
    const reply = redactedReply({ ...broken, message: `no abc123 ${long}` }, hidden);
    expect(reply).toMatchObject({ message: 'no [secret]…' });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('has no text that holds the secret, and is otherwise unchanged', () => {
    const secret = 'CANARY77';
    const text = fc.oneof(
      fc.string(),
      fc.string().map((around) => around + secret + around),
    );
    const json = fc.oneof(
      text,
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), text),
      fc.array(text),
    );
    fc.assert(
      fc.property(json, (value) => {
        const shown = redactedBody(JSON.stringify(value), { secrets: [secret] });
        const parsed: unknown = JSON.parse(shown);
        expect(JSON.stringify(parsed)).not.toContain(secret);
        expect(parsed).toEqual(JSON.parse(JSON.stringify(value).replaceAll(secret, '[secret]')));
      }),
      { seed: 20_261_122, numRuns: 300 },
    );
  });
});
