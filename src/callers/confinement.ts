import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Scope } from './caller.ts';

/** What a key is confined to; null for nothing. */
export interface Confinement {
  readonly broker: BrokerId | null;
  readonly mode: Mode | null;
}

/** Makes the error of a wrong field; `code` where the mistake has one of its own. */
export type Refused = (
  field: 'scope' | 'broker' | 'mode',
  message: string,
  code?: 'wrong_mode',
) => Error;

/**
 * The confinement that is asked for, completed: a key for paper alone is confined to the paper account, so
 * that no other rule is needed for it (docs/keys.md). Throws what `refused` makes of a wrong field.
 */
export function confinementOf(
  brokers: readonly { readonly name: BrokerId; readonly mode: Mode }[],
  scope: Scope,
  { broker, mode }: Confinement,
  refused: Refused,
): Confinement {
  if (scope === 'admin' && (broker !== null || mode !== null)) {
    throw refused('scope', 'is admin, and an admin key can be confined to nothing');
  }
  const found = brokers.find(({ name }) => name === broker);
  if (found !== undefined && mode !== null && found.mode !== mode) {
    const message = `is ${mode}, and the broker ${found.name} is ${found.mode}`;
    throw refused('mode', message, 'wrong_mode');
  }
  if (mode !== 'paper' || broker !== null) return { broker, mode };
  const [paper, ...others] = brokers.filter((each) => each.mode === 'paper');
  if (paper === undefined) throw refused('mode', 'is paper, and there is no paper account');
  if (others.length > 0) {
    throw refused('broker', 'is required with mode paper, since there are several paper accounts');
  }
  return { broker: paper.name, mode };
}
