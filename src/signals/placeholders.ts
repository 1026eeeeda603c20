/**
 * Texts with placeholders: `{ticker}` stands for the field `ticker` of an alert, `{strategy.id}` for a field
 * of a field. Nothing is computed (docs/signals.md, "The template").
 */

/** The trading day on which the alert came, for alerts that tell the time of day alone. */
export const DAY_PLACEHOLDER = '@day';

/** A value longer than this is no symbol, word, number or id of an alert. */
const LONGEST_VALUE = 200;

const PLACEHOLDER = /\{([^{}]{1,128})\}/g;

/** The names of the placeholders in a text; null for a text with a brace that belongs to none. */
export function placeholdersOf(text: string): readonly string[] | null {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const rest = text.replace(PLACEHOLDER, '');
  return /[{}]/.test(rest) || names.some((name) => name.split('.').includes('')) ? null : names;
}

/** What a placeholder stands for, or why there is nothing, in words that quote nothing of the alert. */
export type Value =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string };

export type ValueOf = (name: string) => Value;

/** A text with its placeholders replaced; the first one that has no value decides. */
export function filledIn(template: string, valueOf: ValueOf): Value {
  let wrong: Value | null = null;
  const text = template.replace(PLACEHOLDER, (_whole, name: string) => {
    const value = valueOf(name);
    if (value.kind === 'value') return value.text;
    wrong ??= value;
    return '';
  });
  return wrong ?? { kind: 'value', text: text.trim() };
}

/** The field of an alert that a name such as `strategy.id` leads to; undefined where there is none. */
export function fieldAt(fields: unknown, name: string): unknown {
  let at: unknown = fields;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    // Entries are an object's own: no placeholder reaches what every object has.
    at = Object.entries(at).find(([key]) => key === part)?.[1];
  }
  return at;
}

/** Two such numbers can become equal when JSON is read. */
const TOO_MANY_DIGITS = 'is a number of more than 15 digits: send it as a text';

/** The text of a field that is part of an id. A price may have more digits behind its point than tell two ids apart. */
export function textOfId(name: string, value: unknown, text: Value): Value {
  const isLong = typeof value === 'number' && String(value).replace(/\D/g, '').length > 15;
  return isLong
    ? { kind: 'wrong', message: `the field ${name} of the alert ${TOO_MANY_DIGITS}` }
    : text;
}

/** The text of a field. Texts and numbers have one; everything else is no part of an order. */
export function textOf(name: string, value: unknown): Value {
  const wrong = (what: string): Value => ({
    kind: 'wrong',
    message: `the field ${name} of the alert ${what}`,
  });
  if (value === undefined || value === null) return wrong('is missing');
  if (typeof value !== 'string' && typeof value !== 'number') return wrong('is no text or number');
  // Read as a number of JSON, it is another one than its sender wrote: two ids could be the same.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return wrong(TOO_MANY_DIGITS);
  const text = String(value).trim();
  if (text === '') return wrong('is empty');
  if (text.length > LONGEST_VALUE) return wrong(`has more than ${LONGEST_VALUE} characters`);
  if (text.includes('{{')) return wrong('is a placeholder that its sender has not filled in');
  if (/[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}]/u.test(text))
    return wrong('has an unprintable character');
  return { kind: 'value', text };
}
