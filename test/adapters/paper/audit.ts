import type { Database } from '../../../src/platform/database.ts';

/** Converts rupees as decimal text to paise, without a float. */
export function paise(text: unknown): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(text));
  if (!match) throw new Error(`not an amount in whole paise: ${String(text)}`);
  const amount = BigInt(match[2]!) * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return match[1] === '-' ? -amount : amount;
}

/**
 * Recalculates the ledger from its fills, with separate arithmetic, and returns the differences from
 * its rows. Brokerage in paise; an empty list means that the ledger is consistent.
 */
export function auditLedger(database: Database, brokerage: bigint): string[] {
  const account = database.prepare('SELECT * FROM paper_account').get()!;
  const orders = database.prepare('SELECT * FROM paper_orders').all();
  const fills = database.prepare('SELECT * FROM paper_fills').all();
  const positions = database.prepare('SELECT * FROM paper_positions').all();
  const holdings = database.prepare('SELECT * FROM paper_holdings').all();
  const faults: string[] = [];
  const same = (what: string, actual: unknown, expected: unknown): void => {
    if (actual !== expected) faults.push(`${what}: ${String(actual)}, not ${String(expected)}`);
  };

  let cash = paise(account['opening_cash']);
  const net = new Map<string, number>();
  const byNumber = new Map(orders.map((order) => [order['number'], order]));
  const filled = new Map<unknown, { quantity: number; value: bigint }>();
  for (const fill of fills) {
    const order = byNumber.get(fill['order_number'])!;
    const quantity = Number(fill['quantity']);
    const value = paise(fill['price']) * BigInt(quantity);
    const sign = order['side'] === 'BUY' ? 1 : -1;
    cash -= BigInt(sign) * value;
    const key = `${String(order['product'])} ${String(order['instrument'])}`;
    net.set(key, (net.get(key) ?? 0) + sign * quantity);
    const sum = filled.get(order['number']) ?? { quantity: 0, value: 0n };
    filled.set(order['number'], { quantity: sum.quantity + quantity, value: sum.value + value });
  }
  const charges = BigInt(filled.size) * brokerage;
  same('cash', paise(account['cash']), cash - charges);
  same('brokerage', paise(account['brokerage']), charges);

  for (const order of orders) {
    const sum = filled.get(order['number']) ?? { quantity: 0, value: 0n };
    same(`filled of ${String(order['id'])}`, order['filled_quantity'], sum.quantity);
    same(`value of ${String(order['id'])}`, paise(order['filled_value']), sum.value);
    const whole = order['filled_quantity'] === order['quantity'];
    same(`${String(order['id'])} is filled`, order['status'] === 'filled', whole);
    if (order['status'] !== 'working') same('a final order blocks', paise(order['reserved']), 0n);
  }

  let invested = 0n;
  const held = new Map<string, number>();
  for (const [product, row] of [
    ...positions.map((row) => [String(row['product']), row] as const),
    ...holdings.map((row) => ['CNC', row] as const),
  ]) {
    const key = `${product} ${String(row['instrument'])}`;
    const quantity = Number(row['quantity']);
    held.set(key, (held.get(key) ?? 0) + quantity);
    invested += quantity < 0 ? -paise(row['cost']) : paise(row['cost']);
  }
  for (const key of new Set([...net.keys(), ...held.keys()])) {
    same(`quantity of ${key}`, held.get(key) ?? 0, net.get(key) ?? 0);
    if (key.startsWith('CNC') && (net.get(key) ?? 0) < 0) faults.push(`${key} is oversold`);
  }
  const realised = paise(account['realised']);
  const opening = paise(account['opening_cash']);
  same('cash by cost', paise(account['cash']), opening + realised - charges - invested);
  return faults;
}

/** The cash that neither orders nor short positions block, from the rows, in paise. */
export function availableOnDisk(database: Database): bigint {
  const account = database.prepare('SELECT cash FROM paper_account').get()!;
  const working = database
    .prepare(`SELECT reserved FROM paper_orders WHERE status = 'working'`)
    .all();
  const shorts = database
    .prepare(`SELECT cost FROM paper_positions WHERE quantity < 0 AND product <> 'CNC'`)
    .all();
  const blocked = working.reduce((sum, row) => sum + paise(row['reserved']), 0n);
  return (
    paise(account['cash']) - blocked - 2n * shorts.reduce((s, row) => s + paise(row['cost']), 0n)
  );
}
