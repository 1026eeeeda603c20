/**
 * A shorter secret is refused as a setting: redaction would find it within ordinary words. Brokers
 * issue much longer ones (Kite Connect: a key of 16 characters, a secret and a token of 32; a
 * Telegram bot's token has more than 30).
 */
export const LEAST_SECRET_LENGTH = 6;

const MARK = '[secret]';

export interface Redacted {
  /** Keys, secrets and tokens; null and empty ones are skipped. */
  readonly secrets?: readonly (string | null | undefined)[];
  /** PINs and one-time codes, of any length. */
  readonly codes?: readonly string[];
}

/**
 * The text with `[secret]` in place of each secret and code.
 *
 * - A secret of 6 characters or more is replaced everywhere, in any letter case. A shorter one,
 *   which only a broker could have issued, is replaced where it stands as a word of its own.
 * - A code is replaced where it is a whole run of digits: 1234 is not found in 12345.
 * - Both are found also where any of their characters are escaped, as in a URL, in JSON, in
 *   JavaScript or in HTML, up to three times over. A text that holds one in this way is shown
 *   decoded; any other stays as it is.
 */
export function redact(text: string, hidden: Redacted): string {
  const long = (hidden.secrets ?? []).filter((each) => (each?.length ?? 0) >= LEAST_SECRET_LENGTH);
  const literal = without(text, { secrets: long }, 0);
  const levels = [literal];
  for (let level = 1; level <= MOST_ESCAPED; level += 1) {
    const next = decodeEscapes(levels[level - 1] ?? literal);
    if (next === levels[level - 1]) break;
    levels.push(next);
  }
  // The most decoded first: the digits of an escape could be taken for a code.
  for (const [level, decoded] of [...levels.entries()].toReversed()) {
    const shown = without(decoded, hidden, level);
    if (shown !== decoded) return shown;
  }
  return literal;
}

const MOST_ESCAPED = 3;

/**
 * A text that was decoded `level` times, without what is literally in it. A secret that contains what
 * looks like an escape was decoded together with the text.
 */
function without(text: string, { secrets = [], codes = [] }: Redacted, level: number): string {
  // The longest first: a shorter secret within it must not break it up.
  const known = secrets
    .filter((secret) => secret !== null && secret !== undefined)
    .flatMap((secret) => decodings(secret, level))
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length);
  let shown = text;
  for (const secret of known) {
    shown =
      secret.length < LEAST_SECRET_LENGTH
        ? withoutWord(shown, secret, 'A-Za-z0-9')
        : shown.replaceAll(new RegExp(asPattern(secret), 'gi'), () => MARK);
  }
  for (const code of codes) {
    if (code !== '') shown = withoutWord(shown, code, /^\d+$/.test(code) ? '0-9' : 'A-Za-z0-9');
  }
  return shown;
}

/** The text itself, and what up to `level` decodings make of it. */
function decodings(text: string, level: number): readonly string[] {
  const found = [text];
  for (let count = 0; count < level; count += 1) found.push(decodeEscapes(found.at(-1) ?? text));
  return [...new Set(found)];
}

const ESCAPES =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x0*([0-9a-f]{1,4});?|&#0*(\d{1,5});?|\\(["'\\/])|&(amp|lt|gt|quot|apos);/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

function decodeEscapes(text: string): string {
  return text.replace(
    ESCAPES,
    (
      all: string,
      percent?: string,
      json?: string,
      script?: string,
      entity?: string,
      decimal?: string,
      escaped?: string,
      named?: string,
    ) => {
      const code = percent ?? json ?? script ?? entity;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (decimal !== undefined) return String.fromCharCode(Number(decimal));
      return escaped ?? ENTITIES[named?.toLowerCase() ?? ''] ?? all;
    },
  );
}

/** Replaces the word where no character of `kind` (as in a character class) is next to it. */
function withoutWord(text: string, word: string, kind: string): string {
  const pattern = `(?<![${kind}])${asPattern(word)}(?![${kind}])`;
  return text.replaceAll(new RegExp(pattern, 'g'), () => MARK);
}

function asPattern(word: string): string {
  return word.replace(/[^A-Za-z0-9]/g, String.raw`\$&`);
}
