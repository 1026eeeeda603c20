import { join } from 'node:path';
import { z } from 'zod';
import { type BrokerId, type Mode, MODES } from '../domain/broker.ts';
import type { Clock } from '../platform/clock.ts';
import { type DataLock, DataLockError } from '../platform/data-lock.ts';
import type { Files } from '../platform/files.ts';
import type { HttpTransport } from '../platform/http.ts';
import type { Ids } from '../platform/ids.ts';
import { silentLog } from '../platform/log.ts';
import type { Secret } from '../platform/secret.ts';
import { type KeyLimits, type Scope, SCOPES } from './caller.ts';
import { type Callers, createCallers } from './callers.ts';
import { confinementOf } from './confinement.ts';
import { CallerError } from './key-records.ts';
import { limitsOfWords, type LimitWords } from './keys-command-limits.ts';
import { type Made, printedKeys, shownKey } from './keys-command-print.ts';
import { isReadAlone } from './keys-command-reads.ts';

/** What `keys` of the command line asks for; the words are still to be checked. */
export type KeysCommand = KeysWords & {
  /** Prints JSON, for programs. */
  readonly json?: true;
};

type KeysWords =
  | { readonly kind: 'keys'; readonly action: 'list' }
  | { readonly kind: 'keys'; readonly action: 'rotate' | 'revoke' | 'release'; readonly id: string }
  | {
      readonly kind: 'keys';
      readonly action: 'stop';
      readonly id: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'keys';
      readonly action: 'limits';
      readonly id: string;
      readonly limits: LimitWords;
    }
  | {
      readonly kind: 'keys';
      readonly action: 'add';
      readonly name: string;
      readonly scope: string;
      readonly broker: string | null;
      readonly mode: string | null;
    };

export interface KeysCommandParts {
  readonly files: Files;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly lockData: DataLock;
  readonly transport: Pick<HttpTransport, 'send'>;
  readonly dataDirectory: string;
  /** Where a gateway that runs listens, such as http://127.0.0.1:8420. */
  readonly address: string;
  /** APP_API_KEY. */
  readonly adminKey: Secret | null;
  readonly brokers: readonly { readonly name: BrokerId; readonly mode: Mode }[];
}

/** A command that was not carried out, in words for people. */
export class KeysCommandError extends Error {
  override readonly name = 'KeysCommandError';
}

const DEADLINE_MS = 10_000;

/**
 * Lists and changes keys (docs/keys.md, "From the command line"), and returns what to print. A gateway that
 * runs holds the data directory: then it does the work itself, over HTTP, so that a change holds at once.
 * Otherwise this process takes the lock, and no gateway can start meanwhile.
 */
export async function runKeysCommand(
  command: KeysCommand,
  parts: KeysCommandParts,
): Promise<string> {
  const { files, dataDirectory } = parts;
  if (isReadAlone(command, parts))
    return printedKeys(command, changeFile(command, parts), dataDirectory);
  files.makePrivateDirectory(dataDirectory);
  files.checkDirectory(dataDirectory);
  const lock = lockOf(parts);
  if (lock === null) return printedKeys(command, await askGateway(command, parts), dataDirectory);
  try {
    return printedKeys(command, changeFile(command, parts), dataDirectory);
  } finally {
    lock.release();
  }
}

/** Null where another process holds it. */
function lockOf({ lockData, dataDirectory }: KeysCommandParts): { release(): void } | null {
  try {
    return lockData(dataDirectory);
  } catch (error) {
    if (error instanceof DataLockError && error.isHeld) return null;
    throw error;
  }
}

function changeFile(command: KeysCommand, parts: KeysCommandParts): readonly Made[] {
  const { dataDirectory } = parts;
  const adminKeyPath = join(dataDirectory, 'admin-key');
  const path = join(dataDirectory, 'callers.json');
  // The admin key is made by the first start alone: this command may not know that the settings of the gateway have one.
  const made = { ...parts, log: silentLog, path, adminKeyPath, makesAdminKey: false };
  try {
    return doneWith(createCallers(made), command, parts);
  } catch (error) {
    if (error instanceof CallerError) throw new KeysCommandError(error.message, { cause: error });
    throw error;
  }
}

function doneWith(
  callers: Callers,
  command: KeysCommand,
  parts: KeysCommandParts,
): readonly Made[] {
  switch (command.action) {
    case 'list':
      return callers.list().map(shownKey);
    case 'add': {
      const { caller, key } = callers.add(requestOf(command, parts));
      return [{ ...shownKey(caller), key: key.reveal() }];
    }
    case 'rotate': {
      const { caller, key } = callers.rotate(command.id);
      return [{ ...shownKey(caller), key: key.reveal() }];
    }
    case 'revoke':
      return [shownKey(callers.revoke(command.id))];
    case 'release':
      return [shownKey(callers.setStop(command.id, null).key)];
    case 'limits':
      return [shownKey(callers.change(command.id, { limits: limitsIn(command) }))];
    case 'stop': {
      const { key, onDisk } = callers.setStop(command.id, {
        reason: reasonIn(command),
        by: 'command line',
      });
      if (onDisk) return [shownKey(key)];
      throw new KeysCommandError(`key ${key.id} is not stopped: its file could not be written`);
    }
  }
}

const refusedWord = (option: string, takes: string): Error =>
  new KeysCommandError(`${option}: ${takes}`);

const limitsIn = ({ limits }: Extract<KeysCommand, { action: 'limits' }>): KeyLimits =>
  limitsOfWords(limits, refusedWord);

/** As the route takes it. */
function reasonIn({ reason }: Extract<KeysCommand, { action: 'stop' }>): string {
  if (/^[^\x00-\x1f\x7f-\x9f]{1,200}$/.test(reason)) return reason;
  throw refusedWord('--reason', 'takes 1 to 200 printable characters');
}

function requestOf(
  { name, scope, broker, mode }: Extract<KeysCommand, { action: 'add' }>,
  { brokers }: KeysCommandParts,
): { name: string; scope: Scope; broker: BrokerId | null; mode: Mode | null } {
  const known = oneOf('--scope', scope, SCOPES);
  const asked = {
    broker:
      broker === null
        ? null
        : oneOf(
            '--broker',
            broker,
            brokers.map((each) => each.name),
          ),
    mode: mode === null ? null : oneOf('--mode', mode, MODES),
  };
  const refused = (field: string, message: string): Error =>
    new KeysCommandError(`--${field} ${message}`);
  return { name, scope: known, ...confinementOf(brokers, known, asked, refused) };
}

function oneOf<T extends string>(option: string, word: string, words: readonly T[]): T {
  const found = words.find((each) => each === word);
  if (found !== undefined) return found;
  throw new KeysCommandError(`${option} ${word}: takes one of ${words.join(', ')}`);
}

const byInstrument = z.object({
  every: z.number().nullable(),
  named: z.record(z.string(), z.number()),
});
/** What the gateway answers of a key; other fields are not needed. */
const answeredKey = z.object({
  ...{ id: z.string(), name: z.string(), scope: z.enum(SCOPES), broker: z.string().nullable() },
  ...{ mode: z.enum(MODES).nullable(), createdAt: z.string(), revokedAt: z.string().nullable() },
  limits: z.object({
    ...{ maxOrderValue: z.number().nullable(), maxOrdersPerMinute: z.number().nullable() },
    ...{ maxOrderQuantity: byInstrument, maxOpenOrders: byInstrument },
    maxDailyLoss: z.number().nullable(),
  }),
  stopped: z.object({ reason: z.string() }).nullable(),
  key: z.string().exactOptional(),
});
const answer = z.object({ data: z.union([z.array(answeredKey), answeredKey]) });
const problem = z.object({ detail: z.string() });

/** The same by the routes of the gateway that runs. */
async function askGateway(command: KeysCommand, parts: KeysCommandParts): Promise<readonly Made[]> {
  const { address, transport } = parts;
  const { method, path, body } = requestTo(command, parts);
  const reply = await transport.send({
    ...{ method, url: `${address}/api/v1/keys${path}`, deadlineMs: DEADLINE_MS, fresh: true },
    headers: {
      authorization: `Bearer ${adminKeyOf(parts)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.kind === 'not_sent') {
    throw new KeysCommandError(
      `another process holds ${parts.dataDirectory}, and no gateway answers at ${address} ` +
        `(${reply.message}): set APP_HOST and APP_PORT as it has them, or try again in a moment`,
    );
  }
  if (reply.kind === 'broken') {
    throw new KeysCommandError(
      `the gateway at ${address} gave no whole answer (${reply.message}), so it is not known whether it ` +
        'was done: look with keys list',
    );
  }
  const json = parsed(reply.body);
  if (reply.status === 401) throw new KeysCommandError(`${WRONG_KEY} ${address}: ${SET_KEY}`);
  if (reply.status >= 400) {
    const told = problem.safeParse(json).data?.detail ?? `HTTP ${reply.status}`;
    throw new KeysCommandError(`the gateway at ${address} refused: ${told}`);
  }
  const read = answer.safeParse(json).data;
  if (!read) throw new KeysCommandError(`what answers at ${address} is not this gateway`);
  return Array.isArray(read.data) ? read.data : [read.data];
}

const SET_KEY = 'run this with APP_API_KEY set to the admin key';
const WRONG_KEY = 'the admin key is not that of the gateway at';

function requestTo(
  command: KeysCommand,
  parts: KeysCommandParts,
): { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object } {
  switch (command.action) {
    case 'list':
      return { method: 'GET', path: '' };
    case 'add': {
      const { name, scope, broker, mode } = requestOf(command, parts);
      const confined = {
        ...(broker === null ? {} : { broker }),
        ...(mode === null ? {} : { mode }),
      };
      return { method: 'POST', path: '', body: { name, scope, ...confined } };
    }
    case 'rotate':
      return { method: 'POST', path: `/${encodeURIComponent(command.id)}/rotate` };
    case 'revoke':
      return { method: 'DELETE', path: `/${encodeURIComponent(command.id)}` };
    case 'stop':
    case 'release': {
      const engaged = command.action === 'stop';
      const reason = engaged ? reasonIn(command) : 'released on the command line';
      const path = `/${encodeURIComponent(command.id)}/kill-switch`;
      return { method: 'POST', path, body: { engaged, reason } };
    }
    case 'limits': {
      const path = `/${encodeURIComponent(command.id)}`;
      return { method: 'PATCH', path, body: { limits: limitsIn(command) } };
    }
  }
}

/** That of the settings, or the one that the gateway has written to its file. */
function adminKeyOf({ adminKey, files, dataDirectory }: KeysCommandParts): string {
  const path = join(dataDirectory, 'admin-key');
  const key = adminKey?.reveal() ?? files.readPrivate(path)?.trim();
  if (key) return key;
  throw new KeysCommandError(
    `the gateway runs, and its admin key is neither in APP_API_KEY nor in ${path}: ${SET_KEY}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
