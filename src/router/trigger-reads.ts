import { BrokerError } from '../domain/outcome.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { Triggers } from '../domain/ports.ts';
import type { BrokerTrigger, TriggerList } from '../domain/trigger.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Execution } from '../execution/execution.ts';
import { ownerOfRow } from '../execution/triggers/match-trigger.ts';
import { termsAtBroker } from '../execution/triggers/terms-at-broker.ts';
import {
  mayStillTrigger,
  triggerBindingOf,
  type TriggerRecord,
} from '../execution/triggers/trigger.ts';
import type { Clock } from '../platform/clock.ts';
import type { ReadOptions } from './gateway.ts';
import { accountBroker, type BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { accountAnswer, noBroker, notServed } from './reads.ts';
import type { ListedTrigger, TriggerCalls } from './triggers.ts';

export interface TriggerReadsParts {
  readonly triggers: ReadonlyMap<BrokerId, Triggers>;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly clock: Clock;
  readonly execution: Pick<Execution, 'state' | 'poller'>;
}

/** The triggers of an account: the named broker's, or those of the trading route's account. */
export function createTriggerReads(parts: TriggerReadsParts): Pick<TriggerCalls, 'getTriggers'> {
  const { triggers, route, view, clock, execution } = parts;
  const { state } = execution;

  function triggersOf({ broker: named }: ReadOptions): Triggers {
    const broker = named ?? accountBroker(route.map(view));
    const found = broker === null ? undefined : triggers.get(broker);
    if (found) return found;
    if (broker !== null) throw notServed(view(broker), 'triggers');
    throw noBroker('no broker of the trading route can be asked now: GET /api/v1/brokers says why');
  }

  /** Ours, by the journal of triggers, or of orders where they are rows of the order book. */
  function idOf({ broker, inBook }: Triggers, row: BrokerTrigger): string | null {
    if (!inBook) return ownerOfRow(state, broker, row);
    const day = tradingDay(execution.poller(broker)?.now() ?? clock.now());
    return state.observedIn.get(broker, day, row.triggerId)?.orderId ?? null;
  }

  return {
    getTriggers: (options = {}) =>
      asProblems(async () => {
        const source = triggersOf(options);
        const [askedAt, asked] = [clock.now(), clock.elapsed()];
        const { triggers: rows } = whole(source, await source.list('caller'));
        const listed = rows.map((row) => ({ ...row, id: idOf(source, row) }));
        const data = [...unlisted(state.triggers.values(), source.broker, listed), ...listed];
        return accountAnswer(view(source.broker), { data, askedAt, asked }, clock);
      }),
  };
}

/** Triggers of the gateway that may place an order, and that the list does not show. */
function unlisted(
  all: Iterable<TriggerRecord>,
  broker: BrokerId,
  rows: readonly ListedTrigger[],
): ListedTrigger[] {
  const shown = new Set(rows.map(({ id }) => id));
  return [...all].flatMap((trigger) => {
    const { state, terms } = trigger;
    const bound = triggerBindingOf(trigger)?.triggerId ?? null;
    if (trigger.broker !== broker || !mayStillTrigger(trigger)) return [];
    if (shown.has(trigger.id)) return [];
    const { kind } = state;
    return {
      ...{ id: trigger.id, triggerId: bound, instrument: terms.instrument, rawStatus: '' },
      status: kind === 'sending' || kind === 'uncertain' ? kind : ('waiting' as const),
      legs: termsAtBroker(trigger).legs.map((leg) => ({
        ...{ ...leg, orderType: 'LIMIT', brokerOrderId: null, reason: null },
      })),
      ...{ createdAt: trigger.createdAt, updatedAt: trigger.updatedAt, expiresAt: null },
    };
  });
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
