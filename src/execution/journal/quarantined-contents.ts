import type { BrokerId } from '../../domain/broker.ts';
import { isInstrumentText } from '../../domain/instrument.ts';
import { PRODUCTS } from '../../domain/order.ts';
import type { Row } from '../../platform/database.ts';
import type { OrderId } from '../../units/branded.ts';
import type { OrderRecord } from '../order/order.ts';
import { type AllFound, externalChangeKey, type QuarantinedOrder } from './quarantined.ts';
import { parseJson } from './row-schemas.ts';

/**
 * What can still be read of rows that do not fit: their columns, and single values of what is left of their JSON. Each
 * value is looked at by itself, as the rest of its row may be anything (docs/orders.md, "Rows that do not fit").
 */

/** Tables whose rows are about something at a broker that no order of the gateway names. */
type AboutTable = 'exits' | 'closings' | 'cancelRuns' | 'externalChanges' | 'triggers';

/** An alert names at most so many. */
const MOST_NAMED = 10;

/** What a row that does not fit is about, as `NSE:INFY at alt` or `order 123 at alt`; none where nothing is left. */
export function subjectsIn(rows: AllFound): (table: AboutTable, columns: Row) => readonly string[] {
  const ofOrder = ({ broker, terms }: OrderRecord): string => `${terms.instrument} at ${broker}`;

  function find(table: AboutTable, columns: Row): readonly (string | null)[] {
    const json = parseJson(columns['record']);
    switch (table) {
      case 'exits':
        return [instrumentAt(valueOf(json, 'broker'), valueOf(json, 'instrument'))];
      case 'triggers':
        return [instrumentAt(columns['broker'], valueOf(valueOf(json, 'terms'), 'instrument'))];
      case 'closings':
        return listOf(json, 'positions').map((position) =>
          instrumentAt(valueOf(position, 'broker'), valueOf(position, 'instrument')),
        );
      case 'externalChanges':
        return [orderAt(columns['broker'], columns['broker_order_id'])];
      case 'cancelRuns': {
        const ids = listOf(json, 'orderIds');
        return [
          ...rows.orders.rows.filter(({ id }) => ids.includes(id)).map(ofOrder),
          ...listOf(json, 'external').map((row) =>
            orderAt(valueOf(row, 'broker'), valueOf(row, 'brokerOrderId')),
          ),
          ...listOf(valueOf(json, 'triggers'), 'external').map((row) =>
            instrumentAt(valueOf(row, 'broker'), valueOf(row, 'instrument')),
          ),
        ];
      }
    }
  }

  return (table, columns) => {
    const found = [...new Set(find(table, columns).flatMap((each) => each ?? []))];
    const more = found.length - MOST_NAMED;
    return more > 0 ? [...found.slice(0, MOST_NAMED), `${more} more`] : found;
  };
}

/**
 * What is known of the orders that cannot be used. A sliced order is left out: its slices say what it is, each for
 * itself.
 */
export function termsOf(
  rows: Pick<AllFound, 'orders' | 'attempts' | 'exits'>,
  unfit: ReadonlySet<OrderId>,
): readonly QuarantinedOrder[] {
  const { orders } = rows;
  const toldElsewhere = createToldElsewhere(rows);
  const parents = new Set<unknown>([
    ...orders.rows.map(({ parentId }) => parentId),
    ...orders.unfit.map(({ columns }) => columns['parent_id']),
  ]);
  // Its own row fits: that of its placing, or of a slice, does not.
  const fit = orders.rows
    .filter(({ id }) => unfit.has(id))
    .map(({ id, caller, broker, day, terms: { instrument, product, side, quantity } }) => {
      return { id, caller, broker, day, instrument, product, side, quantity };
    });
  const rest = orders.unfit.map(({ columns }): QuarantinedOrder => {
    const terms = valueOf(parseJson(columns['record']), 'terms');
    const quantity = valueOf(terms, 'quantity');
    const own = sharesOf(terms);
    const told = toldElsewhere(columns);
    return {
      ...{ id: String(columns['id']), caller: String(columns['caller']) },
      ...{ broker: String(columns['broker']), day: String(columns['day']) },
      instrument: own.instrument ?? told.instrument,
      product: own.product ?? told.product,
      side: own.side ?? told.side,
      quantity: Number.isSafeInteger(quantity) && Number(quantity) > 0 ? Number(quantity) : null,
    };
  });
  return [...fit, ...rest].filter(({ id }) => !parents.has(id));
}

type Told = Pick<QuarantinedOrder, 'instrument' | 'product' | 'side'>;

/**
 * What other rows tell of an order whose own row does not: its placing, the order that it is a slice of, and the exit that it
 * is a leg of. Its quantity is not taken from them, since a change may have made it larger.
 */
function createToldElsewhere({
  orders,
  attempts,
  exits,
}: Pick<AllFound, 'orders' | 'attempts' | 'exits'>): (columns: Row) => Told {
  const prints = new Map<unknown, unknown>([
    ...attempts.unfit
      .filter(({ columns }) => columns['kind'] === 'place')
      .map(({ columns }): [unknown, unknown] => {
        return [columns['order_id'], valueOf(parseJson(columns['record']), 'fingerprint')];
      }),
    ...attempts.rows.flatMap((attempt): [unknown, unknown][] =>
      attempt.kind === 'place' ? [[attempt.orderId, attempt.fingerprint]] : [],
    ),
  ]);
  const terms = new Map<unknown, unknown>([
    ...orders.unfit.map(({ columns }): [unknown, unknown] => {
      return [columns['id'], valueOf(parseJson(columns['record']), 'terms')];
    }),
    ...orders.rows.map((order): [unknown, unknown] => [order.id, order.terms]),
  ]);
  const ways = new Map<unknown, unknown>([
    ...exits.unfit.map(({ columns }): [unknown, unknown] => {
      return [columns['id'], parseJson(columns['record'])];
    }),
    ...exits.rows.map((exit): [unknown, unknown] => [exit.id, exit]),
  ]);
  return (columns) => {
    const [, exitId] = /^(.+)#\d+$/.exec(String(columns['idempotency_key'])) ?? [];
    const told = [
      ofFingerprint(prints.get(columns['id'])),
      sharesOf(terms.get(columns['parent_id'])),
      sharesOf(ways.get(exitId)),
    ];
    const first = <Name extends keyof Told>(name: Name): Told[Name] | null =>
      told.find((each) => each[name] !== null)?.[name] ?? null;
    return { instrument: first('instrument'), product: first('product'), side: first('side') };
  };
}

/** The fields of a fingerprint (`fingerprint`): a text of another form tells nothing. */
function ofFingerprint(print: unknown): Told {
  const fields = typeof print === 'string' ? print.split('|') : [];
  const [, instrument, side, product] = fields.length === FINGERPRINT_FIELDS ? fields : [];
  return sharesOf({ instrument, side, product });
}

const FINGERPRINT_FIELDS = 9;

/** Each value by itself: null where it is none that an order can have. */
function sharesOf(from: unknown): Told {
  const side = valueOf(from, 'side');
  return {
    instrument: instrumentOf(valueOf(from, 'instrument')),
    product: PRODUCTS.find((each) => each === valueOf(from, 'product')) ?? null,
    side: side === 'BUY' || side === 'SELL' ? side : null,
  };
}

/** The keys of changes of orders placed elsewhere that may have left. */
export const externalKeysOf = ({ externalChanges }: AllFound): ReadonlySet<string> =>
  new Set(
    externalChanges.unfit
      .filter(({ columns }) => columns['state'] !== 'not_sent')
      .map(({ columns }) =>
        externalChangeKey({
          ...{ by: String(columns['caller']), broker: String(columns['broker']) },
          kind: columns['kind'] === 'cancel' ? 'cancel' : 'modify',
          day: String(columns['day']),
          brokerOrderId: String(columns['broker_order_id']),
          idempotencyKey: String(columns['idempotency_key']),
        }),
      ),
  );

/** A damaged row may hold anything: what names no broker, instrument or order is not repeated to people. */
function instrumentAt(broker: unknown, instrument: unknown): string | null {
  const name = instrumentOf(instrument);
  return name === null ? null : `${name}${at(broker)}`;
}

function orderAt(broker: unknown, brokerOrderId: unknown): string | null {
  const isId = typeof brokerOrderId === 'string' && /^[\w:.-]{1,64}$/.test(brokerOrderId);
  return isId ? `order ${brokerOrderId}${at(broker)}` : null;
}

const at = (broker: unknown): string => (isBrokerName(broker) ? ` at ${broker}` : '');

const isBrokerName = (text: unknown): text is BrokerId =>
  typeof text === 'string' && /^[a-z][a-z0-9-]{0,39}$/.test(text);

const instrumentOf = (text: unknown): string | null =>
  typeof text === 'string' && text.length <= 64 && isInstrumentText(text) ? text : null;

function valueOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined;
  return Object.entries(json).find(([key]) => key === name)?.[1];
}

function listOf(json: unknown, name: string): readonly unknown[] {
  const value = valueOf(json, name);
  return Array.isArray(value) ? value : [];
}
