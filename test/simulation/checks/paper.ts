import { join } from 'node:path';
import { Big } from 'big.js';
import { fillsOfOrder } from '../../../src/execution/journal/state.ts';
import { brokerOrderIdOf, statusOf } from '../../../src/execution/order/order.ts';
import { openDatabase, type Database } from '../../../src/platform/database.ts';
import { violation, type Day, type Violation } from './context.ts';

/**
 * S8: paper cash and shares conserve to the paisa: what there is, is what there was, less what was
 * bought, plus what was sold, less brokerage; computed from the fills alone. And S1, S4 for the
 * paper account: each of its orders is one of ours, with the same fills.
 */
export function paperConserves(day: Day): Violation[] {
  const database = openDatabase(join(day.world.directory, 'data', 'paper.db'));
  try {
    return [...cashConserves(database), ...sharesConserve(database), ...ordersAgree(database, day)];
  } finally {
    database.close();
  }
}

interface Flow {
  readonly instrument: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: number;
  readonly order_number: number;
}

const flows = (database: Database): Flow[] =>
  database
    .prepare(
      `SELECT instrument, side, paper_fills.price, paper_fills.quantity, order_number
       FROM paper_fills JOIN paper_orders ON paper_orders.number = order_number`,
    )
    .all() as unknown as Flow[];

function cashConserves(database: Database): Violation[] {
  const account = database.prepare('SELECT * FROM paper_account').get();
  if (!account) return [];
  const filled = new Set<number>();
  let expected = new Big(String(account.opening_cash));
  for (const { side, price, quantity, order_number: number } of flows(database)) {
    const value = new Big(price).times(quantity);
    expected = side === 'BUY' ? expected.minus(value) : expected.plus(value);
    filled.add(number);
  }
  expected = expected.minus(new Big(20).times(filled.size));
  const cash = new Big(String(account.cash));
  if (cash.eq(expected)) return [];
  return [
    violation('S8', `paper cash is ${cash.toFixed(2)}; the fills say ${expected.toFixed(2)}`),
  ];
}

function sharesConserve(database: Database): Violation[] {
  const expected = new Map<string, number>();
  for (const { instrument, side, quantity } of flows(database)) {
    const signed = side === 'BUY' ? quantity : -quantity;
    expected.set(instrument, (expected.get(instrument) ?? 0) + signed);
  }
  for (const table of ['paper_positions', 'paper_holdings']) {
    for (const row of database.prepare(`SELECT instrument, quantity FROM ${table}`).all()) {
      const name = String(row.instrument);
      expected.set(name, (expected.get(name) ?? 0) - Number(row.quantity));
    }
  }
  return [...expected]
    .filter(([, difference]) => difference !== 0)
    .map(([name, difference]) => violation('S8', `${difference} shares of ${name} are missing`));
}

function ordersAgree(database: Database, { state }: Day): Violation[] {
  const violations: Violation[] = [];
  const owners = new Map([...state.attempts.values()].map((each) => [each.id, each.orderId]));
  const taken = new Map<string, string>();
  for (const row of database
    .prepare('SELECT id, attempt_id, filled_quantity FROM paper_orders')
    .all()) {
    const id = String(row.id);
    const orderId = owners.get(String(row.attempt_id));
    const order = orderId === undefined ? undefined : state.orders.get(orderId);
    if (!order) {
      violations.push(violation('S3', `paper order ${id} is none of ours`));
      continue;
    }
    const other = taken.get(order.id);
    if (other) violations.push(violation('S1', `${order.id} is both ${other} and ${id} on paper`));
    taken.set(order.id, id);
    if (order.state.kind === 'disputed') continue;
    if (brokerOrderIdOf(order) !== id) {
      violations.push(
        violation('S3', `paper order ${id} of ${order.id} is not bound: ${statusOf(order)}`),
      );
    }
    const filled = fillsOfOrder(state, order.id).reduce((sum, fill) => sum + fill.quantity, 0);
    if (filled !== Number(row.filled_quantity)) {
      violations.push(
        violation(
          'S4',
          `paper order ${id}: ${filled} of ${String(row.filled_quantity)} filled shares known`,
        ),
      );
    }
  }
  return violations;
}
