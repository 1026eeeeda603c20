import { isMarketOpen } from '../domain/market-hours.ts';
import type { Broker } from '../domain/ports.ts';
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

/** What a session opens is read when it begins; what ends with it is told. */
export function followSessions(parts: FollowSessionsParts): void {
  const { brokers, execution, stack } = parts;
  const isOpen = ({ id }: Broker): boolean => brokers.view(id).blocked === null;
  for (const broker of brokers.all) {
    // A token can have been made while the rest was put together.
    if (broker.keepSession && isOpen(broker)) execution.wake(broker.id);
  }
  for (const broker of brokers.all) {
    const session = brokers.session(broker.id);
    if (session) followLogin(broker, session);
    const { stream } = broker;
    if (!stream) continue;
    stack.defer(() => stream.stop());
    session?.onChange(() => stream.follow());
    stream.follow();
  }

  function followLogin(broker: Broker, session: SessionControl): void {
    session.onChange(({ kind }) => {
      execution.wake(broker.id);
      if (kind === 'died') alertOfDeath(session, parts);
    });
    // Whose it is, and whether the broker still takes it, is asked before anyone relies on it.
    void session.check();
    // A token that was there before the start is a session that began: what it opens is read now.
    if (isOpen(broker)) execution.wake(broker.id);
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
