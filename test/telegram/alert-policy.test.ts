import { describe, expect, it } from 'vitest';
import type { EventType, GatewayEvent } from '../../src/events/event-log.ts';
import {
  nextDue,
  OPEN_FOR_MS,
  readClock,
  readEvents,
  type AlertMemory,
} from '../../src/telegram/alert-policy.ts';
import { order } from '../routes/support/samples.ts';
import { epochMs } from '../../src/units/branded.ts';

const NOTHING: AlertMemory = { after: 0, open: [], told: [] };
const T0 = epochMs(Date.parse('2026-11-06T11:00:00+05:30'));

function event(
  sequence: number,
  type: EventType,
  data: GatewayEvent['data'],
  more: Partial<GatewayEvent> = {},
): GatewayEvent {
  return { sequence, at: epochMs(T0 + sequence * 1_000), type, orderId: null, data, ...more };
}
const updated = (
  sequence: number,
  changes: Parameters<typeof order>[0],
  more: Partial<GatewayEvent> = {},
): GatewayEvent =>
  event(sequence, 'order.updated', { order: order(changes) }, { orderId: 'ord_1', ...more });
const alert = (
  sequence: number,
  level: string,
  message: string,
  more: Partial<GatewayEvent> = {},
): GatewayEvent => event(sequence, 'alert', { level, message }, more);

const read = (...events: GatewayEvent[]) => readEvents(NOTHING, events);
const texts = (...events: GatewayEvent[]): string[] =>
  read(...events).alerts.map(({ level, text }) => `${level}: ${text}`);

describe('an alert to a person', () => {
  it('is sent for each alert, and not for an order that goes well', () => {
    expect(
      texts(
        updated(1, { status: 'sending' }),
        updated(2, { status: 'working' }),
        event(3, 'order.fill', { quantity: 10 }, { orderId: 'ord_1' }),
        updated(4, { status: 'filled' }),
        event(5, 'postback.received', {}),
        alert(6, 'critical', 'the session is dead'),
        alert(7, 'warning', 'a status is not known'),
      ),
    ).toEqual(['critical: the session is dead', 'warning: a status is not known']);
  });

  it('is sent in place of an event that cannot be read, also of an order whose outcome is open', () => {
    const unread = { ...alert(2, 'warning', 'event 2', { orderId: 'ord_1' }) };
    const open = updated(1, { status: 'uncertain' });
    const step = readEvents(NOTHING, [open, { ...unread, insteadOf: 'order.updated' }]);
    expect(step.alerts.map(({ text }) => text)).toEqual(['event 2']);
    // What it told may have ended it: nobody is told that the order is still being looked for.
    expect(nextDue(step.memory, T0)).toBeNull();
    const other = readEvents(NOTHING, [open, { ...unread, insteadOf: 'order.attempt' }]);
    expect(nextDue(other.memory, T0)).not.toBeNull();
  });

  it('is sent for an event whose order cannot be read, and for the events after it', () => {
    expect(
      texts(
        event(1, 'order.updated', { order: { status: 'working' } }, { orderId: 'ord_1' }),
        alert(2, 'critical', 'the session is dead'),
      ),
    ).toEqual([
      'warning: Event 1 cannot be read. Look at order ord_1 in the gateway.',
      'critical: the session is dead',
    ]);
  });

  it('is sent when the kill switch is engaged and when it is released', () => {
    expect(
      texts(
        event(1, 'kill_switch.changed', { engaged: true, thrown: true, reason: 'odd fills' }),
        event(2, 'kill_switch.changed', { engaged: false, thrown: false, reason: null }),
      ),
    ).toEqual([
      expect.stringMatching(/^critical: The kill switch is engaged: odd fills\./),
      expect.stringMatching(/^note: The kill switch is released\./),
    ]);
  });

  it('is sent for a kill switch event of an older version', () => {
    expect(
      texts(
        event(1, 'kill_switch.changed', { thrown: true, reason: 'odd fills' }),
        event(2, 'kill_switch.changed', { thrown: false, reason: null }),
      ),
    ).toEqual([
      expect.stringMatching(/^critical: The kill switch is engaged: odd fills\./),
      expect.stringMatching(/^note: The kill switch is released\./),
    ]);
  });

  it('is sent once for an order that the broker accepted and then rejected', () => {
    const thrownOut = {
      status: 'rejected',
      mode: 'live',
      brokerOrderId: '26110600001',
      reason: 'RMS: margin exceeds',
    } as const;
    expect(texts(updated(1, thrownOut), updated(2, thrownOut))).toEqual([
      expect.stringMatching(/^warning: Rejected: .*NSE:INFY.* RMS: margin exceeds$/),
    ]);
  });

  it('is not sent for a refusal that has its own alert, nor for the paper account', () => {
    const refused = { status: 'rejected', reason: 'price', brokerOrderId: null } as const;
    const paper = {
      status: 'rejected',
      mode: 'paper',
      broker: 'paper',
      brokerOrderId: '1',
    } as const;
    expect(texts(updated(1, refused), updated(2, paper))).toEqual([]);
  });

  it('is sent once for a dispute, before or after the alert of its own', () => {
    const disputed = { status: 'disputed', reason: 'two rows' } as const;
    const same = { at: T0, orderId: 'ord_1' };
    const own = alert(2, 'critical', 'order ord_1 is disputed: two rows', same);
    expect(texts(updated(1, disputed, same), own)).toHaveLength(1);
    expect(texts({ ...own, sequence: 1 }, updated(2, disputed, same))).toHaveLength(1);
    expect(texts(updated(1, disputed))).toEqual([
      expect.stringMatching(/^critical: Disputed, a person must look: .*two rows\. ord_1$/),
    ]);
  });
});

describe('an open outcome', () => {
  const open = updated(1, { status: 'uncertain', reason: 'no answer' });
  const since = open.at;

  it('is reported when it has stayed open, and not earlier', () => {
    const { memory, alerts } = read(
      open,
      alert(2, 'warning', 'outcome of order ord_1 is open', { orderId: 'ord_1' }),
    );
    expect(alerts).toEqual([]);
    expect(nextDue(memory, since)).toBe(OPEN_FOR_MS);
    expect(readClock(memory, epochMs(since + OPEN_FOR_MS - 1)).alerts).toEqual([]);
    const due = readClock(memory, epochMs(since + OPEN_FOR_MS));
    expect(due.alerts.map(({ text }) => text)).toEqual([
      expect.stringContaining('do not place it again'),
    ]);
    expect(due.alerts[0]?.text).toContain('no answer');
    expect(readClock(due.memory, epochMs(since + 2 * OPEN_FOR_MS)).alerts).toEqual([]);
    expect(nextDue(due.memory, since)).toBeNull();
  });

  it('is not reported when it is settled soon', () => {
    const { memory, alerts } = read(open, updated(2, { status: 'working' }));
    expect([alerts, memory.open]).toEqual([[], []]);
  });

  it('is reported as settled, if it was reported', () => {
    const told = readClock(read(open).memory, epochMs(since + OPEN_FOR_MS)).memory;
    const { memory, alerts } = readEvents(told, [updated(2, { status: 'filled' })]);
    expect(alerts.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^No longer open: .* is filled\.$/),
    ]);
    expect(memory.open).toEqual([]);
  });

  it('is reported in time when the clock is set back', () => {
    expect(readClock(read(open).memory, epochMs(since - 3_600_000)).alerts).toHaveLength(1);
  });

  it('does not hide a critical alert about the same order', () => {
    expect(texts(open, alert(2, 'critical', 'odd', { orderId: 'ord_1' }))).toEqual([
      'critical: odd',
    ]);
  });
});

describe('the position in the events', () => {
  it('moves with every event, reported or not', () => {
    expect(read(updated(7, { status: 'working' })).memory.after).toBe(7);
  });

  it('does not change the alerts, however the events are split into reads', () => {
    const all = [
      updated(1, { status: 'uncertain' }),
      alert(2, 'warning', 'outcome of order ord_1 is open', { orderId: 'ord_1' }),
      updated(3, { status: 'working' }),
      event(4, 'kill_switch.changed', { engaged: true, thrown: true, reason: 'x' }),
      updated(5, { status: 'rejected', mode: 'live', brokerOrderId: '1' }),
      updated(6, { status: 'rejected', mode: 'live', brokerOrderId: '1' }),
    ];
    const whole = read(...all).alerts;
    for (let cut = 0; cut <= all.length; cut += 1) {
      const first = read(...all.slice(0, cut));
      const second = readEvents(first.memory, all.slice(cut));
      expect([...first.alerts, ...second.alerts]).toEqual(whole);
    }
  });
});
