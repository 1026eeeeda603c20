import { istIso } from '../domain/ist.ts';
import type { BrokerStatus } from '../router/gateway.ts';

/**
 * One sentence for each instrument list that could not be read, for a person. It quotes nothing of
 * the broker's: health needs no key. The reasons are under /api/v1/brokers.
 */
export function listNotices(brokers: readonly BrokerStatus[]): readonly string[] {
  return brokers.flatMap(({ broker, instruments }) =>
    (instruments?.lists ?? []).flatMap(({ name, fetchedAt, problem }) => {
      if (problem === null) return [];
      const list = `${broker}: the instrument list "${name}" could not be read`;
      if (fetchedAt === null) {
        return `${list}, and there is no earlier one: what it lists is unknown to the gateway`;
      }
      const since = istIso(fetchedAt).slice(0, 16).replace('T', ' ');
      return `${list}: the one of ${since} IST is in use`;
    }),
  );
}
