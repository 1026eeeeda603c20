import type { KeyRecord } from '../callers/caller.ts';
import type { Callers, KeyStopped } from '../callers/callers.ts';
import type { Execution } from '../execution/execution.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import type { WebhookRegistry, WebhookView } from '../routes/webhooks.ts';
import type { HookChange, HookMoved, Hooks } from '../signals/hooks.ts';

export interface TellChangesParts {
  readonly execution: Pick<Execution, 'tell'>;
  readonly log: Log;
}

type KeyMove = 'added' | 'changed' | 'rotated' | 'revoked' | 'stopped' | 'released';

/**
 * Callers whose changes are written as events once they hold: `key.changed`, with who has asked. A key that is
 * revoked or stopped does not wait for the journal, so an event that the disk does not take is missing, and the log says so.
 */
export function tellingKeyChanges(callers: Callers, parts: TellChangesParts): Callers {
  function told(
    change: KeyMove,
    { id, name, scope }: KeyRecord,
    by: string | null,
    fields: readonly string[] = [],
  ): void {
    const data = { key: { id, name, scope }, change, fields: [...fields], by };
    tell(parts, () => parts.execution.tell('key.changed', data, { caller: id }));
  }
  return {
    ...callers,
    add(request, by = null) {
      const made = callers.add(request, by);
      told('added', made.caller, by);
      return made;
    },
    change(id, change, by = null) {
      const key = callers.change(id, change, by);
      const { marks = {}, ...others } = change;
      told('changed', key, by, [...Object.keys(others), ...Object.keys(marks)].toSorted());
      return key;
    },
    setStop(id, stop, by = stop?.by ?? null): KeyStopped {
      const done = callers.setStop(id, stop, by);
      told(stop === null ? 'released' : 'stopped', done.key, by);
      return done;
    },
    rotate(id, by = null) {
      const made = callers.rotate(id, by);
      told('rotated', made.caller, by);
      return made;
    },
    revoke(id, by = null) {
      const key = callers.revoke(id, by);
      told('revoked', key, by);
      return key;
    },
  };
}

/** The event of a change of a hook. `change` waits for it; what adds, rotates or deletes a hook does not. */
export const tellHookChange = (
  { hook: { id, name, key, mode }, change, fields, by }: HookChange,
  { execution }: TellChangesParts,
): Promise<null> =>
  execution.tell(
    'hook.changed',
    { hook: { id, name, key, mode }, change, fields: [...fields], by },
    { caller: key },
  );

export function tellingHookMoves(hooks: Hooks, parts: TellChangesParts): Hooks {
  const told = (change: HookMoved, hook: HookChange['hook'] | undefined, by: string): void => {
    if (hook) tell(parts, () => tellHookChange({ hook, change, fields: [], by }, parts));
  };
  return {
    ...hooks,
    add(request, by) {
      const made = hooks.add(request, by);
      told('added', made.hook, by);
      return made;
    },
    rotate(id, by) {
      const made = hooks.rotate(id, by);
      told('rotated', made?.hook, by);
      return made;
    },
    remove(id, by) {
      const hook = hooks.remove(id, by);
      told('deleted', hook ?? undefined, by);
      return hook;
    },
  };
}

/** The same for webhooks, as `webhook.changed`. Their addresses may hold a secret, so events have their ids alone. */
export function tellingWebhookChanges(
  webhooks: WebhookRegistry,
  parts: TellChangesParts,
): WebhookRegistry {
  function told(change: 'added' | 'deleted' | 'revived', webhook: WebhookView | null, by: string) {
    if (webhook === null) return webhook;
    const data = { webhook: { id: webhook.id, types: webhook.types }, change, by };
    tell(parts, () => parts.execution.tell('webhook.changed', data, {}));
    return webhook;
  }
  return {
    ...webhooks,
    add: async (request) => told('added', await webhooks.add(request), request.by),
    remove: (id, by) => told('deleted', webhooks.remove(id, by), by),
    revive: (id, by) => told('revived', webhooks.revive(id, by), by),
  };
}

/** The change has been made: where its event cannot be written, nothing is undone. */
function tell({ log }: TellChangesParts, write: () => Promise<unknown>): void {
  write().catch((error: unknown) => {
    log.error('a change of a key, hook or webhook could not be written as an event', {
      reason: messageOf(error),
    });
  });
}
