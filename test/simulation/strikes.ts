import { statusOf } from '../../src/execution/order/order.ts';
import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { Composed } from '../../src/compose.ts';

/** What struck, and what the journal held at that moment. */
export interface Strikes {
  /** Fault and journal state, `hang_after × uncertain`, and how often they met. */
  readonly pairs: Map<string, number>;
  /** How often each fault and mishap struck. */
  readonly strikes: Map<string, number>;
  /** Notes the sandbox's faults that have struck since the last call, on any way. */
  noteFaults(): void;
  /** Notes one strike of a fault or a mishap. */
  note(fault: string): void;
}

export function createStrikes(sandbox: Sandbox, gateway: () => Composed | null): Strikes {
  const pairs = new Map<string, number>();
  const strikes = new Map<string, number>();
  const struck = new Map<string, number>();
  let noted = 0;

  function note(fault: string): void {
    strikes.set(fault, (strikes.get(fault) ?? 0) + 1);
    const composed = gateway();
    if (!composed) return;
    const states = new Set([...composed.execution.state.orders.values()].map(statusOf));
    for (const state of states) {
      const pair = `${fault} × ${state}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
  }

  return {
    pairs,
    strikes,
    note,
    noteFaults() {
      if (sandbox.faults.strikes() === noted) return;
      noted = sandbox.faults.strikes();
      for (const [fault, hits] of Object.entries(sandbox.faults.hits())) {
        const known = struck.get(fault) ?? 0;
        for (let each = known; each < hits; each += 1) note(fault);
        struck.set(fault, hits);
      }
    },
  };
}
