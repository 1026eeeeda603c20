import type { Signal } from '../domain/signal.ts';
import type { Hook } from '../domain/signal-template.ts';
import type { Ids } from '../platform/ids.ts';
import { sha256 } from '../platform/secret.ts';
import type { EpochMs } from '../units/branded.ts';
import type { ReadAlert } from './read-alert.ts';

/** The signal of an alert that has just come, as it is first written. */
export function newSignal(hook: Hook, read: Partial<ReadAlert>, ids: Ids, at: EpochMs): Signal {
  return {
    ...{ id: `sig_${ids.uuid7(at)}`, hookId: hook.id, hookName: hook.name, caller: hook.key },
    ...{ mode: hook.mode, alertId: read.alertId ?? null, alertAt: read.alertAt ?? null },
    receivedAt: at,
    orders: (read.orders ?? []).map((request, index) => ({
      idempotencyKey: keyOf(hook, read.alertId ?? '', index),
      ...{ request, orderId: null, problem: null },
    })),
    problem: null,
  };
}

/** The same for the same alert, also after a restart, and at most 64 characters. */
const keyOf = ({ id }: Hook, alertId: string, index: number): string =>
  `sig-${sha256(`${id}\n${alertId}`).slice(0, 40)}-${index}`;
