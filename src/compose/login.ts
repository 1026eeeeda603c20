import type { BrokerInstance } from '../domain/broker.ts';
import type { ProblemFields } from '../domain/problem.ts';
import type { SessionControl } from '../session/session.ts';
import type { ConfiguredBrokers } from './brokers.ts';

/**
 * The login that the fixed paths under /api/altbroker, the reminder and the chat serve: that of the
 * first configured instance whose broker has one.
 */
export interface ServedLogin {
  /** Null where no broker with a login is set up. */
  readonly session: SessionControl | null;
  /** What people call its broker, after "the"; also of one that is not set up. */
  readonly title: string;
  /** Said where a login would be needed and there is none. */
  readonly absent: ProblemFields;
}

export function composeLogin(
  instances: readonly BrokerInstance[],
  brokers: Pick<ConfiguredBrokers, 'session'>,
): ServedLogin {
  const session = instances.flatMap(({ name }) => brokers.session(name) ?? [])[0] ?? null;
  const notSetUp = instances.find((each) => each.settings === null && each.login !== undefined);
  return {
    session,
    title: session?.title ?? notSetUp?.title ?? 'broker login',
    absent: notSetUp
      ? {
          code: 'no_broker',
          detail: notSetUp.setUpAdvice ?? `The ${notSetUp.title} is not set up.`,
          broker: notSetUp.name,
        }
      : { code: 'not_supported', detail: 'No configured broker has a login.' },
  };
}
