import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../src/adapters/primary/envelope.ts';
import { saysTokenIsDead } from '../../../src/adapters/primary/refusals.ts';
import { answered, lost, unreached } from './support.ts';
import { epochMs } from '../../../src/units/branded.ts';

describe('a failure that says that the token is dead', () => {
  it.each([
    ['401', answered(401, { message: 'Invalid access token', success: false })],
    ['403, by its type', answered(403, { message: 'no', error_type: 'TokenException' })],
    ['403, by its message', answered(403, { message: 'Invalid or expired token' })],
    ['400, by its type', answered(400, { message: 'no', error_code: 'TokenException' })],
  ])('is a %s', (_, reply) => {
    expect(saysTokenIsDead(failureOf(reply, epochMs(0))!)).toBe(true);
  });

  it('can be a failure inside 2xx, by its type', () => {
    const failure = { kind: 'error_body', code: 'TokenException', message: 'no' } as const;
    expect(saysTokenIsDead(failure)).toBe(true);
    expect(saysTokenIsDead({ ...failure, code: 'OrderException' })).toBe(false);
  });

  it.each([
    [
      'an address that is not whitelisted',
      answered(403, { message: 'IP', error_code: 'UserException' }),
    ],
    ['an instrument’s token', answered(403, { message: 'Invalid instrument token' })],
    [
      'a header that did not arrive',
      answered(400, { message: 'authorization not sent in request' }),
    ],
    ['a page of a proxy', answered(401, '<html>token</html>')],
    ['an empty page', answered(403, '')],
    ['a server error that names it', answered(500, { message: 'token service is away' })],
    ['a lost connection', lost],
    ['no connection', unreached],
  ])('is not %s', (_, reply) => {
    expect(saysTokenIsDead(failureOf(reply, epochMs(0))!)).toBe(false);
  });
});
