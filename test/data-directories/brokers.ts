import { inProcessTransport } from '../../sandbox/transport/in-process.ts';
import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import type { HandOrder } from '../../sandbox/kernel/inspector.ts';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
import { createSandbox, type Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { WireReaction, WireRequest } from '../../sandbox/kernel/wire.ts';
import type { HttpTransport } from '../../src/platform/http.ts';
import { createSandboxTransport } from '../support/sandbox-transport.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** A request that reached a broker, or what a person or a test did there. It can be written as JSON. */
export type Act =
  | { readonly kind: 'request'; readonly request: WireRequest }
  /** A path to match is a text, not a pattern. */
  | { readonly kind: 'fault'; readonly rule: FaultRule }
  | { readonly kind: 'price'; readonly instrument: string; readonly paise: number }
  | { readonly kind: 'token' }
  | { readonly kind: 'hand'; readonly broker: 'kite' | 'primary'; readonly order: HandOrder }
  | {
      readonly kind: 'fill';
      readonly broker: 'kite' | 'primary';
      readonly orderId: string;
      readonly quantity: number;
      readonly paise: number;
    };

/** An act and its time, in milliseconds since the start. */
export type Step = Act & { readonly at: number };

/** The two sandbox brokers under one clock. Every act is recorded, so that it can be replayed. */
export interface Brokers {
  readonly time: VirtualTime;
  readonly sandbox: Sandbox;
  readonly steps: readonly Step[];
  readonly transport: HttpTransport;
  /** Returns the reaction to a request, a request token, the id of a fault or an order, or null. */
  act(act: Act): WireReaction | string | null;
  /** Names the receiver of postbacks; null, as at the start, drops them. */
  onPostback(receive: ((body: string) => void) | null): void;
}

export const KITE = { apiKey: 'kitekey', apiSecret: 'kitesecret', userId: 'AB1234' };
export const PRIMARY_TOKEN = 'primary-raw-token';

/** `start` is ISO 8601. The same start and the same acts give the same books. */
export function createBrokers(start: string): Brokers {
  const time = new VirtualTime(start);
  const steps: Step[] = [];
  let receive: ((body: string) => void) | null = null;
  const sandbox = createSandbox({
    clock: time,
    random: seededRandom('data directories'),
    market: 'exchange',
    latencyMs: [20, 20],
    // Long enough that a cancel can reach the broker before the exchange has the order.
    orderStepMs: [300, 300],
    kite: {
      ...KITE,
      origin: 'http://kite.test',
      redirectUrl: 'http://gateway.test/callback',
      postbackUrl: 'http://gateway.test/postback',
    },
    primary: { accessToken: PRIMARY_TOKEN, clientId: '1', origin: 'http://primary.test' },
    post: ({ body }) => receive?.(body),
  });

  function act(each: Act): WireReaction | string | null {
    steps.push({ at: time.elapsed(), ...each });
    switch (each.kind) {
      case 'request':
        return sandbox.handle(each.request);
      case 'fault':
        return sandbox.faults.add(each.rule);
      case 'price':
        sandbox.exchange.setPrice(each.instrument, each.paise);
        return null;
      case 'token':
        return sandbox.kite.issueRequestToken();
      case 'hand':
        return sandbox[each.broker].placeByHand(each.order).orderId;
      case 'fill':
        sandbox[each.broker].fillByHand(each.orderId, each.quantity, each.paise);
        return null;
    }
  }

  const handle = (request: WireRequest): WireReaction => {
    const reaction = act({ kind: 'request', request });
    if (reaction === null || typeof reaction === 'string') throw new Error('no reaction');
    return reaction;
  };
  return {
    time,
    sandbox,
    steps,
    transport: createSandboxTransport(inProcessTransport({ ...sandbox, handle }, time), time),
    act,
    onPostback: (next) => void (receive = next),
  };
}

/** Repeats recorded steps at brokers that have just been created. */
export async function replay(brokers: Brokers, steps: readonly Step[]): Promise<void> {
  for (const { at, ...act } of steps) {
    // Between two acts of one instant no timer may fire that did not fire between them before.
    if (at > brokers.time.elapsed()) await brokers.time.advance(at - brokers.time.elapsed());
    brokers.act(act);
  }
}

/** The brokers’ own books as text, one order a line. */
export function booksOf({ kite, primary }: Sandbox): string[] {
  return [kite, primary].flatMap((inspector) =>
    inspector
      .orders()
      .map(({ orderId, side, quantity, instrument, status, filledQuantity }) =>
        [orderId, side, quantity, instrument, status, filledQuantity].join(' '),
      ),
  );
}
