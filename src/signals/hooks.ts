import type { KeyRecord } from '../callers/caller.ts';
import { confinementOf } from '../callers/confinement.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import { GatewayProblem, type ProblemError } from '../domain/problem.ts';
import type { Hook } from '../domain/signal-template.ts';
import { addressList } from '../platform/http-address-list.ts';
import type { Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import { sameText, Secret, sha256 } from '../platform/secret.ts';
import type { HookRegistry, HookRequest, HookView, NewHook } from '../routes/hooks.ts';
import { type HookRecord, readHooks, writeHooks } from './hook-file.ts';
import { mistakesOf } from './template.ts';

export interface HooksParts {
  readonly files: Files;
  readonly ids: Ids;
  readonly clock: Clock;
  /** `data/hooks.json`. */
  readonly path: string;
  /** Every key, revoked ones too. */
  readonly keys: () => readonly KeyRecord[];
  readonly brokers: readonly { readonly name: BrokerId; readonly mode: Mode }[];
}

export interface Hooks extends HookRegistry {
  /** The hook that a secret opens; null where there is none. */
  find(secret: string): Hook | null;
}

export const MOST_HOOKS = 50;
const SECRET_BYTES = 32;

/** Throws FileError. */
export function createHooks(parts: HooksParts): Hooks {
  const { files, ids, clock, path } = parts;
  let records = readHooks(files, path);

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
      checkHook(request, records, parts);
      const secret = newSecret();
      const { name, key, mode, template, addresses, maxAgeSeconds } = request;
      const record: HookRecord = {
        ...{ id: `hook_${ids.uuid7(clock.now())}`, name, key, mode },
        template: {
          ...template,
          forEach: [...template.forEach],
          order: { ...template.order },
          words: wordsOf(template.words),
        },
        ...{ addresses: addresses && [...addresses], maxAgeSeconds },
        ...{ sha256: sha256(secret.reveal()), createdAt: clock.now(), createdBy: by },
        ...{ rotatedAt: null, rotatedBy: null },
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
    remove(id) {
      const old = records.find((each) => each.id === id);
      if (old === undefined) return null;
      save(records.filter((each) => each !== old));
      return viewOf(old);
    },
  };
}

type Words = HookRecord['template']['words'];

const wordsOf = (words: Hook['template']['words']): Words =>
  Object.fromEntries(Object.entries(words).map(([field, each]) => [field, { ...each }]));

function viewOf({ sha256: _hash, ...hook }: HookRecord): HookView {
  return hook;
}

/** Throws `invalid_request` with every mistake of a new hook. */
function checkHook(
  request: HookRequest,
  known: readonly HookRecord[],
  { keys, brokers }: HooksParts,
): void {
  const { name, key: keyId, template, addresses, maxAgeSeconds } = request;
  const mistakes: ProblemError[] = mistakesOf(template).map(({ path, message }) => ({
    ...{ path: `body.template.${path}`, message },
  }));
  const wrong = (field: string, message: string): void =>
    void mistakes.push({ path: `body.${field}`, message });
  if (known.length >= MOST_HOOKS)
    wrong('name', `there are ${MOST_HOOKS} hooks: delete one of them`);
  if (known.some((each) => each.name === name)) wrong('name', 'is that of another hook');
  if (maxAgeSeconds !== null && template.time === null) {
    wrong('template.time', 'is required with maxAgeSeconds: the field with the time of the alert');
  }
  if (addresses !== null && addressList(addresses) === null) {
    wrong('addresses', 'takes IP addresses and networks, such as 52.89.214.238 and 10.0.0.0/8');
  }
  const key = keys().find((each) => each.id === keyId && each.revokedAt === null);
  if (key === undefined) wrong('key', 'is the id of no key: GET /api/v1/keys lists them');
  else {
    try {
      callerOfHook(request, key, brokers);
    } catch (error) {
      if (!(error instanceof GatewayProblem)) throw error;
      wrong('mode', error.message);
    }
  }
  if (mistakes.length === 0) return;
  const detail = mistakes.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new GatewayProblem({ code: 'invalid_request', detail, errors: mistakes });
}

/**
 * The key as a hook may use it: for paper alone, unless both say `live` (docs/decisions/0055-signals.md). Throws
 * `forbidden` where they do not fit.
 */
export function callerOfHook(
  { mode }: Pick<Hook, 'mode'>,
  { id, name, scope, broker, ...key }: KeyRecord,
  brokers: HooksParts['brokers'],
) {
  const refused = (message: string): GatewayProblem =>
    new GatewayProblem({ code: 'forbidden', detail: message, mayHaveExecuted: false });
  if (scope !== 'trade') {
    throw refused(`the key ${name} has scope ${scope}, and a hook needs one of scope trade`);
  }
  if (mode === 'live' && key.mode !== 'live') {
    throw refused(`live needs a key of mode live, and the key ${name} is not one`);
  }
  if (mode === 'paper' && key.mode === 'live') {
    throw refused(`paper needs a key that is not of mode live, and the key ${name} is`);
  }
  if (mode === 'live') return { ...{ id, name, scope, broker }, mode };
  const confined = confinementOf(brokers, scope, { broker, mode }, (field, message) =>
    refused(`the key ${name} cannot be used for paper: ${field} ${message}`),
  );
  return { ...{ id, name, scope }, ...confined };
}
