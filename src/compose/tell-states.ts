import { join } from 'node:path';
import type { Broker } from '../domain/ports.ts';
import { createStateChanges, type StateNow } from '../events/state-changes.ts';
import type { Execution } from '../execution/execution.ts';
import type { Log } from '../platform/log.ts';
import type { SessionControl } from '../session/session.ts';
import type { ConfiguredBrokers } from './brokers.ts';
import type { Ports } from './ports.ts';

export interface TellStatesParts {
  readonly brokers: ConfiguredBrokers;
  readonly execution: Execution;
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly stack: AsyncDisposableStack;
}

/** Events of sessions and of brokers that can or cannot take orders: neither is in the journal otherwise. */
export function tellStates(parts: TellStatesParts): void {
  const { brokers, execution, ports, dataDirectory, log, stack } = parts;
  const states = (): readonly StateNow[] =>
    brokers.all.flatMap((broker) => {
      const session = brokers.session(broker.id);
      return [...(session === null ? [] : [sessionNow(broker, session)]), ...brokerNow(broker)];
    });
  const changes = stack.use(
    createStateChanges({
      ...{ ...ports, log, states, path: join(dataDirectory, 'told-states.json') },
      tell: ({ type, data, about }) => execution.tell(type, data, about),
    }),
  );
  for (const { id } of brokers.all) brokers.session(id)?.onChange(() => changes.look());
}

/** Never the token; whose session it is, and until when. */
function sessionNow({ id: broker }: Broker, session: SessionControl): StateNow {
  const now = session.current();
  const userId = now.state === 'absent' ? null : now.userId;
  const expiresAt = now.state === 'valid' ? now.expiresAt : null;
  return {
    key: `session ${broker}`,
    type: 'session.changed',
    data: { broker, state: now.state, userId, expiresAt },
    about: { broker },
  };
}

/** Whether it takes orders now. `cause` is `breaker` while calls are held back after failures. */
function brokerNow({ id: broker, mode, trading }: Broker): readonly StateNow[] {
  if (trading === undefined) return [];
  const blocked = trading.blocked();
  const [cause, reason] = [blocked?.cause ?? null, blocked?.reason ?? null];
  const data = { broker, mode, available: blocked === null, cause, reason };
  return [{ key: `broker ${broker}`, type: 'broker.changed', data, about: { broker } }];
}
