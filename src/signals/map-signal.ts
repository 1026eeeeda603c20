import type { ProblemError } from '../domain/problem.ts';
import { NUMBER_FIELDS, type SignalTemplate, TEXT_FIELDS } from '../domain/signal-template.ts';
import { epochMs, type EpochMs, type TradingDay } from '../units/branded.ts';
import {
  DAY_PLACEHOLDER,
  fieldAt,
  filledIn,
  textOf,
  textOfId,
  type Value,
  type ValueOf,
} from './placeholders.ts';
import { wordOf } from './template.ts';

/** Orders that one alert may place. */
export const MOST_ORDERS = 20;

/** What an alert asks for. The orders are bodies of `POST /orders`, which still have to be checked. */
export type MappedSignal =
  | {
      readonly kind: 'mapped';
      /** What the template makes of the alert's own id. */
      readonly alertId: string;
      /** When the alert was raised, by its own word; null where the template does not ask. */
      readonly alertAt: EpochMs | null;
      readonly orders: readonly Readonly<Record<string, string | number>>[];
    }
  | { readonly kind: 'refused'; readonly errors: readonly ProblemError[] };

/**
 * What a template makes of the fields of an alert. Pure: nothing is computed but what the template says, and
 * a field that is missing, of another kind or out of bounds refuses the alert as a whole.
 */
export function mapSignal(
  template: SignalTemplate,
  fields: unknown,
  day: TradingDay,
): MappedSignal {
  const errors: ProblemError[] = [];
  const refused = (path: string, message: string): null => {
    errors.push({ path, message });
    return null;
  };
  const ofAlert: ValueOf = (name) => {
    if (name === DAY_PLACEHOLDER) return { kind: 'value', text: day };
    return template.forEach.includes(name)
      ? wholeList(name, fieldAt(fields, name))
      : textOf(name, fieldAt(fields, name));
  };
  const filled = (path: string, text: string, valueOf: ValueOf): string | null => {
    const value = filledIn(text, valueOf);
    return value.kind === 'value' ? value.text : refused(path, value.message);
  };
  const alertId = filled('id', template.id, (name) => {
    const value = ofAlert(name);
    return value.kind === 'value' ? textOfId(name, fieldAt(fields, name), value) : value;
  });
  const alertAt = template.time === null ? null : timeOf(template.time, ofAlert, refused, filled);
  const lists = listsOf(template, fields, refused);
  const orders = (lists ?? []).flatMap((element, index) => {
    const valueOf: ValueOf = (name) => element.get(name) ?? ofAlert(name);
    const suffix = template.forEach.length === 0 ? '' : `.${index}`;
    return [orderOf(template, valueOf, `order${suffix}`, refused, filled)];
  });
  if (errors.length > 0 || alertId === null) return { kind: 'refused', errors };
  return { kind: 'mapped', alertId, alertAt, orders };
}

type Refused = (path: string, message: string) => null;
type Filled = (path: string, text: string, valueOf: ValueOf) => string | null;

function orderOf(
  template: SignalTemplate,
  valueOf: ValueOf,
  path: string,
  refused: Refused,
  filled: Filled,
): Record<string, string | number> {
  const order: Record<string, string | number> = {};
  for (const field of TEXT_FIELDS) {
    const text = template.order[field];
    if (text === undefined) continue;
    const value = filled(`${path}.${field}`, text, valueOf);
    if (value !== null) order[field] = wordOf(template, field, value);
  }
  for (const field of NUMBER_FIELDS) {
    const given = template.order[field];
    if (given === undefined) continue;
    const at = `${path}.${field}`;
    const value = typeof given === 'number' ? given : numberOf(at, given, valueOf, refused, filled);
    if (value === null) continue;
    if (field === 'quantity' && template.maxQuantity !== null && value > template.maxQuantity) {
      refused(at, `is more than the ${template.maxQuantity} that the hook allows in one order`);
    }
    order[field] = value;
  }
  return order;
}

/** `10`, `10.0` and `1500.5`; no sign, no exponent, no separator of thousands. */
const PLAIN_NUMBER = /^\d{1,9}(\.\d{1,9})?$/;

function numberOf(
  path: string,
  text: string,
  valueOf: ValueOf,
  refused: Refused,
  filled: Filled,
): number | null {
  const value = filled(path, text, valueOf);
  if (value === null) return null;
  return PLAIN_NUMBER.test(value)
    ? Number(value)
    : refused(path, 'takes a number such as 10 or 1500.5');
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A time of ISO 8601 with its zone, or Unix time in seconds or ms. */
function timeOf(
  template: string,
  valueOf: ValueOf,
  refused: Refused,
  filled: Filled,
): EpochMs | null {
  const text = filled('time', template, valueOf);
  if (text === null) return null;
  const at = ISO.test(text) ? Date.parse(text) : unixTime(text);
  if (!Number.isNaN(at)) return epochMs(at);
  const takes =
    '2026-11-23T03:45:00Z, with Z or an offset, or Unix time in seconds or milliseconds';
  return refused('time', `takes a time such as ${takes}`);
}

function unixTime(text: string): number {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000;
  return /^\d{13}$/.test(text) ? Number(text) : NaN;
}

/** The elements of a list: of an array, or of a text with commas. Null for anything else. */
function elementsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',') : null;
}

function wholeList(name: string, value: unknown): Value {
  const texts = (elementsOf(value) ?? []).map((each) => textOf(name, each));
  const wrong = texts.find((each) => each.kind === 'wrong');
  if (wrong !== undefined) return wrong;
  if (texts.length === 0) return textOf(name, undefined);
  return {
    kind: 'value',
    text: texts.flatMap((each) => ('text' in each ? each.text : [])).join(','),
  };
}

/** The values of the list fields for each order; one order without any where the template has no list. */
/** An entry in words, to compare it; one that is no text or number is refused later. */
const wordsOf = (entry: unknown): string =>
  typeof entry === 'string' ? entry.trim() : JSON.stringify(entry);

function listsOf(
  { forEach }: SignalTemplate,
  fields: unknown,
  refused: Refused,
): readonly ReadonlyMap<string, Value>[] | null {
  const [first] = forEach;
  if (first === undefined) return [new Map()];
  const lists = forEach.map((name) => elementsOf(fieldAt(fields, name)));
  const length = lists[0]?.length ?? 0;
  if (lists.some((list) => list === null || list.length === 0)) {
    return refused('forEach', 'takes fields that are lists, or texts with commas between');
  }
  if (lists.some((list) => list?.length !== length)) {
    return refused('forEach', 'takes lists of one length, and those of the alert differ');
  }
  if (length > MOST_ORDERS) {
    return refused('forEach', `takes at most ${MOST_ORDERS} orders, and the alert has ${length}`);
  }
  const named = (lists[0] ?? []).map((each) => wordsOf(each));
  if (new Set(named).size < named.length) {
    return refused(
      'forEach',
      `has one entry of ${first} twice: the alert may have been put together wrongly`,
    );
  }
  return named.map(
    (_each, index) =>
      new Map(forEach.map((name, place) => [name, textOf(name, lists[place]?.[index])])),
  );
}

/**
 * The fields of a body of plain text: each word of the body stands where the form has it, white space apart.
 * Null for a body of another form.
 */
export function textFields(form: string, body: string): Readonly<Record<string, string>> | null {
  const wanted = form.trim().split(/\s+/);
  const words = body.trim().split(/\s+/);
  if (wanted.length !== words.length) return null;
  const fields: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const word = words[index] ?? '';
    const [, before = '', name, after = ''] = /^([^{}]*)\{([^{}]+)\}([^{}]*)$/.exec(part) ?? [];
    if (name === undefined) {
      if (part !== word) return null;
      continue;
    }
    const length = word.length - before.length - after.length;
    if (length < 1 || !word.startsWith(before) || !word.endsWith(after)) return null;
    fields[name] = word.slice(before.length, before.length + length);
  }
  return fields;
}
