import type { BrokerId } from '../domain/broker.ts';
import { isMarketOpen } from '../domain/market-hours.ts';
import type { Execution } from '../execution/execution.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import type { SessionControl } from '../session/session.ts';
import type { ConfiguredBrokers } from './brokers.ts';

export interface FollowSessionsParts {
  readonly brokers: ConfiguredBrokers;
  readonly execution: Execution;
  readonly ports: { readonly clock: Clock };
  readonly log: Log;
  readonly marketHours: 'exchange' | 'always';
  readonly stack: AsyncDisposableStack;
}

/** Wakes the reads of a broker when its session begins, and alerts a person when it ends early. */
export function followSessions(parts: FollowSessionsParts): void {
  const { brokers, execution, stack } = parts;
  for (const { id } of brokers.all) {
    // A session may be older than this process, or have begun while the rest was put together. Its
    // account is read before an order relies on what it holds.
    if (brokers.view(id).blocked === null) execution.wake(id);
  }
  for (const broker of brokers.all) {
    const session = brokers.session(broker.id);
    if (session) followLogin(broker.id, session);
    const { stream } = broker;
    if (!stream) continue;
    stack.defer(() => stream.stop());
    session?.onChange(() => stream.follow());
    stream.follow();
  }

  function followLogin(broker: BrokerId, session: SessionControl): void {
    session.onChange(({ kind }) => {
      execution.wake(broker);
      if (kind === 'died') alertOfDeath(session, parts);
    });
    // Whose it is, and whether the broker still takes it, is asked before anyone relies on it.
    void session.check();
  }
}

/** When shares and their derivatives are shut, the next morning's login is in time. */
function alertOfDeath({ title }: SessionControl, parts: FollowSessionsParts): void {
  const { execution, ports, log, marketHours } = parts;
  if (marketHours === 'exchange' && !isMarketOpen(ports.clock.now(), 'NFO')) return;
  const message =
    `the ${title} has ended its session while the market is open: log in again at ` +
    '/api/altbroker/login. Until then orders and prices go along the rest of their routes';
  execution.alert('critical', message).catch((error: unknown) => {
    log.error(message, { reason: messageOf(error) });
  });
}
