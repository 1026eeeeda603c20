import type { ExchangeInspector } from '../exchange/exchange.ts';
import { createExchange, inspectExchange } from '../exchange/exchange.ts';
import { bothUsers, createOtherUser } from '../kite/both-users.ts';
import type { KiteInspector } from '../kite/kite.ts';
import { createKite } from '../kite/kite.ts';
import type { KiteTicker } from '../kite/ticker.ts';
import type { PrimaryInspector } from '../primary/primary.ts';
import { createPrimary } from '../primary/primary.ts';
import type { FaultSwitch } from './faults.ts';
import { createFaults } from './faults.ts';
import { react } from './fault-injection.ts';
import { drawBetween, forkRandom, type SandboxClock } from './ports.ts';
import type { SandboxSettings } from './settings.ts';
import type { WireReaction, WireRequest } from './wire.ts';

export type { SandboxSettings } from './settings.ts';

/**
 * Two brokers in front of one exchange, with faults. Its state depends only on the clock and the
 * random source that it is given: the same seed, clock and requests give the same replies.
 */
export interface Sandbox {
  /** Synchronous: the broker has acted before this returns, whatever the caller then sees. */
  handle(request: WireRequest): WireReaction;
  faults: FaultSwitch;
  /** Of all users; what is an account's alone (positions, holdings, funds) is the first user's. */
  kite: KiteInspector;
  /** Of the second user of the settings alone; null without one. */
  otherUser: KiteInspector | null;
  /** Kite's ticker, for a transport with sockets. */
  ticker: KiteTicker;
  primary: PrimaryInspector;
  exchange: ExchangeInspector;
}

const belongsTo = (url: string, origin: string): boolean =>
  url === origin || url.startsWith(`${origin}/`) || url.startsWith(`${origin}?`);

export function createSandbox(settings: SandboxSettings): Sandbox {
  const { clock, random } = settings;
  const exchange = createExchange(
    clock,
    forkRandom(random, 'exchange'),
    settings.market,
    settings.closes,
    settings.moreShares,
  );
  const { faults, source } = createFaults(clock, forkRandom(random, 'faults'));
  const kite = createKite(settings, exchange, forkRandom(random, 'kite'), source);
  const primary = createPrimary(settings, exchange, forkRandom(random, 'primary'));
  const [fastest, slowest] = settings.latencyMs ?? [0, 0];
  const latencies = forkRandom(random, 'latency');
  const parts = {
    clock,
    source,
    random: forkRandom(random, 'rows'),
    acknowledged: new Map(),
    kept: new Map(),
    latency: () => (slowest === 0 ? 0 : drawBetween(latencies, fastest, slowest)),
  };
  const dated = createDated(clock);
  // Last, so that what is drawn for it leaves everything else as it is.
  const other = createOtherUser(settings, exchange, random, source);
  return {
    faults,
    kite: other ? bothUsers(kite.inspector, other.inspector) : kite.inspector,
    otherUser: other?.inspector ?? null,
    ticker: kite.ticker,
    primary: primary.inspector,
    exchange: inspectExchange(exchange),
    handle(request) {
      const first = [kite.broker, primary.broker].find((one) => belongsTo(request.url, one.origin));
      const broker = first === kite.broker && other?.isMeant(request) ? other.broker : first;
      if (!broker) return { kind: 'refuse' };
      const reaction = react(broker, request, parts);
      return settings.tellsTime === false ? reaction : dated(reaction);
    },
  };
}

/** As HTTP servers do: every reply says when it was made, to the second. */
function createDated(clock: SandboxClock): (reaction: WireReaction) => WireReaction {
  let [second, date] = [NaN, ''];
  return (reaction) => {
    if (!('headers' in reaction)) return reaction;
    const now = Math.floor(clock.now() / 1_000);
    if (now !== second) [second, date] = [now, new Date(now * 1_000).toUTCString()];
    return { ...reaction, headers: { date, ...reaction.headers } };
  };
}
