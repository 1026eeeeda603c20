import { readableTime } from '../domain/ist.ts';
import type { BrokerStatus } from '../router/broker-status.ts';

/**
 * One sentence for people for each instrument list that could not be read. It quotes nothing from
 * the broker, since health needs no key. GET /api/v1/brokers gives the reasons.
 */
export function listNotices(brokers: readonly BrokerStatus[]): readonly string[] {
  return brokers.flatMap(({ broker, instruments }) =>
    (instruments?.lists ?? []).flatMap(({ name, fetchedAt, problem }) => {
      if (problem === null) return [];
      const list = `${broker}: the instrument list "${name}" could not be read`;
      if (fetchedAt === null) {
        return `${list}, and there is no earlier one: the gateway does not know its instruments`;
      }
      return `${list}: the one of ${readableTime(fetchedAt)} is in use`;
    }),
  );
}
