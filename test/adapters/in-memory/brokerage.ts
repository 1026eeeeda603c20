import type { BrokerFill, BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OrderModification, PlaceAttempt } from '../../../src/domain/order.ts';
import { sha256 } from '../../../src/platform/secret.ts';
import { INFOSYS, ladder, LAST_PRICE } from './market.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** What the brokerage answers to a request about an order. */
export type Verdict =
  | { readonly taken: true; readonly orderId: string }
  | { readonly taken: false; readonly why: string };

interface Account {
  cash: number;
  readonly held: Map<string, { quantity: number; value: number; product: string }>;
}

const OPENING_CASH = 1_000_000;
/** Shares of NSE:INFY, delivered before the day began. */
const HELD_SHARES = 50;

/**
 * A brokerage with one account and one instrument, in memory. It outlives the gateway that uses it,
 * and accepts only the token of the last login.
 */
export class Brokerage {
  readonly secret: string;
  readonly #now: () => number;
  readonly #orders: BrokerOrder[] = [];
  readonly #fills: BrokerFill[] = [];
  readonly #account: Account = { cash: OPENING_CASH, held: new Map() };
  #logins = 0;
  #token: string | null = null;
  /** Whether the replies to the next placings are lost after the orders were placed. */
  losesReplies = false;
  #isPaused = false;

  constructor(now: () => number, secret = 'a secret of sixteen') {
    this.#now = now;
    this.secret = secret;
  }

  /** A request token, as the login page sends it back. */
  approve(): string {
    this.#logins += 1;
    return `approved${this.#logins}`;
  }

  /** Null for a request token that does not come from the last approval. */
  exchange(requestToken: string): string | null {
    if (requestToken !== `approved${this.#logins}`) return null;
    this.#token = `token-${this.#logins}`;
    return this.#token;
  }

  takes(token: string | null): boolean {
    return token !== null && token === this.#token;
  }

  end(token: string): void {
    if (this.takes(token)) this.#token = null;
  }

  /** Stops all fills, or allows them again. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (!isPaused) for (const { brokerOrderId } of [...this.#orders]) this.#match(brokerOrderId);
  }

  place({ terms, tag }: PlaceAttempt): Verdict {
    const id = `M${String(this.#orders.length + 1).padStart(6, '0')}`;
    const cost = terms.side === 'BUY' ? terms.quantity * (terms.price ?? LAST_PRICE) : 0;
    if (cost > this.#account.cash) return { taken: false, why: 'insufficient funds' };
    this.#orders.push({
      brokerOrderId: id,
      exchangeOrderId: `X${id}`,
      instrument: terms.instrument,
      side: terms.side,
      quantity: terms.quantity,
      filledQuantity: 0,
      averagePrice: null,
      orderType: terms.orderType,
      product: terms.product,
      validity: terms.validity,
      price: terms.price,
      triggerPrice: terms.triggerPrice,
      status: 'working',
      rawStatus: 'OPEN',
      reason: null,
      tags: [tag],
      createdAt: epochMs(this.#now()),
      updatedAt: epochMs(this.#now()),
    });
    this.#match(id);
    return { taken: true, orderId: id };
  }

  cancel(orderId: string): Verdict {
    const row = this.#working(orderId);
    if (!row) return { taken: false, why: 'the order is over' };
    this.#change(row, { status: row.filledQuantity ? 'partial' : 'cancelled' });
    return { taken: true, orderId };
  }

  modify(orderId: string, { price, quantity }: OrderModification): Verdict {
    const row = this.#working(orderId);
    if (!row) return { taken: false, why: 'the order is over' };
    this.#change(row, { price: price ?? row.price, quantity: quantity ?? row.quantity });
    this.#match(orderId);
    return { taken: true, orderId };
  }

  orders(): readonly BrokerOrder[] {
    return [...this.#orders];
  }

  fills(): readonly BrokerFill[] {
    return [...this.#fills];
  }

  /** What the day's orders have bought and sold, by instrument. */
  positions(): ReadonlyMap<string, { quantity: number; value: number; product: string }> {
    return this.#account.held;
  }

  heldShares(): number {
    return HELD_SHARES;
  }

  cash(): number {
    return this.#account.cash;
  }

  /** The text that the brokerage posts when an order has changed. */
  postbackOf(orderId: string): string {
    const row = this.#orders.find((each) => each.brokerOrderId === orderId);
    const status = row?.rawStatus ?? 'UNKNOWN';
    return JSON.stringify({ orderId, status, checksum: this.checksum(orderId, status) });
  }

  checksum(orderId: string, status: string): string {
    return sha256(`${orderId}|${status}|${this.secret}`);
  }

  instruments(): readonly Instrument[] {
    return [INFOSYS];
  }

  #working(orderId: string): BrokerOrder | undefined {
    return this.#orders.find(
      ({ brokerOrderId, status }) => brokerOrderId === orderId && status === 'working',
    );
  }

  #change(row: BrokerOrder, changes: Partial<BrokerOrder>): void {
    const changed = { ...row, ...changes, updatedAt: epochMs(this.#now()) };
    const rawStatus = { working: 'OPEN', filled: 'DONE', cancelled: 'CANCELLED' } as const;
    const status = changed.status;
    const raw = status in rawStatus ? rawStatus[status as keyof typeof rawStatus] : 'CLOSED';
    this.#orders[this.#orders.indexOf(row)] = { ...changed, rawStatus: raw };
  }

  #match(orderId: string): void {
    const row = this.#working(orderId);
    if (!row || this.#isPaused) return;
    let open = row.quantity - (row.filledQuantity ?? 0);
    const fills: BrokerFill[] = [];
    for (const level of ladder(row.side)) {
      const isReached =
        row.price === null ||
        (row.side === 'BUY' ? level.price <= row.price : level.price >= row.price);
      if (open === 0 || !isReached) break;
      const quantity = Math.min(open, level.quantity);
      open -= quantity;
      fills.push({
        fillId: `F${this.#fills.length + fills.length + 1}`,
        brokerOrderId: orderId,
        exchangeOrderId: row.exchangeOrderId,
        exchange: 'NSE',
        quantity,
        price: level.price,
        at: epochMs(this.#now()),
      });
    }
    if (fills.length === 0) return;
    this.#fills.push(...fills);
    const own = this.#fills.filter((fill) => fill.brokerOrderId === orderId);
    const filledQuantity = own.reduce((sum, fill) => sum + fill.quantity, 0);
    const value = own.reduce((sum, fill) => sum + fill.quantity * fill.price, 0);
    this.#book(row, fills);
    this.#change(row, {
      filledQuantity,
      averagePrice: Number((value / filledQuantity).toFixed(4)),
      status: open === 0 ? 'filled' : 'working',
    });
  }

  #book(row: BrokerOrder, fills: readonly BrokerFill[]): void {
    const sign = row.side === 'BUY' ? 1 : -1;
    const line = this.#account.held.get(row.instrument);
    const before = line ?? { quantity: 0, value: 0, product: row.product };
    const quantity = fills.reduce((sum, fill) => sum + sign * fill.quantity, before.quantity);
    const value = fills.reduce((sum, fill) => sum + sign * fill.quantity * fill.price, 0);
    this.#account.held.set(row.instrument, { ...before, quantity, value: before.value + value });
    this.#account.cash -= value;
  }
}
