/** Text without characters that move a cursor or turn text around, which are shown by their numbers: brokers write some of what is shown. */
export function printable(text: string): string {
  // By UTF-16 unit, as JSON writes it: what is shown of JSON stays JSON.
  const unit = (at: string): string => `\\u${at.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (each) => each.split('').map(unit).join(''));
}

/** The same of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** A value beside its name: in quotes where it would not be seen where the value ends. */
export function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
