import type { AsyncLocalStorage } from 'node:async_hooks';
import type { BrokerOrder } from '../../sandbox/kernel/inspector.ts';
import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import type { Asking } from './asked.ts';
import type { BasketOrders } from './basket-orders.ts';
import type { ExitLegs } from './exit-legs.ts';
import type { ResumedOrders } from './resumed-orders.ts';
import type { Timeline } from './timeline.ts';
import { type TakenTrigger, triggerCallOf } from './trigger-traffic.ts';
import { KITE_ORIGIN } from './world-settings.ts';

export type LiveBroker = 'alt' | 'primary';

/** An order that a broker has taken from the gateway. */
export interface Taken {
  readonly broker: LiveBroker;
  readonly brokerOrderId: string;
  /** The id that an after-market order had the evening before; absent where it kept its id. */
  readonly formerId?: string;
  readonly wanted: string;
  /** The order as the broker took it. */
  readonly order: BrokerOrder;
}

/** What came back of a request, at its earliest. */
export interface SentAnswer {
  /** Epoch ms. */
  readonly at: number;
  readonly reaction: WireReaction;
  /** Whether it was answered in full, without a fault. */
  readonly honest: boolean;
}

/** A request that left this machine. */
export interface Sent {
  readonly at: number;
  readonly broker: LiveBroker;
  readonly request: HttpRequest;
  readonly placing: boolean;
  readonly wanted: string | null;
  readonly life: number;
  /** How long ago the gateway read the request that it is of, ms by its own clocks; null where it is of none. */
  readonly age: number | null;
  /** The call of a program that it leaves for; null where it leaves for none. */
  readonly asking: Asking | null;
  /** The request of a caller by which it places an order of a basket; absent where it places none. */
  readonly inBasket?: string;
  /** Null while the broker has not handled it. */
  answer: SentAnswer | null;
  /** Whether it was of the session of Kite's second user. */
  ofOtherUser: boolean;
  /** Whether the broker has changed or ended an order, or a trigger, for it. */
  hasChanged: boolean;
  /** Of a cancel or a modification: the order as it was when the broker received the request. */
  before: BrokerOrder | null;
}

/** A request that never left, because no connection opened for it. `at` in epoch ms. */
export interface Unconnected {
  readonly at: number;
  readonly broker: LiveBroker;
  readonly request: HttpRequest;
}

/** One read of a broker's order book. `at` in epoch ms. */
export interface BookRead {
  readonly at: number;
  readonly broker: LiveBroker;
  readonly honest: boolean;
  /** No book came of it. */
  readonly failed: boolean;
}

export interface TrafficParts {
  readonly time: VirtualTime;
  readonly timeline: Timeline;
  readonly sandbox: Sandbox;
  readonly onBehalf: AsyncLocalStorage<string>;
  readonly asking: AsyncLocalStorage<Asking>;
  /** How long ago the request was read that something is done for, ms; null where it is done for none. */
  readonly age: () => number | null;
  readonly legs: ExitLegs;
  readonly baskets: BasketOrders;
  readonly resumed: ResumedOrders;
  /** The number of the present life. */
  readonly life: () => number;
  /** Called after each request that a broker has handled. */
  readonly handled: () => void;
  readonly onTaken: (taken: Taken, order: BrokerOrder) => void;
}

/** What goes from the gateway to the brokers, and on whose behalf. */
export interface Traffic {
  readonly taken: Taken[];
  readonly takenTriggers: TakenTrigger[];
  readonly sent: Sent[];
  readonly unconnected: Unconnected[];
  /** Every read of an order book; `honest` where it was answered in full, without a fault. */
  readonly reads: BookRead[];
  /** A request has left; what is returned hands it to its broker. */
  left(request: HttpRequest): () => WireReaction;
  /** No connection opened for a request. */
  didNotConnect(request: HttpRequest): void;
}

const PLACING = /^\/(orders\/[a-z]+|order|smart\/order)$/;
const BOOKS = /^\/(orders|order-book)$/;
const TRADES = /^\/(trades|trade-book)$/;

/** The path of an absolute URL, without the query. */
const pathOf = (url: string): string => /^\w+:\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? '';

/** The broker's id of the order that a request changes or cancels; null for any other request. */
export function changedOrderId({ method, url, body }: HttpRequest): string | null {
  if (method === 'GET') return null;
  const path = pathOf(url);
  const kite = /^\/orders\/[a-z]+\/(\d+)$/.exec(path)?.[1];
  if (kite !== undefined) return method === 'PUT' || method === 'DELETE' ? kite : null;
  if (!/^\/(smart\/)?order\/(cancel|modify)$/.test(path)) return null;
  return /"order_id":"([^"]+)"/.exec(body ?? '')?.[1] ?? null;
}

/** Whether a request reads the order book, or a list of the trades; null for any other request. */
export function readOf({ method, url }: HttpRequest): 'book' | 'trades' | null {
  const path = pathOf(url);
  if (method !== 'GET') return null;
  if (BOOKS.test(path)) return 'book';
  return TRADES.test(path) ? 'trades' : null;
}

/** Whether a request asks to end an order. */
export const isCancel = ({ method, url }: HttpRequest): boolean =>
  method === 'DELETE' || pathOf(url).endsWith('/cancel');

const brokerOf = ({ url }: HttpRequest): LiveBroker =>
  url.startsWith(KITE_ORIGIN) ? 'alt' : 'primary';

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function isOfOtherUser({ otherUser }: Sandbox, { headers }: HttpRequest): boolean {
  const token = otherUser?.liveToken() ?? null;
  return token !== null && headers.Authorization?.endsWith(`:${token}`) === true;
}

/** On whose behalf a request leaves: of one that places a leg of an exit, or an order of a basket, that order. */
function whose(
  { onBehalf, legs, baskets, resumed }: TrafficParts,
  broker: LiveBroker,
  placing: HttpRequest | null,
  sent: readonly Sent[],
): Pick<Sent, 'wanted' | 'inBasket'> & { readonly isLeg: boolean } {
  const wanted = onBehalf.getStore() ?? null;
  const leg = placing && legs.leaves(broker, placing, wanted);
  if (leg !== null) return { wanted: leg, isLeg: true };
  if (wanted === null) return { wanted: placing && resumed.leaves(broker, placing), isLeg: false };
  const ordered = placing && baskets.leaves(broker, placing, wanted, sent);
  return ordered === null
    ? { wanted, isLeg: false }
    : { wanted: ordered, isLeg: false, inBasket: wanted };
}

/** Notes each trigger that the alternative broker takes; `handing` tells for whom a request is handed in. */
function listenToTriggers(
  { sandbox, time, timeline }: TrafficParts,
  handing: () => string | null,
): TakenTrigger[] {
  const taken: TakenTrigger[] = [];
  sandbox.kite.onTrigger((trigger) => {
    if (trigger.placedBy === 'hand') return;
    const wanted = handing() ?? '?';
    taken.push({ wanted, triggerId: trigger.id, at: time.now(), trigger });
    timeline.note('broker', `alt takes trigger ${trigger.id} for ${wanted}`);
  });
  return taken;
}

/** Hands a request to its broker. */
function handIn(sandbox: Sandbox, request: HttpRequest) {
  const before = written(sandbox, request);
  const reaction = sandbox.handle({
    method: request.method,
    url: request.url,
    headers: lowerCase(request.headers),
    body: request.body ?? '',
  });
  return { reaction, hasChanged: before !== written(sandbox, request) };
}

/** What a request is to change, as its broker has it, in words; null where it changes nothing that there is. */
function written(sandbox: Sandbox, request: HttpRequest): string | null {
  const { kite, primary } = sandbox;
  const id = changedOrderId(request);
  const inspector = brokerOf(request) === 'alt' ? kite : primary;
  if (id !== null) return JSON.stringify(inspector.order(id) ?? null);
  const call = brokerOf(request) === 'alt' ? triggerCallOf(request) : null;
  if (call?.kind !== 'modify' && call?.kind !== 'delete') return null;
  return JSON.stringify(kite.trigger(call.triggerId) ?? null);
}

export function createTraffic(parts: TrafficParts): Traffic {
  const { time, timeline, sandbox } = parts;
  const taken: Taken[] = [];
  const sent: Sent[] = [];
  const unconnected: Unconnected[] = [];
  const reads: BookRead[] = [];
  let faultsMet = 0;
  /** Whose order is being handed in, while a broker handles the request; and by tag, for later. */
  let handing: string | null = null;
  const wantedByTag = new Map<string, string>();
  const takenTriggers = listenToTriggers(parts, () => handing);
  for (const broker of ['alt', 'primary'] as const) listen(broker);

  function listen(broker: LiveBroker): void {
    const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
    inspector.onOrder((order) => {
      if (order.placedBy === 'hand') return;
      const tag = order.tag ?? order.remarks;
      const wanted = handing ?? wantedByTag.get(tag ?? '') ?? '?';
      const each = { broker, brokerOrderId: order.orderId, wanted, order };
      taken.push(each);
      timeline.note('broker', `${broker} takes ${order.orderId} for ${wanted}`);
      parts.onTaken(each, order);
    });
  }

  function left(request: HttpRequest): () => WireReaction {
    const broker = brokerOf(request);
    const path = pathOf(request.url);
    const placing = request.method === 'POST' && PLACING.test(path);
    const { isLeg, ...of } = whose(parts, broker, placing ? request : null, sent);
    const { wanted } = of;
    const each: Sent = {
      ...{ at: time.now(), broker, request, placing, ...of, life: parts.life() },
      // A leg is asked for by its exit, when that has come to it.
      age: isLeg ? null : parts.age(),
      ...{ answer: null, before: null, ofOtherUser: isOfOtherUser(sandbox, request) },
      ...{ asking: parts.asking.getStore() ?? null, hasChanged: false },
    };
    sent.push(each);
    const tag = /(?:tag=|"remarks":")([A-Za-z0-9]{20})/.exec(request.body ?? '')?.[1];
    if (placing && wanted !== null && tag) wantedByTag.set(tag, wanted);
    if (request.method !== 'GET') {
      timeline.note('gateway', `sends ${request.method} ${broker} ${path} for ${wanted ?? '-'}`);
    }
    return () => {
      const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
      each.before = inspector.order(changedOrderId(request) ?? '') ?? null;
      handing = wanted;
      const { reaction, hasChanged } = handIn(sandbox, request);
      each.hasChanged = hasChanged;
      handing = null;
      const delayMs = 'delayMs' in reaction ? reaction.delayMs : 1;
      const honest = isHonest(reaction);
      each.answer = { at: time.now() + delayMs, reaction, honest };
      if (readOf(request) === 'book') {
        const failed = reaction.kind !== 'answer' || reaction.status !== 200;
        reads.push({ at: time.now(), broker, honest, failed });
      }
      noteReaction(broker, request.method, path, reaction);
      return reaction;
    };
  }

  function didNotConnect(request: HttpRequest): void {
    unconnected.push({ at: time.now(), broker: brokerOf(request), request });
    const { method, url } = request;
    if (method !== 'GET') timeline.note('gateway', `cannot connect for ${method} ${pathOf(url)}`);
  }

  /** Of the request that has just been handled. */
  function isHonest(reaction: WireReaction): boolean {
    const met = sandbox.faults.strikes();
    const honest = met === faultsMet && reaction.kind === 'answer' && reaction.status === 200;
    faultsMet = met;
    return honest;
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

  return { taken, takenTriggers, sent, unconnected, reads, left, didNotConnect };
}
