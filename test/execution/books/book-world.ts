import { type SandboxRandom, seededRandom } from '../../../sandbox/kernel/ports.ts';
import { ordersInDoubt, keyPositions } from '../../../src/execution/books/books-of-state.ts';
import { isCarriedOver, KeyBooks } from '../../../src/execution/books/key-books.ts';
import type { BookLine } from '../../../src/execution/books/order-share.ts';
import { type Decimal, worth, ZERO } from '../../../src/domain/money.ts';
import { PRODUCTS } from '../../../src/domain/order.ts';
import { createSqliteJournal, type Journal } from '../../../src/execution/journal/journal.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import {
  applyChange,
  createState,
  type MutableState,
} from '../../../src/execution/journal/state.ts';
import { type Database, openDatabase } from '../../../src/platform/database.ts';
import { dayOf, type Placed, placing, record, restOf, tradesOf } from './placed-orders.ts';

interface Truth {
  net: number;
  bought: Decimal;
  sold: Decimal;
}

const IN_MEMORY_DAYS = 3;
const rounded = (value: Decimal): number => Math.round(value.toNumber() * 100) / 100;

/** Days of random orders, of which triggers have placed some, written to a journal that is opened again and again, and what they truly filled. */
export class BookWorld {
  readonly database: Database = openDatabase(':memory:');
  readonly #random: SandboxRandom;
  readonly #orders: Placed[] = [];
  #journal: Journal = createSqliteJournal(this.database);
  #state: MutableState = createState();
  #today = 0;

  constructor(seed: string) {
    this.#random = seededRandom(seed);
  }

  /** One random thing happens: an order, a fill, a correction, a new day, a restart. */
  async step(): Promise<string> {
    const dice = this.#below(100);
    if (dice < 30) return this.#place();
    if (dice < 62) return this.#fill();
    if (dice < 70) return this.#cancel();
    if (dice < 78) return this.#correct();
    if (dice < 86) return this.#look();
    if (dice < 93) return this.#nextDay();
    // Now and then by a clock that is two days behind.
    return this.#restart(dice >= 98 ? 2 : 0);
  }

  /** What the books say and is not so; empty while they are right. */
  wrong(): readonly string[] {
    // What was not told is not known; a look tells it.
    const untold = this.#orders.filter(({ isTold }) => !isTold);
    const keys = new Set(untold.map(({ line }) => JSON.stringify(line)));
    const expected = [...this.#truth()]
      .filter(([, { net, bought, sold }]) => !(net === 0 && bought.eq(0) && sold.eq(0)))
      .filter(([key]) => !keys.has(key))
      .map(([key, { net, bought, sold }]) => `${key} ${net} ${rounded(bought)} ${rounded(sold)}`);
    const found = keyPositions(this.#state, dayOf(this.#today), () => true)
      .map(({ line, quantity, today }) => ({ key: JSON.stringify(line), quantity, ...today }))
      .filter(({ key }) => !keys.has(key))
      .map(
        ({ key, quantity, bought, sold }) =>
          `${key} ${quantity} ${rounded(bought.value)} ${rounded(sold.value)}`,
      );
    const [are, should] = [new Set(found), new Set(expected)];
    return [
      ...found.filter((each) => !should.has(each)).map((each) => `found ${each}`),
      ...expected.filter((each) => !are.has(each)).map((each) => `expected ${each}`),
      ...ordersInDoubt(this.#state),
    ];
  }

  /** What each line holds, and what was paid and received today, from the fills themselves. */
  #truth(): ReadonlyMap<string, Truth> {
    const lines = new Map<string, Truth>();
    for (const { line, side, day, fills } of this.#orders) {
      const isToday = day === this.#today;
      if (!isToday && !isCarriedOver(line)) continue;
      const key = JSON.stringify(line);
      const of = lines.get(key) ?? { net: 0, bought: ZERO, sold: ZERO };
      lines.set(key, of);
      for (const { quantity, price } of fills) {
        of.net += side === 'BUY' ? quantity : -quantity;
        if (!isToday) continue;
        if (side === 'BUY') of.bought = of.bought.plus(worth(price, quantity));
        else of.sold = of.sold.plus(worth(price, quantity));
      }
    }
    return lines;
  }

  #below(count: number): number {
    return Math.floor(this.#random.next() * count);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)]!;
  }

  async #commit(changes: readonly Change[]): Promise<void> {
    const { error } = await this.#journal.commit([changes]);
    if (error !== null && error !== undefined) throw error;
    for (const change of changes) applyChange(this.#state, change);
  }

  async #place(): Promise<string> {
    const waited = this.#random.next() < 0.25 ? this.#below(8) : null;
    const number = String(this.#orders.length).padStart(5, '0');
    const id = `${waited === null ? 'ord' : 'trg'}_${number}`;
    const isPaper = waited === null && this.#random.next() < 0.25;
    const mode = isPaper ? 'paper' : 'live';
    const line: BookLine = {
      caller: this.#pick(['key_a', 'key_b', 'key_c']),
      ...{ broker: mode === 'paper' ? 'paper' : 'primary', mode },
      account: mode === 'paper' ? null : this.#pick(['AB1234', 'AB1234', 'XY9']),
      instrument: this.#pick(['NSE:INFY', 'NFO:NIFTY26NOVFUT']),
      product: this.#pick(PRODUCTS),
    };
    const order: Placed = {
      ...{ id, line, side: this.#pick(['BUY', 'SELL'] as const), day: this.#today },
      ...{ quantity: 1 + this.#below(20), fills: [], isTold: true, isOver: false },
      waited,
    };
    this.#orders.push(order);
    await this.#commit(waited === null ? [record(order), placing(order)] : [record(order)]);
    return waited === null ? 'place' : 'trigger';
  }

  /** The exchange fills a part of an order; the row tells of it, and the trades only later. */
  async #fill(): Promise<string> {
    const open = this.#recent().filter((order) => restOf(order) > 0);
    if (open.length === 0) return this.#place();
    const order = this.#pick(open);
    const quantity = 1 + this.#below(restOf(order));
    order.fills.push({ quantity, price: (1 + this.#below(300_000)) / 100, isSeen: false });
    // Some rows come late: also after the order was cancelled.
    order.isTold = this.#random.next() < 0.7;
    if (order.isTold) await this.#commit([record(order)]);
    return 'fill';
  }

  /** Orders of which something may still be seen. */
  #recent(): readonly Placed[] {
    return this.#orders.filter(({ day }) => day >= this.#today - 1);
  }

  /** Everything that the exchange has done is seen, with the trades of some orders. */
  async #look(): Promise<string> {
    for (const order of this.#recent()) {
      const changes = order.isTold ? [] : [record(order)];
      order.isTold = true;
      if (this.#random.next() < 0.5) changes.push(...tradesOf(order));
      if (changes.length > 0) await this.#commit(changes);
    }
    return 'look';
  }

  async #cancel(): Promise<string> {
    const open = this.#recent().filter(({ isOver, day }) => !isOver && day === this.#today);
    if (open.length === 0) return this.#place();
    const order = this.#pick(open);
    order.isOver = true;
    if (order.isTold) await this.#commit([record(order)]);
    return 'cancel';
  }

  /** A broker corrects what it has said of an order whose trades were not seen yet. */
  async #correct(): Promise<string> {
    const unseen = this.#recent().filter(
      ({ fills }) => fills.length > 0 && !fills.some(({ isSeen }) => isSeen),
    );
    if (unseen.length === 0) return this.#place();
    const order = this.#pick(unseen);
    const wrong = this.#pick(order.fills);
    wrong.price = (1 + this.#below(300_000)) / 100;
    if (this.#random.next() < 0.3) order.fills.splice(order.fills.indexOf(wrong), 1);
    order.isTold = true;
    await this.#commit([record(order)]);
    return 'correct';
  }

  /** What is open for the day ends with it, and everything has been seen by then. */
  async #nextDay(): Promise<string> {
    await this.#look();
    for (const order of this.#recent()) {
      if (order.isOver) continue;
      order.isOver = true;
      await this.#commit([record(order)]);
    }
    this.#today += 1;
    return 'day';
  }

  async #restart(daysBehind: number): Promise<string> {
    this.#journal = createSqliteJournal(this.database);
    const since = dayOf(this.#today - IN_MEMORY_DAYS - daysBehind);
    const { changes, totals } = await this.#journal.load(since);
    if (totals.notWritten !== null) throw new Error(totals.notWritten);
    this.#state = createState('throw', undefined, new KeyBooks(totals));
    for (const change of changes) applyChange(this.#state, change);
    return 'restart';
  }
}
