import { badInput } from './refusal.ts';

/** Reads one of several words, or throws Kite's refusal. */
export function oneOf<Word extends string>(
  form: URLSearchParams,
  name: string,
  words: readonly Word[],
  fallback?: Word,
): Word {
  const given = form.get(name) ?? fallback;
  const word = words.find((one) => one === given);
  if (word === undefined) throw badInput(`Invalid \`${name}\`.`);
  return word;
}

export function wholeNumber(form: URLSearchParams, name: string): number {
  const text = form.get(name) ?? '';
  if (!/^\d+$/.test(text) || Number(text) < 1) throw badInput(`Invalid \`${name}\`.`);
  return Number(text);
}

/** A price field in paise; null when absent or zero. */
export function priceField(form: URLSearchParams, name: string): number | null {
  const text = form.get(name);
  if (text === null || text === '') return null;
  if (!/^\d+(\.\d+)?$/.test(text)) throw badInput(`Invalid \`${name}\`.`);
  const paise = Number(text) * 100;
  return paise === 0 ? null : paise;
}
