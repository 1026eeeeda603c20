import type { AlertLevel, EventSubject, EventType, GatewayEvent } from '../events/event-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { SingleWriter } from '../platform/single-writer.ts';
import { decideAlert, decideTold } from './journal/decide-notes.ts';
import type { Change } from './journal/records.ts';
import type { ExecutionState } from './journal/state.ts';

/** What is written to the journal for its readers alone. */
export interface NoteCalls {
  /** Resolves once the alert is among the events. */
  alert(level: AlertLevel, message: string): Promise<null>;
  /** Writes an event of what the journal does not have otherwise. */
  tell(type: EventType, data: GatewayEvent['data'], about: EventSubject): Promise<null>;
}

export function noteCalls(writer: SingleWriter<ExecutionState, Change>, clock: Clock): NoteCalls {
  return {
    alert: (level, message) =>
      writer.submit((state) => decideAlert(state, { level, message, at: clock.now() })),
    tell: (type, data, about) =>
      writer.submit((state) => decideTold(state, { type, data, about, at: clock.now() })),
  };
}
