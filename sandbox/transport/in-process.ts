import type { SandboxClock } from '../kernel/ports.ts';
import type { Sandbox } from '../kernel/sandbox.ts';
import type { WireReaction, WireRequest } from '../kernel/wire.ts';

export interface InProcessTransport {
  /** Resolves when the first byte would arrive; a hang never resolves. */
  send(request: WireRequest): Promise<WireReaction>;
}

/** The sandbox without sockets; latency runs on the given clock. */
export function inProcessTransport(sandbox: Sandbox, clock: SandboxClock): InProcessTransport {
  return {
    send: (request) =>
      new Promise((resolve) => {
        const reaction = sandbox.handle(request);
        if (reaction.kind === 'hang') return;
        const delayMs = 'delayMs' in reaction ? reaction.delayMs : 0;
        if (delayMs === 0) resolve(reaction);
        else clock.after(delayMs, () => resolve(reaction));
      }),
  };
}
