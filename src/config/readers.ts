import { LEAST_SECRET_LENGTH } from '../platform/redaction.ts';
import { Secret } from '../platform/secret.ts';
import { ConfigurationError, hidden, shown, throwAll } from './configuration-error.ts';
import type { SecretName, SettingName } from './names.ts';
import type { Sources } from './sources.ts';

/**
 * Readers of one setting each: its value, or its default when it is unset. A wrong value is remembered and
 * read as unset, so that `throwRefused` can tell all wrong ones at once.
 */
export interface Readers {
  text(name: SettingName, pattern: RegExp, takes: string): string | null;
  secret(name: SecretName, from: keyof SecretOrigins): Secret | null;
  flag(name: SettingName, otherwise: boolean): boolean;
  choice<T extends string>(name: SettingName, choices: readonly T[], otherwise: T): T;
  number(name: SettingName, range: NumberRange, otherwise: number): number;
  list(name: SettingName, pattern: RegExp, takes: string): readonly string[] | null;
  /** Of http or https, when no others are named. */
  url(name: SettingName, takes: string, protocols?: readonly string[]): string | null;
  /** Remembers what a reader of several settings found wrong. */
  refuse(name: SettingName, got: string, takes: string): void;
  /** Throws a ConfigurationError, or ConfigurationErrors for several, if anything was refused. */
  throwRefused(): void;
}

export interface NumberRange {
  readonly from: number;
  readonly to: number;
  /** Digits after the point. */
  readonly decimals: number;
  /** What the number counts: `seconds`. */
  readonly unit?: string;
}

type SecretOrigins = Pick<Sources, 'get' | 'fromEnvironment' | 'fromFile'>;

/** Characters. A PIN may have any length: it is redacted as a whole run of digits. */
function leastLengthOf(name: SecretName): number {
  if (name === 'APP_API_KEY') return LEAST_ADMIN_KEY_LENGTH;
  return name === 'APP_PRIMARY_MPIN' ? 1 : LEAST_SECRET_LENGTH;
}

/** Printable, without a space: an HTTP header can contain it unchanged. */
const SECRET_TEXT = /^[\x21-\x7e]{1,4096}$/;
/** What was given is not shown: a secret may look like a placeholder. */
const PLACEHOLDER_GOT = 'the placeholder of an example';
/**
 * Texts that stand for a value that somebody meant to fill in: `your_api_secret`, `<token>`, `changeme`,
 * `xxxxxxxx`, `...`.
 */
const PLACEHOLDER =
  /^(<.*>|\{.*\}|\[.*\]|[x*.?_-]+|(change|replace|fill)[-_]?(me|this|in).*|(your|insert|enter)[-_].*|placeholder)$/i;
/** Whoever guesses the admin key can place orders. */
const LEAST_ADMIN_KEY_LENGTH = 16;

export function createReaders(sources: Sources): Readers {
  const refused: ConfigurationError[] = [];
  function refuse(name: SettingName, got: string, takes: string): void {
    refused.push(new ConfigurationError(name, got, takes));
  }

  return {
    refuse,
    throwRefused: () => throwAll(refused),

    text(name, pattern, takes) {
      const text = sources.get(name);
      const isKey = name === 'APP_ALT_BROKER_API_KEY';
      if (text !== null && isKey && PLACEHOLDER.test(text)) {
        refuse(name, PLACEHOLDER_GOT, 'the real value');
        return null;
      }
      if (text !== null && !pattern.test(text)) {
        // The key is public, but a user may have entered the secret by mistake.
        const got = isKey ? hidden(text) : shown(text);
        refuse(name, got, takes);
        return null;
      }
      return text;
    },

    secret(name, from) {
      const text = sources[from](name);
      if (text === null) return null;
      const least = leastLengthOf(name);
      if (!SECRET_TEXT.test(text)) {
        refuse(name, hidden(text), 'printable characters without spaces, at most 4096');
      } else if (text.length < least) refuse(name, hidden(text), `at least ${least} characters`);
      else if (PLACEHOLDER.test(text)) refuse(name, PLACEHOLDER_GOT, 'the real value');
      else return new Secret(text);
      return null;
    },

    flag(name, otherwise) {
      const text = sources.get(name);
      if (text === null) return otherwise;
      if (/^(true|1|yes|on)$/i.test(text)) return true;
      if (/^(false|0|no|off)$/i.test(text)) return false;
      refuse(name, shown(text), 'true or false');
      return otherwise;
    },

    choice(name, choices, otherwise) {
      const text = sources.get(name);
      if (text === null) return otherwise;
      const found = choices.find((each) => each === text.toLowerCase());
      if (found === undefined) {
        refuse(name, shown(text), `one of ${choices.join(', ')}`);
      }
      return found ?? otherwise;
    },

    number(name, range, otherwise) {
      const text = sources.get(name);
      if (text === null) return otherwise;
      const value = numberIn(text, range);
      if (value === null) refuse(name, shown(text), takesOf(range));
      return value ?? otherwise;
    },

    list(name, pattern, takes) {
      const text = sources.get(name);
      if (text === null) return null;
      const items = text.split(',').map((item) => item.trim());
      const repeated = items.some((item, place) => items.indexOf(item) !== place);
      if (repeated || !items.every((item) => pattern.test(item))) {
        refuse(name, shown(text), takes);
        return null;
      }
      return items;
    },

    url(name, takes, protocols = ['https:', 'http:']) {
      const text = sources.get(name);
      if (text === null) return null;
      const url = URL.canParse(text) ? new URL(text) : null;
      const usable =
        url !== null &&
        protocols.includes(url.protocol) &&
        !text.includes('@') &&
        url.search === '' &&
        url.hash === '';
      if (!usable) {
        const got = text.includes('@') ? 'an address with a user or a password in it' : shown(text);
        refuse(name, got, takes);
        return null;
      }
      return text.replace(/\/+$/, '');
    },
  };
}

function numberIn(text: string, { from, to, decimals }: NumberRange): number | null {
  const form = decimals === 0 ? /^\d{1,15}$/ : new RegExp(`^\\d{1,15}(\\.\\d{1,${decimals}})?$`);
  const value = Number(text);
  return form.test(text) && value >= from && value <= to ? value : null;
}

function takesOf({ from, to, decimals, unit }: NumberRange): string {
  const kind = decimals === 0 ? 'a whole number' : 'a number';
  const of = unit === undefined ? '' : ` of ${unit}`;
  return `${kind}${of} from ${from} to ${to}`;
}
