import { BrokerError } from '../domain/outcome.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { Triggers } from '../domain/ports.ts';
import type { TriggerList } from '../domain/trigger.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway, ReadOptions } from './gateway.ts';
import { accountBroker, type BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { accountAnswer, noBroker, notSupported } from './reads.ts';

export interface TriggerReadsParts {
  readonly triggers: ReadonlyMap<BrokerId, Triggers>;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly clock: Clock;
}

/** The triggers of an account: the named broker's, or those of the trading route's account. */
export function createTriggerReads(parts: TriggerReadsParts): Pick<Gateway, 'getTriggers'> {
  const { triggers, route, view, clock } = parts;

  function triggersOf({ broker: named }: ReadOptions): Triggers {
    const broker = named ?? accountBroker(route.map(view));
    const found = broker === null ? undefined : triggers.get(broker);
    if (found) return found;
    if (broker !== null && view(broker).blocked === null) throw notSupported(broker, 'triggers');
    throw noBroker('no broker of the trading route can be asked now: GET /api/v1/brokers says why');
  }

  return {
    getTriggers: (options = {}) =>
      asProblems(async () => {
        const source = triggersOf(options);
        const [askedAt, asked] = [clock.now(), clock.elapsed()];
        const list = await source.list('caller');
        const data = whole(source, list).triggers;
        return accountAnswer(view(source.broker), { data, askedAt, asked }, clock);
      }),
  };
}

/** A list without a row that is there would say that there is no such trigger. */
function whole({ broker }: Triggers, list: TriggerList): TriggerList {
  const [row, ...others] = list.unread;
  if (row === undefined) return list;
  const what = row.triggerId ?? row.instrument ?? 'one without a readable id';
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const message = `a row of the triggers cannot be read: ${what}${more} (${row.reason})`;
  throw new BrokerError(broker, { kind: 'bad_payload', message });
}
