import { ORDER_TYPES, SIDES, VALIDITIES } from '../domain/order.ts';
import type { ProblemError } from '../domain/problem.ts';
import { type SignalTemplate, TEXT_FIELDS, type TextField } from '../domain/signal-template.ts';
import { DAY_PLACEHOLDER, placeholdersOf } from './placeholders.ts';

/** Words that say a side wherever a template says nothing else of them. */
export const SIDE_WORDS: Readonly<Record<string, string>> = {
  ...{ buy: 'BUY', long: 'BUY' },
  ...{ sell: 'SELL', short: 'SELL' },
};

const CHOICES: Readonly<Partial<Record<TextField, readonly string[]>>> = {
  side: SIDES,
  orderType: ORDER_TYPES,
  validity: VALIDITIES,
};

/** The word that a field of an order takes, for the one that an alert or a constant has. */
export function wordOf({ words }: Pick<SignalTemplate, 'words'>, field: TextField, text: string) {
  const own = Object.entries(words[field] ?? {});
  const lower = text.toLowerCase();
  const found = own.find(([word]) => word.trim().toLowerCase() === lower)?.[1];
  if (found !== undefined) return found;
  if (field === 'side') return SIDE_WORDS[lower] ?? text.toUpperCase();
  return field === 'instrument' || field === 'tag' || field === 'broker'
    ? text
    : text.toUpperCase();
}

/** What is wrong with a template; empty when it can be used. */
export function mistakesOf(template: SignalTemplate): readonly ProblemError[] {
  const mistakes: ProblemError[] = [];
  const wrong = (path: string, message: string): void => void mistakes.push({ path, message });
  const names = new Map<string, readonly string[]>();
  for (const [path, text] of textsOf(template)) {
    const found = placeholdersOf(text);
    if (found === null) wrong(path, 'has a brace that belongs to no placeholder such as {ticker}');
    else names.set(path, found);
  }
  if ((names.get('id') ?? ['?']).every((name) => name === DAY_PLACEHOLDER)) {
    wrong('id', 'takes at least one field of the alert: without it a repeat cannot be recognised');
  }
  checkText(template, names, wrong);
  checkConstants(template, names, wrong);
  checkQuantity(template, wrong);
  return mistakes;
}

type Wrong = (path: string, message: string) => void;

/** Every text of a template that may have placeholders, with its path. */
function textsOf({
  id,
  time,
  text,
  order,
}: SignalTemplate): readonly (readonly [string, string])[] {
  const ofOrder = Object.entries(order).flatMap(([field, value]) =>
    typeof value === 'string' ? [[`order.${field}`, value] as const] : [],
  );
  return [
    ['id', id],
    ...(time === null ? [] : [['time', time] as const]),
    ...(text === null ? [] : [['text', text] as const]),
    ...ofOrder,
  ];
}

/** A text body has the fields that its form names, and no others. */
function checkText(
  { text, forEach }: SignalTemplate,
  names: ReadonlyMap<string, readonly string[]>,
  wrong: Wrong,
): void {
  if (text === null) return;
  const known = names.get('text') ?? [];
  if (known.includes(DAY_PLACEHOLDER)) wrong('text', `takes no {${DAY_PLACEHOLDER}}`);
  if (new Set(known).size < known.length) wrong('text', 'names a field twice');
  for (const word of text.trim().split(/\s+/)) {
    if ((placeholdersOf(word) ?? []).length > 1) {
      wrong('text', 'takes one field in a word: put a space between two');
    }
  }
  const has = (name: string): boolean => name === DAY_PLACEHOLDER || known.includes(name);
  for (const [path, used] of names) {
    const missing = used.find((name) => !has(name));
    if (path !== 'text' && missing !== undefined) {
      wrong(path, `names the field ${missing}, which text does not have`);
    }
  }
  if (forEach.some((name) => !has(name))) wrong('forEach', 'names a field that text does not have');
}

/** A constant that no order takes would refuse every alert. */
function checkConstants(
  template: SignalTemplate,
  names: ReadonlyMap<string, readonly string[]>,
  wrong: Wrong,
): void {
  for (const [field, choices] of Object.entries(CHOICES)) {
    const known = TEXT_FIELDS.find((each) => each === field);
    const text = known && template.order[known];
    if (known === undefined || text === undefined || names.get(`order.${field}`)?.length !== 0) {
      continue;
    }
    if (!choices.includes(wordOf(template, known, text))) {
      wrong(`order.${field}`, `takes ${choices.join(', ')}, or a field of the alert in braces`);
    }
  }
}

function checkQuantity({ order, maxQuantity }: SignalTemplate, wrong: Wrong): void {
  const { quantity } = order;
  if (typeof quantity === 'string' && maxQuantity === null) {
    wrong('maxQuantity', 'is required where the alert says the quantity: the most of one order');
  }
  if (typeof quantity === 'number' && maxQuantity !== null && quantity > maxQuantity) {
    wrong('order.quantity', 'is more than maxQuantity');
  }
}
