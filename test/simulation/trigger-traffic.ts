import type { SandboxTrigger } from '../../sandbox/kite/gtt-inspector.ts';
import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { Dice } from './dice.ts';

/** A trigger that the alternative broker has taken from the gateway. */
export interface TakenTrigger {
  /** Whose it is, as `caller/key`. */
  readonly wanted: string;
  readonly triggerId: string;
  /** Epoch ms. */
  readonly at: number;
  /** As the broker took it. */
  readonly trigger: SandboxTrigger;
}

/** How the name of a caller's request for the list ends. */
export const LIST_ASKED = '#list';

export type TriggerCall =
  | { readonly kind: 'list' | 'place' }
  | { readonly kind: 'modify' | 'delete'; readonly triggerId: string };

/** The call about triggers that a request to the alternative broker makes; null for any other. */
export function triggerCallOf({ method, url }: HttpRequest): TriggerCall | null {
  const found = /\/gtt\/triggers(?:\/(\w+))?$/.exec(url);
  if (found === null) return null;
  const [, triggerId] = found;
  if (triggerId === undefined) return { kind: method === 'GET' ? 'list' : 'place' };
  return { kind: method === 'DELETE' ? 'delete' : 'modify', triggerId };
}

/** What hands a request about a trigger to its broker: some are reached just before it arrives. */
export function reachedBefore(
  arrive: () => WireReaction,
  request: HttpRequest,
  {
    sandbox,
    dice,
    share,
  }: { readonly sandbox: Sandbox; readonly dice: Dice; readonly share: number },
): () => WireReaction {
  const call = triggerCallOf(request);
  if (call?.kind !== 'modify' && call?.kind !== 'delete') return arrive;
  if (!dice.chance(share)) return arrive;
  return () => {
    sandbox.kite.fireTrigger(call.triggerId, 0);
    return arrive();
  };
}
