/** What a key may do; each scope holds those before it. */
export const SCOPES = ['read', 'trade', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function allows(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** Who calls. The identity is the key record's, so it outlives a rotated secret. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
}
