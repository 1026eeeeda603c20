import type { BrokerId } from '../domain/broker.ts';
import { tradingDay } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import { notSent } from '../domain/outcome.ts';
import type { Execution } from '../execution/execution.ts';
import { must } from '../platform/values.ts';
import type { Clock } from '../platform/clock.ts';
import type { BrokerStatus } from './broker-status.ts';
import type { Need } from './needs.ts';
import {
  type NeedsGiven,
  needsOf,
  type ParkedWebhook,
  type RefusedSignals,
  type SwitchNow,
} from './overview-needs.ts';
import {
  type AskingKey,
  type LoginState,
  type SentenceGiven,
  type TradingNow,
  tradingNow,
} from './overview-sentence.ts';
import { tradingCandidates } from './policy.ts';
import { shownOrder } from './shown-order.ts';

/** Whether the user can trade now, and what needs the user: the first thing that a person asks. */
export interface Overview extends TradingNow {
  /** The account to which an order goes that names none; null where there is none. */
  readonly account: Pick<BrokerStatus, 'broker' | 'mode'> | null;
  /** The most urgent first. */
  readonly needs: readonly Need[];
  /** Orders of the gateway that are not over; slices count as their order. */
  readonly openOrders: number;
  readonly killSwitch: SwitchNow;
}

export interface OverviewQuery {
  /** The session of the broker with a daily login; null without one. */
  readonly session: LoginState | null;
  readonly key: AskingKey;
  readonly signals: RefusedSignals;
  /** Those that are parked, for an admin; for others none. */
  readonly webhooks: readonly ParkedWebhook[];
  /** Of that one alone, as for orders that name it; of all when absent. */
  readonly broker?: BrokerId | undefined;
}

export interface OverviewRead {
  /** From memory: no broker is asked. */
  getOverview(query: OverviewQuery): Overview;
}

export interface OverviewParts {
  readonly execution: Pick<Execution, 'state' | 'poller' | 'unreadBooks'>;
  /** See heldOf. */
  readonly isinOf: NeedsGiven['isinOf'];
  /** Every broker that is set up. */
  readonly brokers: () => readonly BrokerStatus[];
  /** Those that take orders, first to last. */
  readonly route: readonly BrokerId[];
  /** Whether an outage of the live brokers sends orders to paper. */
  readonly paperOnOutage: boolean;
  readonly killSwitch: () => SwitchNow;
  /** As orders keep to them: `always` refuses at no hour. */
  readonly marketHours: SentenceGiven['marketHours'];
  readonly clock: Pick<Clock, 'now'>;
}

export function createOverviewRead(parts: OverviewParts): OverviewRead {
  const { execution, brokers, route, killSwitch, marketHours } = parts;
  const { state } = execution;
  return {
    getOverview({ session, key, broker, signals, webhooks }) {
      const all = brokers();
      const now = parts.clock.now();
      const isWanted = (name: BrokerId): boolean => broker === undefined || name === broker;
      return overviewOf({
        brokers: all.filter((each) => isWanted(each.broker)),
        // Prices are the same at every broker.
        hasPrices: all.some(({ parts: of }) => of.some(isPriceNow)),
        route: broker === undefined ? route : [broker],
        paperOnOutage: parts.paperOnOutage,
        named: broker ?? null,
        killSwitch: killSwitch(),
        isDiskLow: state.disk.isLow,
        key: { ...key, stopped: state.keys.get(key.id)?.stopped ?? null },
        ...{ marketHours, now },
        session: session !== null && isWanted(session.broker) ? session : null,
        open: openOrders(execution).filter((each) => isWanted(each.broker)),
        ...recordsOf(state, isWanted),
        ...{ portfolios: state.portfolios, isinOf: parts.isinOf, today: tradingDay(now), signals },
        // They have the events of all brokers.
        webhooks: broker === undefined ? webhooks : [],
        unread: execution.unreadBooks().filter((each) => isWanted(each.broker)),
      });
    },
  };
}

/** Exits, closings and triggers of the brokers that are asked for. */
function recordsOf(
  { exits, closings, triggers }: Execution['state'],
  isWanted: (broker: BrokerId) => boolean,
): Pick<NeedsGiven, 'exits' | 'closings' | 'triggers'> {
  const isOf = ({ broker }: { readonly broker: BrokerId }): boolean => isWanted(broker);
  return {
    exits: [...exits.values()].filter(isOf),
    triggers: [...triggers.values()].filter(isOf),
    closings: [...closings.values()].map((closing) => ({
      ...closing,
      positions: closing.positions.filter(isOf),
      unread: (closing.unread ?? []).filter(isOf),
    })),
  };
}

const isPriceNow = ({ part, available }: BrokerStatus['parts'][number]): boolean =>
  part === 'market_data' && available;

function openOrders(execution: OverviewParts['execution']): readonly OrderResponse[] {
  const { state } = execution;
  return [...state.openOrders]
    .map((id) => must(state.orders.get(id), 'an open order is in memory'))
    .filter(({ parentId }) => parentId === null)
    .map((order) => shownOrder(execution, order));
}

interface Given extends Omit<SentenceGiven, 'candidates'>, NeedsGiven {
  readonly killSwitch: SwitchNow;
  readonly paperOnOutage: boolean;
}

/** Where an order of the key goes that names no broker, by the rule that orders go by. */
function candidatesOf({ brokers, route, key, paperOnOutage }: Given): readonly BrokerStatus[] {
  const known = route.flatMap((name) => brokers.find(({ broker }) => broker === name) ?? []);
  const views = known.map(({ broker, mode, hasSession }) => ({
    ...{ broker, mode },
    blocked: hasSession ? null : notSent('token', 'it has no session'),
  }));
  const choice = tradingCandidates(views, { broker: null, mode: key.mode }, paperOnOutage);
  const names = choice.kind === 'brokers' ? choice.brokers : [];
  return known.filter(({ broker }) => names.includes(broker));
}

/** Pure. */
export function overviewOf(given: Given): Overview {
  const { killSwitch, open } = given;
  const candidates = candidatesOf(given);
  const account = candidates.find(takesOrders) ?? null;
  return {
    ...tradingNow({ ...given, candidates }, account),
    account: account && { broker: account.broker, mode: account.mode },
    needs: needsOf(given),
    openOrders: open.length,
    killSwitch,
  };
}

const takesOrders = ({ parts }: BrokerStatus): boolean =>
  parts.some(({ part, available }) => part === 'trading' && available);
