import type { AsyncLocalStorage } from 'node:async_hooks';
import type { BrokerOrder } from '../../sandbox/kernel/inspector.ts';
import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import type { Timeline } from './timeline.ts';
import { KITE_ORIGIN } from './world-settings.ts';

export type LiveBroker = 'alt' | 'primary';

/** An order that a broker has taken from the gateway. */
export interface Taken {
  readonly broker: LiveBroker;
  readonly brokerOrderId: string;
  readonly wanted: string;
}

/** A request that left this machine. */
export interface Sent {
  readonly at: number;
  readonly broker: LiveBroker;
  readonly request: HttpRequest;
  readonly placing: boolean;
  readonly wanted: string | null;
  readonly life: number;
}

export interface TrafficParts {
  readonly time: VirtualTime;
  readonly timeline: Timeline;
  readonly sandbox: Sandbox;
  readonly onBehalf: AsyncLocalStorage<string>;
  /** The number of the present life. */
  readonly life: () => number;
  /** Called after each request that a broker has handled. */
  readonly handled: () => void;
  readonly onTaken: (taken: Taken, order: BrokerOrder) => void;
}

/** What goes from the gateway to the brokers, and on whose behalf. */
export interface Traffic {
  readonly taken: Taken[];
  readonly sent: Sent[];
  /** A request has left; what is returned hands it to its broker. */
  left(request: HttpRequest): () => WireReaction;
}

const PLACING = /^\/(orders\/[a-z]+|order|smart\/order)$/;

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export function createTraffic(parts: TrafficParts): Traffic {
  const { time, timeline, sandbox } = parts;
  const taken: Taken[] = [];
  const sent: Sent[] = [];
  /** Whose order is being handed in, while a broker handles the request; and by tag, for later. */
  let handing: string | null = null;
  const wantedByTag = new Map<string, string>();
  listen('alt');
  listen('primary');

  function listen(broker: LiveBroker): void {
    const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
    inspector.onOrder((order) => {
      if (order.placedBy === 'hand') return;
      const tag = order.tag ?? order.remarks;
      const wanted = handing ?? wantedByTag.get(tag ?? '') ?? '?';
      const each = { broker, brokerOrderId: order.orderId, wanted };
      taken.push(each);
      timeline.note('broker', `${broker} takes ${order.orderId} for ${wanted}`);
      parts.onTaken(each, order);
    });
  }

  function left(request: HttpRequest): () => WireReaction {
    const broker: LiveBroker = request.url.startsWith(KITE_ORIGIN) ? 'alt' : 'primary';
    const path = new URL(request.url).pathname;
    const placing = request.method === 'POST' && PLACING.test(path);
    const wanted = parts.onBehalf.getStore() ?? null;
    sent.push({ at: time.now(), broker, request, placing, wanted, life: parts.life() });
    const tag = /(?:tag=|"remarks":")([A-Za-z0-9]{20})/.exec(request.body ?? '')?.[1];
    if (placing && wanted !== null && tag) wantedByTag.set(tag, wanted);
    if (request.method !== 'GET') {
      timeline.note('gateway', `sends ${request.method} ${broker} ${path} for ${wanted ?? '-'}`);
    }
    return () => {
      handing = wanted;
      const reaction = sandbox.handle({
        method: request.method,
        url: request.url,
        headers: lowerCase(request.headers),
        body: request.body ?? '',
      });
      handing = null;
      noteReaction(broker, request.method, path, reaction);
      return reaction;
    };
  }

  function noteReaction(
    broker: LiveBroker,
    method: string,
    path: string,
    reaction: WireReaction,
  ): void {
    const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
    const fault =
      reaction.kind === 'refuse' ? 'refuse' : (inspector.requests().at(-1)?.fault ?? null);
    parts.handled();
    const status = 'status' in reaction ? ` ${reaction.status}` : '';
    if (method !== 'GET' || fault !== null) {
      const why = fault === null ? '' : ` (${fault})`;
      timeline.note('broker', `${broker} ${method} ${path}: ${reaction.kind}${status}${why}`);
    }
  }

  return { taken, sent, left };
}
