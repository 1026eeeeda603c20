import { describe, expect, it } from 'vitest';
import type { BrokerFailure } from '../../../src/domain/outcome.ts';
import { failureOf } from '../../../src/adapters/primary/envelope.ts';
import { classOfText, outcomeOf, rejectionClass } from '../../../src/adapters/primary/refusals.ts';
import { answered, lost, unreached } from './support.ts';
import { epochMs } from '../../../src/units/branded.ts';

const NOW = epochMs(Date.parse('2026-11-20T04:30:00Z'));
const http = (status: number, message = 'no'): Extract<BrokerFailure, { kind: 'http' }> => ({
  kind: 'http',
  status,
  code: null,
  message,
  retryAfterMs: null,
});

describe('a reply', () => {
  it('is not a failure when it is a complete 2xx', () => {
    expect(failureOf(answered(201, ''), NOW)).toBeNull();
  });

  it('to a request that had no connection is not_sent', () => {
    expect(failureOf(unreached, NOW)).toMatchObject({ kind: 'not_sent', reason: 'connect' });
  });

  it.each([null, 200, 400])('that broke off after status %s is a transport failure', (status) => {
    expect(failureOf({ ...lost, status }, NOW)).toMatchObject({ kind: 'transport' });
  });

  it.each([
    [{ status: 'error', message: 'no', error_type: 'InputException' }, 'no', 'InputException'],
    [{ status: 'error', message: 'no', error_code: 'E1' }, 'no', 'E1'],
    [{ message: 'no', success: false }, 'no', null],
    [{ message: 'Bad Request', debug_info: 'why' }, 'Bad Request: why', null],
    [{ error: 'Rate limit exceeded', success: false }, 'Rate limit exceeded', null],
    [{ status: 'failure', error: { msg: 'no' } }, 'no', null],
  ])('with the error body %j says it', (body, message, code) => {
    expect(failureOf(answered(400, body), NOW)).toMatchObject({ kind: 'http', message, code });
  });

  it('with a page as its error reports only the status', () => {
    expect(failureOf(answered(502, '<html>nginx</html>'), NOW)).toMatchObject({
      status: 502,
      message: 'HTTP 502',
    });
  });

  it('has a message of at most 300 characters, on one line', () => {
    const failure = failureOf(answered(400, { message: `a\nb${'x'.repeat(500)}` }), NOW);
    expect(failure?.message).toHaveLength(300);
    expect(failure?.message).toMatch(/^a bx/);
  });

  it.each([
    ['2', 2000],
    ['Fri, 20 Nov 2026 04:30:07 GMT', 7000],
    ['Fri, 20 Nov 2026 04:00:00 GMT', 0],
    ['soon', null],
    ['86400', 300_000],
    ['Sat, 21 Nov 2026 04:00:00 GMT', 300_000],
  ])('with Retry-After %j waits %s ms', (header, retryAfterMs) => {
    const reply = answered(429, {}, { 'retry-after': header });
    expect(failureOf(reply, NOW)).toMatchObject({ retryAfterMs });
  });
});

describe('the class of a refusal', () => {
  it.each([
    [429, null, 'Rate limit exceeded', 'rate_limited'],
    [429, null, 'Order price must be a multiple of the tick size.', 'rate_limited'],
    [401, null, 'no', 'auth'],
    [403, 'UserException', 'no', 'auth'],
    [400, 'TokenException', 'no', 'auth'],
    [400, null, 'Your access token has expired', 'auth'],
    [400, null, 'authorization not sent in request. Please try again.', 'auth'],
    [400, null, 'Market orders are blocked for this instrument.', 'market_blocked'],
    [400, null, 'Order price must be a multiple of the tick size.', 'price'],
    [400, null, 'The price is out of the circuit limit.', 'price'],
    [400, null, 'Outside the price band', 'price'],
    [400, null, 'PriceWithinRange', 'price'],
    [400, null, 'RMS: Margin exceeds, cash available: 10', 'other'],
    [400, null, 'RMS: Blocked for this client', 'other'],
    [400, null, 'RMS: Rule: Check holdings including BTST quantity', 'other'],
    [400, null, 'The instrument is not tradable.', 'other'],
    [400, null, 'The order quantity exceeds the freeze limit.', 'other'],
    [400, 'RequestValidationException', 'DayValidityAllowed', 'other'],
    [400, 'InputException', 'Invalid value for qty', 'other'],
    [400, 'OrderException', 'Price is not within the price range', 'price'],
    [400, 'OrderException', 'PriceWithinRange: out of band', 'price'],
    [400, 'DataException', 'no', 'other'],
    [400, 'OrderException', 'The price is out of the current LPP range', 'price'],
    [
      400,
      'OrderException',
      'Market orders are not supported for this instrument.',
      'market_blocked',
    ],
    [400, 'OrderException', 'Market orders are not permitted.', 'market_blocked'],
    [403, 'UserException', 'IP address is not whitelisted', 'address'],
    [400, null, 'Your IP is not registered for order placement', 'address'],
    [403, null, 'IPv4 10.1.2.3 not allowed', 'address'],
    [
      403,
      'UserException',
      'Holdings are not authorised: complete the TPIN verification',
      'authorise_holdings',
    ],
    [400, 'OrderException', 'CDSL authorisation required', 'authorise_holdings'],
    [400, 'OrderException', 'Complete e-DIS before selling', 'authorise_holdings'],
    [401, 'TokenException', 'The token is not of a whitelisted IP', 'auth'],
    [429, null, 'IP address is not whitelisted', 'rate_limited'],
    [401, 'TokenException', 'no', 'auth'],
    [405, 'MethodNotAllowedException', 'no', 'other'],
    [400, null, 'QtyWithinFreezeQty', 'other'],
    [400, null, 'The quantity is not a multiple of the lot size.', 'other'],
    [400, null, 'Invalid instrument token', 'other'],
    [404, null, 'Position could not be found.', 'other'],
  ] as const)('of %s %s %j is %4$s', (status, code, message, expected) => {
    expect(rejectionClass(status, code, message)).toBe(expected);
  });
});

describe('the outcome of a request that changes something', () => {
  it.each([400, 401, 404, 405, 409, 422, 429])(
    'is refused by %s in the broker’s own words',
    (status) => {
      expect(outcomeOf('place', { ...http(status), ownWords: true }).kind).toBe('refused');
    },
  );

  it.each([
    [400, null, 'RMS: Margin exceeds, cash available: 10'],
    [400, null, 'RMS: Rule: Check holdings including BTST quantity'],
    [400, null, 'RMS: Blocked for this client'],
    [400, null, 'The instrument is not tradable.'],
    [400, null, 'The quantity is not a multiple of the lot size.'],
    [400, null, 'The price is out of the circuit limit.'],
    [400, null, 'Order price must be a multiple of the tick size.'],
    [400, null, 'The order quantity exceeds the freeze limit.'],
    [400, 'RequestValidationException', 'DayValidityAllowed'],
    [400, null, 'QtyWithinFreezeQty'],
    [400, null, 'PriceWithinRange'],
    [400, null, 'Market orders are blocked for this instrument.'],
    [400, null, 'Bad Request: invalid limit_price'],
    [400, 'InputException', 'Invalid value for qty'],
    [401, 'TokenException', 'no'],
    [403, 'UserException', 'The IP address is not whitelisted'],
    [429, null, 'Rate limit exceeded'],
  ] as const)('is refused at once by a listed text: %s %s %s', (status, code, message) => {
    const outcome = outcomeOf('place', { ...http(status), code, ownWords: true, message });
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(outcome).not.toHaveProperty('isUnlisted');
  });

  it.each([
    [400, null, 'The order does not go through today.'],
    [400, null, 'Bad Request: Rule 17 applies'],
    [403, 'UserException', 'Contact support'],
    [409, 'E17', 'Conflict'],
  ] as const)('is refused in unlisted words: %s %s %s', (status, code, message) => {
    const failure = { ...http(status), code, ownWords: true, message };
    for (const call of ['place', 'change'] as const) {
      expect(outcomeOf(call, failure)).toMatchObject({ kind: 'refused', isUnlisted: true });
    }
  });

  it.each([
    'An identical order was already placed',
    'Duplicate order',
    'Order is pending',
    'Order status unknown',
    'Request accepted',
    'RMS: Margin exceeds; the order has been placed',
    'Request timed out: check before placing again',
    'The request took too long',
    'No response from the exchange',
    'The OMS is not reachable',
  ])('is uncertain after a 400 in the broker’s own words that leave it open: %s', (message) => {
    for (const call of ['place', 'change'] as const) {
      expect(outcomeOf(call, { ...http(400), ownWords: true, message }).kind).toBe('uncertain');
    }
  });

  it.each([
    'Order modified; margin is insufficient for more',
    'Your cancel request has been queued',
    'Order has already been cancelled',
  ])('leaves a change open after a 400 in such words of it: %s', (message) => {
    expect(outcomeOf('change', { ...http(400), ownWords: true, message }).kind).toBe('uncertain');
  });

  it.each(['RequestTimedOut', 'DUPLICATE_ORDER', 'OrderAlreadyPlaced'])(
    'is uncertain after a refusal in listed words whose code leaves it open: %s',
    (code) => {
      const failure = { ...http(400), ownWords: true, message: 'Bad Request: invalid limit_price' };
      expect(outcomeOf('place', { ...failure, code }).kind).toBe('uncertain');
      expect(outcomeOf('place', { ...http(429), code }).kind).toBe('uncertain');
    },
  );

  it.each([400, 403, 404, 409])('is uncertain after %s with a page of a proxy', (status) => {
    expect(outcomeOf('place', http(status)).kind).toBe('uncertain');
  });

  it.each([
    408, 425, 444, 460, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
  ])(
    'is uncertain after %s in the broker’s own words, which does not tell what became of it',
    (status) => {
      expect(outcomeOf('place', { ...http(status), ownWords: true }).kind).toBe('uncertain');
    },
  );

  it('is refused by 429, whoever sends it', () => {
    expect(outcomeOf('place', http(429)).kind).toBe('refused');
  });

  it.each([300, 302, 307, 500, 502, 503, 504])('is uncertain after %s', (status) => {
    expect(outcomeOf('place', http(status)).kind).toBe('uncertain');
  });

  it.each([
    { kind: 'transport', message: 'm' },
    { kind: 'bad_payload', message: 'm' },
    { kind: 'error_body', code: null, message: 'm' },
  ] as const)('is uncertain after $kind', (failure) => {
    expect(outcomeOf('place', failure)).toEqual({ kind: 'uncertain', failure, reason: 'm' });
  });

  it('is not_sent when the request never left', () => {
    const failure = { kind: 'not_sent', reason: 'connect', message: 'm' } as const;
    expect(outcomeOf('place', failure)).toEqual({
      kind: 'not_sent',
      cause: 'connect',
      reason: 'm',
    });
  });

  it('says where to register the address, which its words may have', () => {
    const refusal = (message: string) =>
      outcomeOf('change', { ...http(403, message), ownWords: true });
    expect(refusal('IP address is not whitelisted')).toEqual({
      kind: 'refused',
      rejection: 'address',
      reason:
        'IP address is not whitelisted. The broker takes orders only from registered addresses: ' +
        "register the public IPv4 address of this computer in the brokerage's API settings " +
        '(indstocks.com/app/api-trading).',
    });
    expect(refusal('IP 10.1.2.3 not allowed')).toMatchObject({
      reason: expect.stringContaining('register 10.1.2.3 in'),
    });
  });

  it('says how holdings are authorised, and waits for a book, since nobody has listed the words', () => {
    const message = 'CDSL authorisation required';
    expect(outcomeOf('place', { ...http(400, message), ownWords: true })).toEqual({
      kind: 'refused',
      rejection: 'authorise_holdings',
      isUnlisted: true,
      reason:
        `${message}. Authorise the sale of these holdings in the broker's app (TPIN), and place ` +
        'the order again.',
    });
  });

  it('reports when the broker is already processing the order', () => {
    const words = 'The order is already pending for cancellation';
    const refusal = outcomeOf('change', { ...http(400, words), ownWords: true });
    expect(refusal).toMatchObject({ kind: 'refused', pending: true });
  });
});

describe('the class of a rejected row', () => {
  it.each([
    ['17070 : The Price is out of the LPP range', 'price'],
    ['Order price must be a multiple of the tick size.', 'price'],
    ['The price is out of the circuit limit.', 'price'],
    ['PriceWithinRange', 'price'],
    ['Market orders are blocked for this instrument.', 'market_blocked'],
    ['TPIN verification is required', 'authorise_holdings'],
    ['RMS: Margin exceeds, cash available: 10', 'other'],
    ['QtyWithinFreezeQty', 'other'],
    ['The quantity is not a multiple of the lot size.', 'other'],
    ['', 'other'],
  ])('with "%s" is %s', (text, expected) => {
    expect(classOfText(text)).toBe(expected);
  });
});
