import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import { isFinalRow } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import { mayHaveUnnamedOrder, triggersOfRows } from '../triggers/rows-of-triggers.ts';
import { ordersOfTrigger } from '../triggers/trigger.ts';
import type { TriggerExecution } from '../triggers/triggers.ts';
import type { UnexplainedRow } from '../triggers/unexplained-rows.ts';
import { type BookOfRun, type CancelAllCommand, type UnreadOfRun } from './cancel-command.ts';
import { ownTriggers } from './triggers-of-run.ts';

/** Brokers at which a trigger of the caller may have placed an order that rests today. */
export function brokersOfTriggers(
  {
    writer: { state },
    accounts,
  }: {
    readonly writer: Pick<SingleWriter<ExecutionState, Change>, 'state'>;
    readonly accounts: Pick<Accounts, 'today'>;
  },
  command: CancelAllCommand,
): readonly BrokerId[] {
  const triggers = ownTriggers(state, command);
  return command.brokers.filter((broker) =>
    triggers.some(
      (trigger) =>
        trigger.broker === broker &&
        (mayHaveUnnamedOrder(trigger, accounts.today(broker)) ||
          ordersOfTrigger(trigger).some((order) => order.state === 'open' && !order.isFinal)),
    ),
  );
}

/** Whether a row of a book that is no order of the gateway is one of those that a request is about. */
export function isOfScope(
  state: ExecutionState,
  { scope, caller }: Pick<CancelAllCommand, 'scope' | 'caller'>,
  {
    broker,
    read,
    row,
  }: {
    readonly broker: BrokerId;
    readonly read: Pick<BookRead, 'begunAt'>;
    readonly row: BrokerOrder;
  },
): boolean {
  if (scope === 'account') return true;
  return triggersOfRows(state, broker, tradingDay(read.begunAt))(row)?.caller === caller;
}

/**
 * With scope `mine`: open orders of which it is not known whether a trigger of the caller has placed them. The list of
 * triggers is read first where that may tell, for a while: what is known to be the caller's does not wait longer.
 */
export async function doubtsOfBooks(
  parts: {
    readonly triggers: Pick<TriggerExecution, 'unexplained'>;
  },
  command: CancelAllCommand,
  books: readonly BookOfRun[],
): Promise<readonly UnreadOfRun[]> {
  const { scope, caller, matches } = command;
  if (scope === 'account') return [];
  const { unexplained } = parts.triggers;
  const isOf = (trigger: { readonly caller: string }): boolean => trigger.caller === caller;
  const found = await Promise.all(
    books.map(async ({ poller, read }) => {
      const { broker } = poller.trading;
      const book = { ...read, broker };
      const open = await unexplained.explain(book, isOf);
      return open
        .filter(({ row }) => !isFinalRow(row.status))
        .filter(({ row }) => matches({ ...row, broker, scripCode: null }))
        .map((each) => ({ broker, why: doubtOf(broker, each) }));
    }),
  );
  return found.flat();
}

function doubtOf(broker: BrokerId, { trigger, row }: UnexplainedRow): GatewayProblem {
  return new GatewayProblem({
    code: 'broker_unavailable',
    detail:
      `order ${broker}:${row.brokerOrderId} may be one that trigger ${trigger.id} of this key has placed: that is ` +
      `not known, so it was left alone. DELETE /api/v1/orders/${broker}:${row.brokerOrderId} cancels it`,
    broker,
    mayHaveExecuted: false,
  });
}
