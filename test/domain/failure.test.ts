import { describe, expect, it } from 'vitest';
import {
  BrokerError,
  type BrokerFailure,
  isConnectivity,
  type NotSentReason,
} from '../../src/domain/outcome.ts';

const http = (status: number): BrokerFailure => ({
  kind: 'http',
  status,
  code: null,
  message: 'said the broker',
  retryAfterMs: null,
});
const notSent = (reason: NotSentReason): BrokerFailure => ({
  kind: 'not_sent',
  reason,
  message: 'never left',
});

describe('a failure', () => {
  it.each([
    ['a 500', http(500)],
    ['a 503', http(503)],
    ['a lost reply', { kind: 'transport', message: 'reset' }],
    ['a reply that cannot be read', { kind: 'bad_payload', message: 'not JSON' }],
    ['a refused connection', notSent('connect')],
  ] as const)('that is %s is one of the connection', (_name, failure) => {
    expect(isConnectivity(failure)).toBe(true);
  });

  it.each([
    ['a 400', http(400)],
    ['a 403', http(403)],
    ['a 429', http(429)],
    ['a 499', http(499)],
    ['a refusal in a 2xx', { kind: 'error_body', code: null, message: 'no' }],
    ...(
      [
        'not_open',
        'token',
        'breaker',
        'no_permit',
        'kill_switch',
        'duplicate',
        'baseline',
        'recovering',
        'closing',
        'journal',
      ] as const
    ).map((reason) => [`not sent for ${reason}`, notSent(reason)] as const),
  ] as const)('that is %s is none of the connection', (_name, failure) => {
    expect(isConnectivity(failure)).toBe(false);
  });
});

describe('a broker’s error', () => {
  it('names the broker and the kind, and keeps its cause', () => {
    const cause = new Error('below');
    const error = new BrokerError('alt', http(503), cause);
    expect(error).toMatchObject({ broker: 'alt', kind: 'http', name: 'BrokerError', cause });
    expect(error.message).toBe('alt: said the broker');
  });
});
