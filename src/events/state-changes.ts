import { z } from 'zod';
import type { Cancel, Clock, Scheduler } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { openStateFile } from '../platform/state-file.ts';
import { messageOf } from '../platform/values.ts';
import { type ElapsedMs, plus } from '../units/branded.ts';
import type { EventSubject, EventType, GatewayEvent } from './event-log.ts';

/** A state that is in memory alone, as it is now. */
export interface StateNow {
  /** Names what it is the state of, such as `session alt`. */
  readonly key: string;
  readonly type: EventType;
  /** Plain JSON without a secret. It is told when it differs from what was told last. */
  readonly data: GatewayEvent['data'];
  readonly about: EventSubject;
}

export interface StateChangesParts {
  /** All states, in memory: asked every few seconds. */
  readonly states: () => readonly StateNow[];
  /** Resolves once the event is on disk. */
  readonly tell: (state: StateNow) => Promise<unknown>;
  readonly files: Files;
  /** Keeps what was told last, so that a change over a restart is told. */
  readonly path: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

export interface StateChanges extends Disposable {
  /** Looks now, as after a login. */
  look(): void;
}

const LOOK_EVERY_MS = 5_000;
/** What changes more often is told at most so often, as it then is: it cannot fill the journal. */
export const TOLD_EVERY_MS = 30_000;

const content = z.object({ version: z.literal(1), told: z.record(z.string(), z.string()) });

/**
 * Writes an event for each state that has changed (docs/events.md, "What an event is"). The first start notes
 * the states and tells none. An event may come twice where the process ends right after it, with another id.
 */
export function createStateChanges(parts: StateChangesParts): StateChanges {
  const { clock, scheduler, log } = parts;
  const file = openStateFile({ ...parts, parse: (json) => content.parse(json) });
  const isFirst = file.content() === null;
  const told = new Map(Object.entries(file.content()?.told ?? {}));
  /** What of it is on disk as an event: a change that is not written yet is told after a restart. */
  const written = new Map(told);
  const quietUntil = new Map<string, ElapsedMs>();
  let cancel: Cancel = () => undefined;
  let isOver = false;

  const keep = (): void => file.write({ version: 1, told: Object.fromEntries(written) });

  function look(): void {
    // A session can still change while the gateway waits for its last orders.
    if (isOver) return;
    cancel();
    cancel = scheduler.after(LOOK_EVERY_MS, look);
    for (const state of parts.states()) {
      const { key } = state;
      const text = JSON.stringify(state.data);
      const before = told.get(key);
      if (before === text || clock.elapsed() < (quietUntil.get(key) ?? 0)) continue;
      told.set(key, text);
      quietUntil.set(key, plus(clock.elapsed(), TOLD_EVERY_MS));
      tell(state, text, before);
    }
  }

  function tell(state: StateNow, text: string, before: string | undefined): void {
    const noteWritten = (): void => {
      written.set(state.key, text);
      keep();
    };
    parts.tell(state).then(noteWritten, (error: unknown) => {
      const reason = messageOf(error);
      log.warn('a change of state could not be written to the journal', {
        ...{ source: state.key, reason },
      });
      // It is told at a later look.
      if (told.get(state.key) !== text) return;
      if (before === undefined) told.delete(state.key);
      else told.set(state.key, before);
    });
  }

  if (isFirst) {
    for (const { key, data } of parts.states()) {
      told.set(key, JSON.stringify(data));
      written.set(key, JSON.stringify(data));
    }
    keep();
  }
  look();
  return {
    look,
    [Symbol.dispose]() {
      isOver = true;
      cancel();
    },
  };
}
