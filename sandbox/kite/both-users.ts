import type { Exchange } from '../exchange/exchange.ts';
import type { Broker } from '../kernel/broker.ts';
import type { FaultSource } from '../kernel/faults.ts';
import { forkRandom, type SandboxRandom } from '../kernel/ports.ts';
import { formOf } from '../kernel/routes.ts';
import type { SandboxSettings } from '../kernel/settings.ts';
import type { WireRequest } from '../kernel/wire.ts';
import { createKite, type KiteInspector } from './kite.ts';

/** The second user of one app: the same address and key, another account. */
export interface OtherUser {
  readonly broker: Broker;
  readonly inspector: KiteInspector;
  /** Whether a request is of this user's session, or begins one. */
  isMeant(request: WireRequest): boolean;
}

/** Order ids are Kite's, not a user's: those of the second user begin here. */
const FIRST_SEQUENCE = 500_000;

/** Null where the settings name no second user. */
export function createOtherUser(
  settings: SandboxSettings,
  exchange: Exchange,
  random: SandboxRandom,
  source: FaultSource,
): OtherUser | null {
  const { otherUserId } = settings.kite;
  if (otherUserId === undefined) return null;
  const own = { ...settings, kite: { ...settings.kite, userId: otherUserId } };
  const { broker, inspector } = createKite(own, exchange, forkRandom(random, 'other'), source, {
    firstSequence: FIRST_SEQUENCE,
  });
  const issued = new Set<string>();
  return {
    broker,
    inspector: {
      ...inspector,
      issueRequestToken() {
        const token = inspector.issueRequestToken();
        issued.add(token);
        return token;
      },
    },
    isMeant(request) {
      const token = inspector.liveToken();
      const isOwn = (text = ''): boolean => token !== null && text.endsWith(token);
      if (isOwn(request.headers['authorization'])) return true;
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== '/session/token') return false;
      if (isOwn(searchParams.get('access_token') ?? '')) return true;
      return issued.has(formOf(request).get('request_token') ?? '');
    },
  };
}

/** The books of two users as one; positions, holdings, funds and session are the first user's. */
export function bothUsers(first: KiteInspector, second: KiteInspector): KiteInspector {
  const ownerOf = (orderId: string): KiteInspector => (second.order(orderId) ? second : first);
  const holderOf = (id: string): KiteInspector => (second.trigger(id) ? second : first);
  return {
    ...first,
    triggers: () => [...first.triggers(), ...second.triggers()],
    trigger: (id) => first.trigger(id) ?? second.trigger(id),
    onTrigger(listener) {
      first.onTrigger(listener);
      second.onTrigger(listener);
    },
    deleteTriggerByHand: (id) => holderOf(id).deleteTriggerByHand(id),
    changeTriggerByHand: (id, change) => holderOf(id).changeTriggerByHand(id, change),
    fireTrigger: (id, place) => holderOf(id).fireTrigger(id, place),
    hideTrigger: (id, forMs) => holderOf(id).hideTrigger(id, forMs),
    orders: () => [...first.orders(), ...second.orders()],
    order: (orderId) => first.order(orderId) ?? second.order(orderId),
    fills: () => [...first.fills(), ...second.fills()],
    cancelByHand: (orderId) => ownerOf(orderId).cancelByHand(orderId),
    modifyByHand: (orderId, change) => ownerOf(orderId).modifyByHand(orderId, change),
    workAgain: (orderId) => ownerOf(orderId).workAgain(orderId),
    vanish: (orderId) => ownerOf(orderId).vanish(orderId),
    changeId: (orderId, ...rest) => ownerOf(orderId).changeId(orderId, ...rest),
    hide: (orderId, ...rest) => ownerOf(orderId).hide(orderId, ...rest),
    fillLate: (orderId, ...rest) => ownerOf(orderId).fillLate(orderId, ...rest),
    fillByHand: (orderId, ...rest) => ownerOf(orderId).fillByHand(orderId, ...rest),
    onOrder(listener) {
      const stops = [first.onOrder(listener), second.onOrder(listener)];
      return () => stops.forEach((stop) => stop());
    },
    requests: mergedByTime(first.requests, second.requests),
    limitBreaks: () => [...first.limitBreaks(), ...second.limitBreaks()],
    postbacks: () => [...first.postbacks(), ...second.postbacks()],
  };
}

/** Two lists that only grow at their ends, as one by time; what was merged before is not looked at again. */
function mergedByTime<Entry extends { readonly at: number }>(
  first: () => readonly Entry[],
  second: () => readonly Entry[],
): () => readonly Entry[] {
  const merged: Entry[] = [];
  let [ofFirst, ofSecond] = [0, 0];
  return () => {
    const [own, others] = [first(), second()];
    while (ofFirst < own.length || ofSecond < others.length) {
      const [one, next] = [own[ofFirst], others[ofSecond]];
      if (one !== undefined && (next === undefined || one.at <= next.at)) {
        merged.push(one);
        ofFirst += 1;
      } else if (next !== undefined) {
        merged.push(next);
        ofSecond += 1;
      }
    }
    return merged;
  };
}
