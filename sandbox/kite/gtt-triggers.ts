import { DAY_MS, istStamp } from '../kernel/ist.ts';
import type { Instrument } from '../exchange/instrument.ts';
import type { KiteParts } from './place.ts';
import { kiteTicket } from './place.ts';
import { KiteRefusal, badInput, rupees } from './refusal.ts';

/** One order of a trigger as the request has it. Rupees. */
export interface GttOrder {
  transaction_type: string;
  product: string;
  order_type: string;
  quantity: number;
  price: number;
}

export interface GttWish {
  instrument: Instrument;
  type: 'single' | 'two-leg';
  /** Rupees; of two, the first is the lower one. */
  triggers: readonly number[];
  lastPrice: number;
  orders: readonly GttOrder[];
}

interface Trigger extends GttWish {
  id: number;
  status: 'active' | 'triggered' | 'expired' | 'deleted';
  createdAt: number;
  updatedAt: number;
  /** By the index of the order in the list. */
  results: Map<number, { status: string; order_id: string; rejection_reason: string }>;
}

export interface GttTriggers {
  place(wish: GttWish): number;
  modify(id: string, wish: GttWish): void;
  remove(id: string): void;
  rows(): Record<string, unknown>[];
  row(id: string): Record<string, unknown>;
}

/** How often prices are checked while a trigger waits. */
const LOOK_MS = 1_000;
const LIFE_MS = 365 * DAY_MS;

function rowOf(trigger: Trigger): Record<string, unknown> {
  const { instrument } = trigger;
  const about = { exchange: instrument.exchange, tradingsymbol: instrument.symbol };
  return {
    id: trigger.id,
    parent_trigger: null,
    type: trigger.type,
    created_at: istStamp(trigger.createdAt),
    updated_at: istStamp(trigger.updatedAt),
    expires_at: istStamp(trigger.createdAt + LIFE_MS),
    status: trigger.status,
    condition: {
      ...about,
      last_price: trigger.lastPrice,
      trigger_values: trigger.triggers,
      instrument_token: instrument.kiteToken,
    },
    orders: trigger.orders.map((order, place) => {
      const result = trigger.results.get(place);
      return { ...about, ...order, result: result ? { order_result: result } : null };
    }),
    meta: {},
  };
}

/** Places the order of a trigger that was reached. */
function fire(parts: KiteParts, trigger: Trigger, place: number): void {
  trigger.status = 'triggered';
  trigger.updatedAt = parts.exchange.clock.now();
  const order = trigger.orders[place];
  if (!order) return;
  const form = new URLSearchParams({
    exchange: trigger.instrument.exchange,
    tradingsymbol: trigger.instrument.symbol,
    validity: 'DAY',
  });
  for (const [name, value] of Object.entries(order)) form.set(name, String(value));
  try {
    const ticket = kiteTicket(parts, 'regular', form, 'row');
    const placed = parts.orders.place({ ...ticket, placedBy: 'api', receipt: null, lateMs: 0 });
    trigger.results.set(place, {
      status: 'success',
      order_id: placed.orderId,
      rejection_reason: '',
    });
  } catch (error) {
    if (!(error instanceof KiteRefusal)) throw error;
    trigger.results.set(place, {
      status: 'failed',
      order_id: '',
      rejection_reason: error.message,
    });
  }
}

/** Kite's triggers: each waits for a price, then places one ordinary LIMIT order, once. */
export function createGttTriggers(parts: KiteParts): GttTriggers {
  const { exchange } = parts;
  const { clock } = exchange;
  const triggers = new Map<number, Trigger>();
  let looking = false;

  function look(): void {
    const now = clock.now();
    for (const trigger of triggers.values()) {
      if (trigger.status !== 'active') continue;
      if (now >= trigger.createdAt + LIFE_MS) {
        trigger.status = 'expired';
        trigger.updatedAt = now;
        continue;
      }
      if (!exchange.calendar.matches(now, trigger.instrument.exchange)) continue;
      const last = rupees(exchange.prices.last(trigger.instrument, now));
      const reached = trigger.triggers.findIndex((price) =>
        price >= trigger.lastPrice ? last >= price : last <= price,
      );
      if (reached >= 0) fire(parts, trigger, reached);
    }
  }

  /** Runs no timer while no trigger waits. */
  function keepLooking(): void {
    if (looking || ![...triggers.values()].some(({ status }) => status === 'active')) return;
    looking = true;
    clock.after(LOOK_MS, () => {
      looking = false;
      look();
      keepLooking();
    });
  }

  function active(id: string): Trigger {
    const trigger = triggers.get(Number(id));
    if (trigger?.status !== 'active') throw badInput('Invalid `trigger_id`.');
    return trigger;
  }

  return {
    place(wish) {
      const now = clock.now();
      const id = 100_001 + triggers.size;
      const status = 'active';
      triggers.set(id, {
        ...wish,
        id,
        status,
        createdAt: now,
        updatedAt: now,
        results: new Map(),
      });
      keepLooking();
      return id;
    },
    modify: (id, wish) => void Object.assign(active(id), wish, { updatedAt: clock.now() }),
    remove: (id) => void Object.assign(active(id), { status: 'deleted', updatedAt: clock.now() }),
    rows: () => [...triggers.values()].map(rowOf),
    row(id) {
      const trigger = triggers.get(Number(id));
      if (!trigger) throw badInput('Invalid `trigger_id`.');
      return rowOf(trigger);
    },
  };
}
