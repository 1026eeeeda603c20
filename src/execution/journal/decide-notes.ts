import type { PostbackHint } from '../../domain/postback.ts';
import type { AlertLevel, EventSubject, EventType, GatewayEvent } from '../../events/event-log.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { Change } from './records.ts';
import type { ExecutionState } from './state.ts';
import { UnitOfWork } from './unit-of-work.ts';
import type { EpochMs, OrderId } from '../../units/branded.ts';

/** Puts a postback in the inbox; the caller knows that it is not there yet. */
export function decidePostback(
  state: ExecutionState,
  command: { hint: PostbackHint; at: EpochMs },
): Decision<Change, null> {
  const { hint, at } = command;
  const unit = new UnitOfWork(state, at);
  const { broker, brokerOrderId, rawStatus, digest } = hint;
  unit.changes.push({
    table: 'postbacks',
    key: digest,
    row: { digest, broker, brokerOrderId, rawStatus, receivedAt: at },
  });
  unit.event('postback.received', null, { broker, brokerOrderId }, { broker });
  return { changes: unit.changes, reply: null };
}

/** An alert about something that a person should look at; `orderId` where it is about an order. */
export function decideAlert(
  state: ExecutionState,
  command: { level: AlertLevel; orderId?: OrderId | null; message: string; at: EpochMs },
): Decision<Change, null> {
  const unit = new UnitOfWork(state, command.at);
  unit.alert(command.level, command.orderId ?? null, command.message);
  return { changes: unit.changes, reply: null };
}

/** Tells of something that is kept nowhere else in the journal. */
export function decideTold(
  state: ExecutionState,
  command: { type: EventType; data: GatewayEvent['data']; about: EventSubject; at: EpochMs },
): Decision<Change, null> {
  const unit = new UnitOfWork(state, command.at);
  unit.event(command.type, null, command.data, command.about);
  return { changes: unit.changes, reply: null };
}

/**
 * Raises an alert for each row of the journal that does not fit, so that a person looks at its
 * order.
 */
export function decideQuarantine(
  state: ExecutionState,
  command: { at: EpochMs },
): Decision<Change, number> {
  const unit = new UnitOfWork(state, command.at);
  for (const { table, key, orderId, reason, about } of state.quarantine.rows) {
    const named = orderId === null ? about.join(', ') : `order ${orderId}`;
    const what = named === '' ? '' : `; look at ${named} in the broker's app`;
    const message = `row ${key} of ${table} in the journal does not fit (${reason}) and is not used${what}`;
    unit.alert('critical', orderId, message);
  }
  return { changes: unit.changes, reply: unit.changes.length };
}
