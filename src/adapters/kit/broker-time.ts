import type { BrokerTime } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import { epochMs } from '../../units/branded.ts';

/** The transport, and the time that the last reply over it has told. */
export interface TimedTransport {
  readonly transport: HttpTransport;
  /** Null until a reply has told a time. */
  readonly brokerTime: () => BrokerTime | null;
}

/**
 * Keeps the time of day that a broker's replies tell in their Date header, to the second. Every whole
 * reply counts, refusals included: whoever answers has a clock.
 */
export function keepBrokerTime(transport: HttpTransport, clock: Clock): TimedTransport {
  let last: BrokerTime | null = null;
  return {
    brokerTime: () => last,
    transport: {
      connectAhead: (target) => transport.connectAhead(target),
      close: () => transport.close(),
      async send(request) {
        const reply = await transport.send(request);
        const at = reply.kind === 'answered' ? Date.parse(reply.headers['date'] ?? '') : NaN;
        if (!Number.isNaN(at)) {
          last = { at: epochMs(at), localAt: clock.now(), receivedAt: clock.elapsed() };
        }
        return reply;
      },
    },
  };
}
