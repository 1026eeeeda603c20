import { describe, expect, it } from 'vitest';
import { classOfText, outcomeOf, type OrderCall } from '../../../src/adapters/alt/errors.ts';
import { readReply } from '../../../src/adapters/alt/calls.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, html, refusal } from './support/scripted-transport.ts';
import { epochMs } from '../../../src/units/branded.ts';

function outcome(reply: HttpReply, call: OrderCall = 'place') {
  const answer = readReply(reply, epochMs(0));
  if (answer.kind === 'success') throw new Error('a success');
  return outcomeOf(call, answer.failure);
}

const sentence = (words: string): string => (words.endsWith('.') ? words : `${words}.`);

describe('a known refusal', () => {
  it.each([
    [400, 'MarginException', 'Insufficient funds. Required margin is 95.84.', 'other'],
    [
      400,
      'MarginException',
      'Insufficient funds. Required margin is 95.84 but available margin is 7. Check the orderbook for open orders.',
      'other',
    ],
    [400, 'InputException', 'Invalid `quantity`.', 'other'],
    [400, 'InputException', 'Tick size for this script is 0.05.', 'price'],
    [400, 'HoldingException', 'Insufficient stock holding.', 'other'],
    [400, 'UserException', 'Your account is dormant.', 'other'],
    [400, 'OrderException', 'RMS:Margin Exceeds,Required:95.84, Available:74.25', 'other'],
    [400, 'OrderException', 'RMS:Rule: Check circuit limit including square off', 'price'],
    [400, 'OrderException', 'Markets are closed right now.', 'other'],
    [400, 'OrderException', 'Market orders are blocked for this instrument.', 'market_blocked'],
    [
      400,
      'InputException',
      'Market orders without market protection are not allowed via API.',
      'market_blocked',
    ],
    [400, 'InputException', 'Order quantity exceeds the freeze quantity of 1800.', 'other'],
    [400, 'OrderException', 'Quantity is above the freeze limit.', 'other'],
    [400, 'InputException', 'Quantity should be a multiple of the lot size 65.', 'other'],
    [400, 'NetworkException', 'Maximum allowed order modifications exceeded.', 'other'],
    [400, 'InputException', 'Order quantity should be less than the freeze limit.', 'other'],
    [
      400,
      'OrderException',
      'Market orders are not allowed for illiquid options.',
      'market_blocked',
    ],
    [400, 'InputException', 'Market orders are not supported.', 'market_blocked'],
    [400, 'InputException', 'Limit price should be a multiple of the tick size 0.05.', 'price'],
    [400, 'InputException', 'Price should be within the circuit limits.', 'price'],
    [400, 'InputException', 'Trigger price cannot be below the lower circuit price.', 'price'],
    [429, 'NetworkException', 'Too many requests', 'rate_limited'],
    [400, 'NetworkException', 'Maximum allowed order requests exceeded.', 'rate_limited'],
    [400, 'InputException', 'Maximum allowed order requests per second exceeded.', 'rate_limited'],
  ] as const)('is %i %s "%s"', (status, type, message, rejection) => {
    const result = outcome(refusal(status, type, message));
    expect(result).toMatchObject({ kind: 'refused', rejection, reason: message });
  });

  it.each([
    [403, 'PermissionException', 'IP (122.169.47.35) is not allowed to place orders for this app.'],
    [403, 'InputException', 'IP (10.1.2.3) is not allowed to place orders for this app.'],
    [400, 'InputException', 'IP 122.169.47.35 is not allowed to place orders for this app'],
    [400, 'GeneralException', 'IP address is not allowed to place orders for this app.'],
    [400, 'GeneralException', 'No IPs configured for this app. Add allowed IPs on the console.'],
  ] as const)('is the address, with where to register it: %i %s "%s"', (status, type, message) => {
    const result = outcome(refusal(status, type, message));
    const address = /[\d.]{7,}\d/.exec(message)?.[0] ?? 'the public IPv4 address of this computer';
    expect(result).toEqual({
      kind: 'refused',
      rejection: 'address',
      reason:
        `${sentence(message)} The broker takes orders only from registered addresses: register ${address} at ` +
        'developers.kite.trade, under Profile, "IP Whitelist" (one change in a calendar week).',
    });
  });

  it('is an address of the longer kind, which is better not registered', () => {
    const words =
      'IP (2402:3a80:1f8f:8a6d:f5c0:17ac:4286:768c) is not allowed to place orders for this app. ' +
      'Update allowed IPs on the Kite developer console.';
    const result = outcome(refusal(403, 'PermissionException', words));
    expect(result).toMatchObject({
      rejection: 'address',
      reason: expect.stringContaining('register 2402:3a80:1f8f:8a6d:f5c0:17ac:4286:768c at'),
    });
    expect(result).toMatchObject({ reason: expect.stringContaining('send orders over IPv4') });
  });

  it.each([
    [428, 'TPINAuthException', 'Some holdings are not authorised.'],
    [428, 'HoldingException', 'Please complete the authorisation.'],
    [400, 'TPINAuthException', 'Enter the PIN.'],
    [400, 'HoldingException', 'Holdings not authorised. Please authorise using CDSL TPIN.'],
    [400, 'OrderException', 'DP not authorised'],
    [400, 'InputException', 'The sale needs an eDIS authorization.'],
  ] as const)('is a sale to be authorised: %i %s "%s"', (status, type, message) => {
    expect(outcome(refusal(status, type, message))).toEqual({
      kind: 'refused',
      rejection: 'authorise_holdings',
      reason:
        `${sentence(message)} Authorise the sale of these holdings in the broker's app (TPIN), and place ` +
        'the order again.',
    });
  });

  it('is a dead token, and says what to do', () => {
    const reply = refusal(403, 'TokenException', 'Incorrect `api_key` or `access_token`.');
    expect(outcome(reply)).toMatchObject({
      kind: 'refused',
      rejection: 'auth',
      reason: expect.stringMatching(/^Incorrect .* log in again at \/api\/altbroker\/login\.$/),
    });
  });

  it('is a 429 without any body of the broker', () => {
    expect(outcome(html(429))).toMatchObject({ kind: 'refused', rejection: 'rate_limited' });
  });

  it('is one modification too many, with the status of a server failure', () => {
    const reply = refusal(503, 'NetworkException', 'Maximum allowed order modifications exceeded.');
    expect(outcome(reply, 'modify').kind).toBe('refused');
    expect(outcome(reply, 'place').kind).toBe('uncertain');
  });
});

describe('an order that the broker is still processing', () => {
  const text = 'Order cannot be cancelled as it is being processed. Try later.';

  it.each(['InputException', 'OrderException'])('can be cancelled soon: %s', (type) => {
    const result = outcome(refusal(400, type, text), 'cancel');
    expect(result).toMatchObject({ kind: 'refused', rejection: 'other', pending: true });
  });

  it('is refused a modification for now', () => {
    const reply = refusal(400, 'InputException', text.replace('cancelled', 'modified'));
    const result = outcome(reply, 'modify');
    expect(result.kind).toBe('refused');
    expect(result).not.toHaveProperty('pending');
  });
});

describe('what leaves an order uncertain', () => {
  it.each([
    [400, 'OrderException', 'Order request timed out. Please check the order book.'],
    [400, 'NetworkException', 'Order request timed out. Please check the order book.'],
    [400, 'InputException', 'Request timed out'],
    [400, 'OrderException', 'Something went wrong'],
    [400, 'OrderException', 'Order status unknown'],
    [400, 'InputException', 'The order took too long to respond'],
    [400, 'MarginException', 'Order placed but margin is insufficient for more'],
    [400, 'OrderException', 'RMS: timed out, please check'],
    [400, 'OrderException', 'RMS: No response from exchange'],
    [400, 'InputException', 'Invalid answer: the order is pending'],
    [403, 'InputException', 'IP (10.1.2.3) is not allowed to place orders; order already placed'],
    [429, 'NetworkException', 'Too many requests: your order has been queued'],
    [400, 'OrderException', 'Order accepted; your holdings will follow.'],
    [428, 'TPINAuthException', 'Order placed; authorise the holdings by 17:00.'],
    [428, 'TPINAuthException', 'Request timed out'],
    [400, 'HoldingException', 'Authorise the sale first.'],
    [400, 'GeneralException', 'Holdings not authorised.'],
    [400, 'InputException', 'Request took too long to process. Try after some time.'],
    [400, 'InputException', 'Something went wrong'],
    [400, 'UserException', 'The server is busy. Check the order book.'],
    [400, 'UserException', 'Something went wrong'],
    [400, 'NetworkException', 'OMS not reachable'],
    [400, 'GeneralException', 'Insufficient funds'],
    [400, 'DataException', 'Bad data'],
    [400, 'NewException', 'Invalid quantity'],
    [400, 'TokenException', 'Not with the status of one'],
    [404, 'GeneralException', 'Route not found'],
    [500, 'InputException', 'Invalid `quantity`.'],
    [502, 'MarginException', 'Insufficient funds.'],
    [503, 'NetworkException', 'Gateway timed out'],
    [400, null, 'IP (10.1.2.3) is not allowed to place orders for this app.'],
    [400, null, 'Maximum allowed order requests exceeded.'],
    [400, null, 'Maximum allowed order modifications exceeded.'],
    [400, null, 'Insufficient funds. Required margin is 95.84.'],
    [428, null, 'Some holdings are not authorised.'],
  ] as const)('is %i %s "%s"', (status, type, message) => {
    expect(outcome(refusal(status, type, message)).kind).toBe('uncertain');
  });

  const BETWEEN = [408, 425, 444, 460, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526];

  it.each([302, ...BETWEEN, 527, 530])('is %i with a body of the broker’s own', (status) => {
    for (const [type, message] of [
      ['MarginException', 'Insufficient funds.'],
      ['InputException', 'Invalid `quantity`.'],
      ['OrderException', 'RMS:Margin Exceeds,Required:95.84'],
      ['NetworkException', 'Maximum allowed order requests exceeded.'],
      ['GeneralException', 'No IPs configured for this app.'],
    ] as const) {
      expect(outcome(refusal(status, type, message)).kind).toBe('uncertain');
    }
  });

  it('is one modification too many with a status that says that somebody stopped waiting', () => {
    const text = 'Maximum allowed order modifications exceeded.';
    expect(outcome(refusal(408, 'NetworkException', text), 'modify').kind).toBe('uncertain');
  });

  it('is a 4xx that does not come from the broker', () => {
    expect(outcome(html(400)).kind).toBe('uncertain');
    expect(outcome(html(403)).kind).toBe('uncertain');
    const bare = answered(400, '{"error_type":"InputException","message":"Invalid `quantity`."}');
    expect(outcome(bare).kind).toBe('uncertain');
  });
});

describe('the class of a rejected row', () => {
  it.each([
    ['17070 : The Price is out of the LPP range', 'price'],
    ['Order price is beyond LPP limit', 'price'],
    ['The price is out of the current execution range', 'price'],
    ['RMS:Rule: Check circuit limit including square off order exceeds circuit limit', 'price'],
    ["Order price is out of day's price range", 'price'],
    ['RATE NOT MULTIPLE OF TICK [0.05000000]', 'price'],
    ['Market orders are blocked for this instrument.', 'market_blocked'],
    ['Holdings not authorised via CDSL TPIN', 'authorise_holdings'],
    ['You have not authorised this transaction via EDIS.', 'authorise_holdings'],
    ['RMS:Margin Exceeds,Required:95.84, Available:74.25', 'other'],
    ['Order quantity exceeds the freeze quantity', 'other'],
    ['Insufficient stock holding', 'other'],
    ['', 'other'],
  ])('with "%s" is %s', (text, expected) => {
    expect(classOfText(text)).toBe(expected);
  });
});
