import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { kiteOrder, primaryOrder, rehearse } from './support/rehearsal.ts';

/** A few busy minutes, as a hash of all replies. */
function busyMinutes(seed: string): string {
  const { kiteWire, primaryWire, clock, sandbox, posts } = rehearse({
    seed,
    latencyMs: [1, 50],
    orderStepMs: [5, 80],
  });
  const seen: unknown[] = [];
  sandbox.faults.add({ broker: 'kite', kind: 'error_after', probability: 0.3 });
  sandbox.faults.add({ broker: 'primary', kind: 'truncated_book', probability: 0.5 });
  sandbox.faults.add({ broker: 'kite', kind: 'postback_doubled', probability: 0.5 });
  for (let minute = 0; minute < 20; minute += 1) {
    seen.push(kiteWire('POST', '/orders/regular', kiteOrder({ quantity: String(50 + minute) })));
    seen.push(primaryWire('POST', '/order', primaryOrder({ qty: 900 })));
    clock.advance(7_000);
    seen.push(kiteWire('GET', '/orders'), primaryWire('GET', '/order-book'));
    seen.push(kiteWire('GET', '/quote?i=NSE:INFY'));
    clock.advance(53_000);
  }
  seen.push(sandbox.kite.fills(), sandbox.primary.fills(), posts);
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

it('answers the same seed, clock and requests with the same bytes', () => {
  expect(busyMinutes('one')).toBe(busyMinutes('one'));
});

it('answers another seed otherwise', () => {
  expect(busyMinutes('one')).not.toBe(busyMinutes('two'));
});
