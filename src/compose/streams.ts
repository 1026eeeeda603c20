import { createEventReaders, type EventReaders } from '../routes/event-readers.ts';
import { createPriceReaders, type PriceReaders } from '../routes/price-readers.ts';
import { createStreamTickets, type StreamTickets } from '../routes/stream-tickets.ts';
import type { GatewayModules } from './gateway.ts';
import type { Ports } from './ports.ts';

/** Who reads from the gateway for long: events, and prices. */
export interface Streams {
  readonly events: EventReaders;
  readonly priceReaders: PriceReaders;
  readonly tickets: StreamTickets;
  /** Lets every reader look whether its key is still valid. */
  recheck(): void;
  /** Ends every stream, now and from now on: readers that wait would hold a close up. */
  stop(): void;
}

export function composeStreams(ports: Ports, { feed, prices }: GatewayModules): Streams {
  const events = createEventReaders({ ...ports, feed });
  const priceReaders = createPriceReaders({ ...ports, prices });
  return {
    ...{ events, priceReaders, tickets: createStreamTickets(ports) },
    recheck() {
      events.wakeAll();
      priceReaders.recheck();
    },
    stop() {
      events.stop();
      priceReaders.stop();
    },
  };
}
