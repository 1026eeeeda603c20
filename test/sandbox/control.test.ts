import { describe, expect, it } from 'vitest';
import { controlReply } from '../../sandbox/transport/control.ts';
import { rehearse } from './support/rehearsal.ts';

function controls() {
  const { sandbox, clock, kite } = rehearse();
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body: unknown = '') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const url = `http://control.sandbox${path}`;
    const reply = controlReply(sandbox, clock, { method, url, headers: {}, body: text });
    return { status: reply.status, body: JSON.parse(reply.body) };
  };
  return { ask, clock, kite };
}

describe('a rule set through the controls', () => {
  it('strikes where and as often as it says', () => {
    const { ask, kite } = controls();
    const match = { method: 'GET', pathPattern: '^/quote/ltp$' };
    const rule = { broker: 'kite', kind: 'error_before', match, times: 1, params: { status: 503 } };
    expect(ask('POST', '/faults', rule)).toEqual({ status: 201, body: { id: 'fault-1' } });
    const statuses = [1, 2].map(() => kite('GET', '/quote/ltp?i=NSE:INFY').status);
    expect([kite('GET', '/user/profile').status, ...statuses]).toEqual([200, 503, 200]);
  });

  it('ends when it says', () => {
    const { ask, clock, kite } = controls();
    ask('POST', '/faults', { broker: 'kite', kind: 'error_before', forMs: 1_000 });
    expect(kite('GET', '/user/profile').status).toBe(502);
    clock.advance(1_000);
    expect(kite('GET', '/user/profile').status).toBe(200);
  });

  it.each([
    ['no JSON', '{', 'expected object'],
    ['another broker', { broker: 'alt', kind: 'refuse' }, 'expected one of "kite"|"primary"'],
    ['another kind', { broker: 'kite', kind: 'explode' }, '"refuse"|"hang_before"'],
    [
      'a parameter beside the others',
      { broker: 'kite', kind: 'late_rows', delayMs: 1 },
      '"delayMs"',
    ],
    ['a path without match', { broker: 'kite', kind: 'refuse', path: '/orders' }, '"path"'],
    [
      'no pattern',
      { broker: 'kite', kind: 'refuse', match: { pathPattern: '(' } },
      'regular expression',
    ],
  ])('is refused with the reason, and not kept: %s', (_what, rule, message) => {
    const { ask } = controls();
    const { status, body } = ask('POST', '/faults', rule);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(ask('GET', '/faults').body.faults).toEqual([]);
  });

  it('that does not exist cannot be removed', () => {
    const { ask } = controls();
    const { body } = ask('POST', '/faults', { broker: 'kite', kind: 'refuse' });
    expect(ask('DELETE', `/faults/${body.id}`).status).toBe(200);
    expect(ask('DELETE', `/faults/${body.id}`).status).toBe(404);
  });
});
