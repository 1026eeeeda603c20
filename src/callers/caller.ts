/** What a key may do; each scope includes those before it. */
export const SCOPES = ['read', 'trade', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function allows(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** Who calls. The id is that of the key record, so it stays when the key is rotated. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
}
