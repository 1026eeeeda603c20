import { GatewayProblem } from '../domain/problem.ts';
import type { Hook } from '../domain/signal-template.ts';
import type { Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { sameText, Secret, sha256 } from '../platform/secret.ts';
import { createTurns } from '../platform/turns.ts';
import { asProblems } from '../router/problems.ts';
import type { HookRegistry, HookView, NewHook } from '../routes/hooks.ts';
import { checkChangedHook, type CheckHookParts, checkNewHook } from './check-hook.ts';
import { DamagedHooksError, type HookRecord, readHooks, writeHooks } from './hook-file.ts';

export interface HooksParts extends CheckHookParts {
  readonly files: Files;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  /** `data/hooks.json`. */
  readonly path: string;
  /** Writes the event of a change. Rejects where it cannot be written. */
  readonly tell: (change: HookChange) => Promise<unknown>;
}

/** What becomes of a whole hook. */
export type HookMoved = 'added' | 'rotated' | 'deleted';

/** A change of a hook as its event tells it: the names of its fields, because addresses and templates are for admins. */
export interface HookChange {
  readonly hook: Pick<Hook, 'id' | 'name' | 'key' | 'mode'>;
  /** `not_made`: the change that the event before told could not be made, or not be written to the file. */
  readonly change: 'changed' | 'not_made' | HookMoved;
  readonly fields: readonly string[];
  /** The id of the key that asked for it. */
  readonly by: string;
}

export interface Hooks extends HookRegistry {
  /** The hook that a secret opens; null where there is none. */
  find(secret: string): Hook | null;
}

const SECRET_BYTES = 32;

/**
 * Where the file is damaged there are no signals, and everything else runs: each use of hooks is `journal_unavailable`,
 * and nothing is written, so that the file can be mended. Throws FileError where others can read the file.
 */
export function createHooks(parts: HooksParts): Hooks {
  const { files, path, log } = parts;
  try {
    return hooksOf(parts, readHooks(files, path));
  } catch (error) {
    if (!(error instanceof DamagedHooksError)) throw error;
    log.error('hooks cannot be read: no signal is taken until that is mended', {
      reason: error.message,
    });
    return damagedHooks(error);
  }
}

function damagedHooks({ message }: DamagedHooksError): Hooks {
  const unavailable = (): never => {
    const detail = `signals are off: ${message}. Everything else works`;
    throw new GatewayProblem({ code: 'journal_unavailable', detail, mayHaveExecuted: false });
  };
  return {
    ...{ find: unavailable, list: unavailable, add: unavailable, rotate: unavailable },
    ...{ change: () => Promise.resolve().then(unavailable), remove: unavailable },
  };
}

function hooksOf(parts: HooksParts, read: readonly HookRecord[]): Hooks {
  const { files, ids, clock, path } = parts;
  let records = read;
  const inTurn = createTurns();

  const save = (next: readonly HookRecord[]): void => {
    writeHooks(files, path, next);
    records = next;
  };

  const newSecret = (): Secret => new Secret(`sig_${ids.secret(SECRET_BYTES)}`);

  function replaced(old: HookRecord, changes: Partial<HookRecord>): HookRecord {
    const next = { ...old, ...changes };
    save(records.map((each) => (each === old ? next : each)));
    return next;
  }

  return {
    find(secret) {
      const hash = sha256(secret);
      // Compares every record, so that the duration reveals nothing.
      const [match] = records.filter((each) => sameText(each.sha256, hash));
      return match ?? null;
    },
    list: () => records.map(viewOf),
    add(request, by): NewHook {
      checkNewHook(request, records, parts);
      const secret = newSecret();
      const { name, key, mode, template, addresses, maxAgeSeconds } = request;
      const record: HookRecord = {
        ...{ id: `hook_${ids.uuid7(clock.now())}`, name, key, mode },
        ...{ template: copyOf(template), addresses: addresses && [...addresses], maxAgeSeconds },
        ...{ sha256: sha256(secret.reveal()), createdAt: clock.now(), createdBy: by },
        ...{ rotatedAt: null, rotatedBy: null, changedAt: null, changedBy: null },
      };
      save([...records, record]);
      return { hook: viewOf(record), secret };
    },
    rotate(id, by) {
      const old = records.find((each) => each.id === id);
      if (old === undefined) return null;
      const secret = newSecret();
      const hash = sha256(secret.reveal());
      const next = replaced(old, { sha256: hash, rotatedAt: clock.now(), rotatedBy: by });
      return { hook: viewOf(next), secret };
    },
    // One after another: each event tells of a change that was made.
    change: (id, changes, by) =>
      inTurn('change', async () => {
        const find = () => records.find((each) => each.id === id);
        const before = find();
        if (before === undefined) return null;
        const hook = { ...before, ...changes };
        checkChangedHook(before, hook, records);
        const fields = Object.keys(changes).toSorted();
        await asProblems(() => parts.tell({ hook, change: 'changed', fields, by }));
        // Another request may have changed the hooks since.
        const old = find();
        if (old === undefined) return null;
        const next = { ...old, ...changes };
        const { name, template, addresses, maxAgeSeconds } = next;
        try {
          checkChangedHook(old, next, records);
          return viewOf(
            replaced(old, {
              ...{ name, template: copyOf(template), addresses: addresses && [...addresses] },
              ...{ maxAgeSeconds, changedAt: clock.now(), changedBy: by },
            }),
          );
        } catch (error) {
          // Its event is on disk already: who reads events must not believe the change.
          await asProblems(() => parts.tell({ hook: old, change: 'not_made', fields, by }));
          throw error;
        }
      }),
    remove(id) {
      const old = records.find((each) => each.id === id);
      if (old === undefined) return null;
      save(records.filter((each) => each !== old));
      return viewOf(old);
    },
  };
}

function copyOf(template: Hook['template']): HookRecord['template'] {
  const words = Object.entries(template.words).map(([field, each]) => [field, { ...each }]);
  return {
    ...{ ...template, forEach: [...template.forEach], order: { ...template.order } },
    words: Object.fromEntries(words),
  };
}

function viewOf({ sha256: _hash, ...hook }: HookRecord): HookView {
  return hook;
}
