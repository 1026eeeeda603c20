import type { KeyRecord } from '../callers/caller.ts';
import { confinementOf } from '../callers/confinement.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import { GatewayProblem, type ProblemError } from '../domain/problem.ts';
import type { Hook } from '../domain/signal-template.ts';
import { addressList } from '../platform/http-address-list.ts';
import { mistakesOf } from './template.ts';

export const MOST_HOOKS = 50;

export interface CheckHookParts {
  /** Every key, revoked ones too. */
  readonly keys: () => readonly KeyRecord[];
  readonly brokers: readonly { readonly name: BrokerId; readonly mode: Mode }[];
}

type Asked = Omit<Hook, 'id'>;
type Wrong = (field: string, message: string) => void;

/** Throws `invalid_request` with every mistake of a new hook. */
export function checkNewHook(
  hook: Asked,
  others: readonly Pick<Hook, 'name'>[],
  parts: CheckHookParts,
): void {
  refuseMistakes((wrong) => {
    checkFields(hook, others, wrong);
    if (others.length >= MOST_HOOKS)
      wrong('name', `there are ${MOST_HOOKS} hooks: delete one of them`);
    const key = parts.keys().find((each) => each.id === hook.key && each.revokedAt === null);
    if (key === undefined) wrong('key', 'is the id of no key: GET /api/v1/keys lists them');
    else {
      try {
        callerOfHook(hook, key, parts.brokers);
      } catch (error) {
        if (!(error instanceof GatewayProblem)) throw error;
        wrong('mode', error.message);
      }
    }
  });
}

/** What a template makes the id of an alert from. */
const TELL_APART = ['id', 'text', 'forEach'] as const;

/** Throws `invalid_request` with every mistake of a changed hook. */
export function checkChangedHook(before: Hook, after: Hook, all: readonly Hook[]): void {
  refuseMistakes((wrong) => {
    const others = all.filter(({ id }) => id !== before.id);
    checkFields(after, others, wrong);
    for (const field of TELL_APART) {
      const [old, now] = [before.template[field], after.template[field]];
      if (JSON.stringify(old) === JSON.stringify(now)) continue;
      wrong(
        `template.${field}`,
        'cannot be changed, because a repeat of an earlier alert would no longer be recognised: add another hook',
      );
    }
  });
}

function checkFields(
  { name, template, addresses, maxAgeSeconds }: Asked,
  others: readonly Pick<Hook, 'name'>[],
  wrong: Wrong,
): void {
  for (const { path, message } of mistakesOf(template)) wrong(`template.${path}`, message);
  if (others.some((each) => each.name === name)) wrong('name', 'is that of another hook');
  if (maxAgeSeconds !== null && template.time === null) {
    wrong('template.time', 'is required with maxAgeSeconds: the field with the time of the alert');
  }
  if (addresses !== null && addressList(addresses) === null) {
    wrong('addresses', 'takes IP addresses and networks, such as 52.89.214.238 and 10.0.0.0/8');
  }
}

function refuseMistakes(find: (wrong: Wrong) => void): void {
  const mistakes: ProblemError[] = [];
  find((field, message) => {
    mistakes.push({ path: `body.${field}`, message });
  });
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
  brokers: CheckHookParts['brokers'],
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
