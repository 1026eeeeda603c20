import { DAY_MS, istStamp } from '../kernel/ist.ts';
import type { BookView, RowFields } from '../kernel/book-view.ts';
import type { GttStatus, GttWish, SandboxTrigger, TriggerInspector } from './gtt-inspector.ts';
import type { KiteSettings } from '../kernel/settings.ts';
import type { KiteParts } from './place.ts';
import { kiteTicket } from './place.ts';
import { KiteRefusal, badInput, rupees } from './refusal.ts';

interface Trigger extends GttWish {
  id: number;
  status: GttStatus;
  placedBy: 'api' | 'hand';
  createdAt: number;
  updatedAt: number;
  /** Until when the list leaves it out. */
  hiddenUntil: number;
  /** By the index of the order in the list. */
  results: Map<number, { status: string; order_id: string; rejection_reason: string }>;
  /** Its row as it was from each moment on, oldest first. */
  past: { at: number; row: Record<string, unknown> }[];
}

export interface GttTriggers {
  /** `lateMs`: how long no list shows it. */
  place(wish: GttWish, lateMs: number): number;
  modify(id: string, wish: GttWish): void;
  remove(id: string): void;
  /** As a read may show them now; `view` is asked for where there is one to show. */
  rows(view: () => BookView): unknown[];
  row(id: string): Record<string, unknown>;
  inspector: TriggerInspector;
}

const FIELDS: RowFields = {
  ...{ id: 'id', quantity: 'type', filled: 'filled', status: 'status' },
  ...{ symbol: 'condition', side: 'orders', tags: [] },
  ...{ complete: 'triggered', partial: 'active', open: 'active' },
};

/** How often prices are checked while a trigger waits. */
const LOOK_MS = 1_000;
/** The same while the exchange matches nothing. */
const CLOSED_LOOK_MS = 60_000;
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
    // No request of this API placed it: to whoever reads the book, it was placed elsewhere.
    const placed = parts.orders.place({ ...ticket, placedBy: 'hand', receipt: null, lateMs: 0 });
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

const seen = (trigger: Trigger): SandboxTrigger => ({
  id: String(trigger.id),
  instrument: trigger.instrument.key,
  triggers: trigger.triggers,
  orders: trigger.orders,
  status: trigger.status,
  placedBy: trigger.placedBy,
  createdAt: trigger.createdAt,
  updatedAt: trigger.updatedAt,
  hiddenUntil: trigger.hiddenUntil,
  orderIds: [...trigger.results.values()].flatMap(({ order_id }) => order_id || []),
});

/** Places the order of a trigger whose price is reached; `changed` is told of any change. */
function look(parts: KiteParts, trigger: Trigger, changed: (trigger: Trigger) => void): void {
  const { exchange } = parts;
  const now = exchange.clock.now();
  if (trigger.status !== 'active') return;
  if (now >= trigger.createdAt + LIFE_MS) {
    trigger.status = 'expired';
    return changed(trigger);
  }
  if (!exchange.calendar.matches(now, trigger.instrument.exchange)) return;
  const last = rupees(exchange.prices.last(trigger.instrument, now));
  const reached = trigger.triggers.findIndex((price) =>
    price >= trigger.lastPrice ? last >= price : last <= price,
  );
  if (reached < 0) return;
  fire(parts, trigger, reached);
  changed(trigger);
}

/** What a read of the list shows. */
function listOf(all: readonly Trigger[], view: BookView, now: number, forgets: boolean): unknown[] {
  const shown = all.filter(
    (trigger) =>
      trigger.hiddenUntil <= now &&
      trigger.createdAt <= now - view.hideYoungerThanMs &&
      !(view.hideForeign && trigger.placedBy === 'hand'),
  );
  const rows = shown.flatMap(({ past }) => {
    const then = past.findLast(({ at }) => at <= (view.asOf ?? now))?.row;
    return then === undefined || (forgets && then['status'] === 'deleted') ? [] : [then];
  });
  return view.spoil(rows, FIELDS);
}

interface Inspected {
  triggers: ReadonlyMap<number, Trigger>;
  listeners: ((trigger: SandboxTrigger) => void)[];
  add(wish: GttWish, placedBy: Trigger['placedBy'], lateMs: number): Trigger;
  end(trigger: Trigger): void;
  changed(trigger: Trigger): void;
}

function inspectTriggers(parts: KiteParts, of: Inspected): TriggerInspector {
  const { exchange } = parts;
  const { triggers, listeners, add, end, changed } = of;

  function inApp(id: string, run: (trigger: Trigger) => void): void {
    const trigger = triggers.get(Number(id));
    if (trigger?.status === 'active') run(trigger);
  }

  return {
    triggers: () => [...triggers.values()].map(seen),
    trigger(id) {
      const trigger = triggers.get(Number(id));
      return trigger && seen(trigger);
    },
    onTrigger: (listener) => void listeners.push(listener),
    placeTriggerByHand({ instrument: key, ...wish }) {
      const instrument = exchange.listing.byKey(key);
      if (!instrument) throw badInput('Invalid `tradingsymbol`.');
      return seen(add({ ...wish, instrument }, 'hand', 0));
    },
    deleteTriggerByHand: (id) => inApp(id, end),
    changeTriggerByHand: (id, { quantity, lowerBy }) =>
      inApp(id, (trigger) => {
        trigger.orders = trigger.orders.map((order) => ({
          ...{ ...order, quantity, price: order.price - lowerBy },
        }));
        changed(trigger);
      }),
    fireTrigger: (id, place) =>
      inApp(id, (trigger) => {
        fire(parts, trigger, place);
        changed(trigger);
      }),
    hideTrigger(id, forMs) {
      const trigger = triggers.get(Number(id));
      if (trigger) trigger.hiddenUntil = exchange.clock.now() + forMs;
    },
  };
}

/**
 * Kite's triggers: each waits for a price, then places one ordinary LIMIT order, once. Where the broker forgets
 * triggers, the list has those that were deleted no more.
 */
export function createGttTriggers(
  parts: KiteParts,
  { forgetsTriggers }: Pick<KiteSettings, 'forgetsTriggers'>,
  firstId: number,
): GttTriggers {
  const { exchange } = parts;
  const { clock } = exchange;
  const triggers = new Map<number, Trigger>();
  const listeners: ((trigger: SandboxTrigger) => void)[] = [];
  let looking = false;

  /** Keeps its row as it is from now on. */
  function changed(trigger: Trigger): void {
    trigger.updatedAt = clock.now();
    trigger.past.push({ at: trigger.updatedAt, row: rowOf(trigger) });
  }

  /** Runs no timer while no trigger waits. */
  function keepLooking(): void {
    const active = [...triggers.values()].filter(({ status }) => status === 'active');
    if (looking || active.length === 0) return;
    looking = true;
    const isOpen = active.some(({ instrument }) =>
      exchange.calendar.matches(clock.now(), instrument.exchange),
    );
    clock.after(isOpen ? LOOK_MS : CLOSED_LOOK_MS, () => {
      looking = false;
      for (const trigger of active) look(parts, trigger, changed);
      keepLooking();
    });
  }

  function active(id: string): Trigger {
    const trigger = triggers.get(Number(id));
    if (trigger?.status !== 'active') throw badInput('Invalid `trigger_id`.');
    return trigger;
  }

  function add(wish: GttWish, placedBy: Trigger['placedBy'], lateMs: number): Trigger {
    const now = clock.now();
    const trigger: Trigger = {
      ...wish,
      ...{ id: firstId + triggers.size, status: 'active', placedBy },
      ...{ createdAt: now, updatedAt: now, hiddenUntil: now + lateMs },
      ...{ results: new Map(), past: [] },
    };
    triggers.set(trigger.id, trigger);
    changed(trigger);
    keepLooking();
    for (const listener of listeners) listener(seen(trigger));
    return trigger;
  }

  function end(trigger: Trigger): void {
    trigger.status = 'deleted';
    changed(trigger);
  }

  return {
    place: (wish, lateMs) => add(wish, 'api', lateMs).id,
    modify(id, wish) {
      const trigger = active(id);
      Object.assign(trigger, wish);
      changed(trigger);
    },
    remove: (id) => end(active(id)),
    rows: (view) =>
      triggers.size === 0
        ? []
        : listOf([...triggers.values()], view(), clock.now(), forgetsTriggers === true),
    row(id) {
      const trigger = triggers.get(Number(id));
      if (!trigger) throw badInput('Invalid `trigger_id`.');
      return rowOf(trigger);
    },
    inspector: inspectTriggers(parts, { triggers, listeners, add, end, changed }),
  };
}
