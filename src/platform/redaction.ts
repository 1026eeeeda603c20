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
 * - A secret of 6 characters or more is replaced everywhere, also as it is written within a
 *   URL or a JSON string. A shorter one, which only a broker could have issued, is replaced where
 *   it stands as a word of its own.
 * - A code is replaced where it is a whole run of digits: 1234 is not found in 12345.
 */
export function redact(text: string, { secrets = [], codes = [] }: Redacted): string {
  // The longest first: a shorter secret within it must not break it up.
  const known = secrets
    .filter((secret) => secret !== null && secret !== undefined)
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length);
  let shown = text;
  for (const secret of known) {
    shown =
      secret.length < LEAST_SECRET_LENGTH
        ? withoutWord(shown, secret, 'A-Za-z0-9')
        : spellingsOf(secret).reduce((rest, each) => rest.replaceAll(each, () => MARK), shown);
  }
  for (const code of codes) {
    if (code !== '') shown = withoutWord(shown, code, /^\d+$/.test(code) ? '0-9' : 'A-Za-z0-9');
  }
  return shown;
}

/** The secret as it is, and as it is written in a URL or in a JSON string. */
function spellingsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([
      encodeURIComponent(secret),
      inJson.replaceAll('/', String.raw`\/`),
      inJson,
      secret,
    ]),
  ];
}

/** Replaces the word where no character of `kind` (as in a character class) is next to it. */
function withoutWord(text: string, word: string, kind: string): string {
  const pattern = `(?<![${kind}])${literal(word)}(?![${kind}])`;
  return text.replaceAll(new RegExp(pattern, 'g'), () => MARK);
}

function literal(word: string): string {
  return word.replace(/[^A-Za-z0-9]/g, String.raw`\$&`);
}
