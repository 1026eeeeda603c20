import {
  needsPrice,
  needsTrigger,
  type OrderModification,
  type OrderTerms,
  type OrderType,
} from '../../domain/order.ts';
import { type EpochMs, epochMs } from '../../units/branded.ts';
import {
  askedValues,
  mayBeTaken,
  type AskedValue,
  asShown,
  type Changeable,
  mayLag,
  termsAfter,
} from './accepted-terms.ts';
import { answeredAt, type AttemptRecord, placedTerms } from './attempt.ts';
import { bindingOf, fillOf, type OrderRecord } from './order.ts';

/** An order that is to be changed, with what its broker has been asked to change of it. */
export interface OrderToChange {
  readonly order: OrderRecord;
  readonly attempts: readonly AttemptRecord[];
  /** When the book was asked for that has shown its row last (epoch ms); null where that is not known. */
  readonly asOf: EpochMs | null;
}

type Values<Value> = readonly (Value | null)[];
type FieldOf<Value> = (terms: Changeable) => Value | null;

const typeOf: FieldOf<OrderType> = ({ orderType }) => orderType;
const quantityOf: FieldOf<number> = ({ quantity }) => quantity;
const priceOf: FieldOf<number> = ({ price }) => price;
const triggerOf: FieldOf<number> = ({ triggerPrice }) => triggerPrice;

/** The terms that an order has now, as far as is known: those that answers show. */
export const presentTerms = ({ order, attempts, asOf }: OrderToChange): OrderTerms =>
  asShown(order, attempts, asOf).terms;

/** The terms of its row, without what was accepted and the row does not show yet. */
const termsOfRow = ({ order, attempts }: OrderToChange): OrderTerms =>
  asShown(order, attempts, epochMs(Infinity)).terms;

/** The values of a field that the row does not show, and that the order may have all the same, first to last. */
function openValues<Value>(toChange: OrderToChange, fieldOf: FieldOf<Value>): AskedValue<Value>[] {
  const { order, attempts, asOf } = toChange;
  const shown = fieldOf(termsOfRow(toChange));
  const asked = askedValues(attempts, bindingOf(order)?.row?.updatedAt ?? null, fieldOf);
  const last = asked.findLastIndex(({ value }) => value === shown);
  const placing = attempts.findLast((attempt) => attempt.kind === 'place');
  const before = asked.slice(0, Math.max(last, 0)).map(({ value }) => value);
  // A value that was accepted, and asked for only once, is that of its request: the row does not lag behind those
  // before it.
  const isProven =
    asked[last]?.isUncertain === false &&
    placing !== undefined &&
    ![fieldOf(placedTerms(placing)), ...before].includes(shown);
  return asked.filter((each, index) => {
    if (index < last && isProven) return false;
    // A book can be older than it should be: what was accepted may hold until a row is changed after it.
    const mayHold = each.isUncertain || !each.isRowLater;
    return mayHold && (index > last || mayLag(asOf, each.answeredAt));
  });
}

/** An order that works has no quantity that is filled already. */
const openQuantities = (toChange: OrderToChange): AskedValue<number>[] =>
  openValues(toChange, quantityOf).filter(
    ({ value }) => value > (fillOf(toChange.order).filledQuantity ?? 0),
  );

/** The lowest and the highest quantity that an order may have. */
export function possibleQuantities(toChange: OrderToChange): {
  readonly lowest: number;
  readonly highest: number;
} {
  const all = possibleFigures(toChange).quantity;
  return { lowest: Math.min(...all), highest: Math.max(...all) };
}

/** All terms that an order may have, beside its quantity; the present ones first. */
export function possibleTerms(toChange: OrderToChange): readonly OrderTerms[] {
  const shown = [presentTerms(toChange), termsOfRow(toChange)];
  const allOf = <Value>(fieldOf: FieldOf<Value>): Values<Value> => [
    ...shown.map(fieldOf),
    ...openValues(toChange, fieldOf).map(({ value }) => value),
  ];
  return combined(toChange, {
    orderType: allOf(typeOf),
    price: allOf(priceOf),
    triggerPrice: allOf(triggerOf),
  });
}

/** What each figure of an order may be. */
export const possibleFigures = (toChange: OrderToChange) => ({
  quantity: [
    ...[presentTerms(toChange).quantity, termsOfRow(toChange).quantity],
    ...openQuantities(toChange).map(({ value }) => value),
  ],
  price: possibleTerms(toChange).map(({ price }) => price),
  triggerPrice: possibleTerms(toChange).map(({ triggerPrice }) => triggerPrice),
});

/** Terms of each of these types, with each of these prices that its type has. */
function combined(
  toChange: OrderToChange,
  all: {
    readonly orderType: Values<OrderType>;
    readonly price: Values<number>;
    readonly triggerPrice: Values<number>;
  },
): readonly OrderTerms[] {
  const present = presentTerms(toChange);
  const found = new Map<string, OrderTerms>();
  for (const orderType of all.orderType) {
    if (orderType === null) continue;
    for (const price of needsPrice(orderType) ? known(all.price) : [null]) {
      for (const triggerPrice of needsTrigger(orderType) ? known(all.triggerPrice) : [null]) {
        const key = [orderType, price, triggerPrice].join('|');
        if (!found.has(key)) found.set(key, { ...present, orderType, price, triggerPrice });
      }
    }
  }
  return found.size === 0 ? [present] : [...found.values()];
}

/** Those that are known; null alone where none is. */
function known<Value>(values: Values<Value>): Values<Value> {
  const all = values.filter((value) => value !== null);
  return all.length === 0 ? [null] : all;
}

/**
 * The terms that a request to a broker repeats which requires all of them, as far as it is not to change them:
 * those that answers show. While a change may have been made that the book does not show yet, it is the lower quantity,
 * and of types and prices those that trade later: a request that did not ask for it must not raise the order's risk.
 * Compared are the last accepted change and those since; under a brake everything that was accepted, and each
 * quantity that the order may have.
 */
export function termsToRepeat(
  toChange: OrderToChange,
  changes: OrderModification,
  { isBraked }: { readonly isBraked: boolean },
): OrderTerms {
  const repeated = repeatable(toChange, isBraked);
  const terms = combined(toChange, repeated);
  const fitting = terms.filter((each) => hasPricesOf(termsAfter(each, changes), changes));
  const later = (fitting.length > 0 ? fitting : terms).reduce(furtherFromTrading);
  return { ...later, quantity: Math.min(...repeated.quantity) };
}

function repeatable(toChange: OrderToChange, isBraked: boolean) {
  const present = presentTerms(toChange);
  const row = termsOfRow(toChange);
  const allOf = <Value>(
    fieldOf: FieldOf<Value>,
    open = openValues(toChange, fieldOf),
  ): Values<Value> => {
    const lagging = open.filter((each) => mayLag(toChange.asOf, repeatedUntil(toChange, each)));
    // The last one that was accepted counts: a row may show by chance what was asked for after it.
    const accepted = lagging.findLastIndex((each) => !each.isUncertain);
    const values = isBraked
      ? open.filter((each) => !each.isUncertain || lagging.includes(each))
      : lagging.slice(Math.max(accepted, 0));
    return [
      ...[fieldOf(present), ...(isBraked ? [fieldOf(row)] : [])],
      ...values.map(({ value }) => value),
    ];
  };
  const quantities = openQuantities(toChange);
  return {
    orderType: allOf(typeOf),
    // No order is made larger under a brake, not even as large as a book has shown it that is too old.
    quantity: [
      ...allOf(quantityOf, quantities),
      ...(isBraked ? quantities.map(({ value }) => value) : []),
    ].filter((quantity) => quantity !== null),
    price: allOf(priceOf),
    triggerPrice: allOf(triggerOf),
  };
}

/** When a request was answered last that asked for a value of open outcome, or repeated it (epoch ms). */
function repeatedUntil({ attempts }: OrderToChange, { answeredAt: since }: { answeredAt: number }) {
  let until = since;
  for (const attempt of attempts) {
    if (attempt.kind !== 'modify' || !mayBeTaken(attempt) || attempt.sentAt < since) continue;
    if (mayLag(attempt.sentAt, until)) until = Math.max(until, answeredAt(attempt));
  }
  return until;
}

/** Whether terms have the prices that a change asks for. */
const hasPricesOf = ({ orderType }: OrderTerms, { price, triggerPrice }: OrderModification) =>
  (price === null || needsPrice(orderType)) && (triggerPrice === null || needsTrigger(orderType));

/** Of two sets of terms of one order, the one that trades later, if at all: figure by figure. */
function furtherFromTrading(one: OrderTerms, other: OrderTerms): OrderTerms {
  const waits = ({ orderType }: OrderTerms): number =>
    (needsPrice(orderType) ? 2 : 0) + (needsTrigger(orderType) ? 1 : 0);
  const [later, sooner] = waits(other) > waits(one) ? [other, one] : [one, other];
  const [lower, higher] = later.side === 'BUY' ? [Math.min, Math.max] : [Math.max, Math.min];
  const of = (choose: typeof lower, first: number | null, second: number | null) =>
    first === null || second === null ? first : choose(first, second);
  return {
    ...later,
    price: of(lower, later.price, sooner.price),
    triggerPrice: of(higher, later.triggerPrice, sooner.triggerPrice),
  };
}
