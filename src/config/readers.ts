import { LEAST_SECRET_LENGTH } from '../platform/redaction.ts';
import { Secret } from '../platform/secret.ts';
import { ConfigurationError, hidden, shown } from './configuration-error.ts';
import type { SecretName, SettingName } from './names.ts';
import type { Sources } from './sources.ts';

/** Readers of one setting each: its value, its default when unset, or a ConfigurationError. */
export interface Readers {
  text(name: SettingName, pattern: RegExp, takes: string): string | null;
  secret(name: SecretName, from: keyof SecretOrigins): Secret | null;
  flag(name: SettingName, otherwise: boolean): boolean;
  choice<T extends string>(name: SettingName, choices: readonly T[], otherwise: T): T;
  number(name: SettingName, range: NumberRange, otherwise: number): number;
  list(name: SettingName, pattern: RegExp, takes: string): readonly string[] | null;
  /** Of http or https, when no others are named. */
  url(name: SettingName, takes: string, protocols?: readonly string[]): string | null;
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
/** Whoever guesses the admin key can place orders. */
const LEAST_ADMIN_KEY_LENGTH = 16;

export function createReaders(sources: Sources): Readers {
  return {
    text(name, pattern, takes) {
      const text = sources.get(name);
      if (text !== null && !pattern.test(text)) {
        // The key is public, but a user may have entered the secret by mistake.
        const got = name === 'APP_ALT_BROKER_API_KEY' ? hidden(text) : shown(text);
        throw new ConfigurationError(name, got, takes);
      }
      return text;
    },

    secret(name, from) {
      const text = sources[from](name);
      if (text === null) return null;
      if (!SECRET_TEXT.test(text)) {
        const takes = 'printable characters without spaces, at most 4096';
        throw new ConfigurationError(name, hidden(text), takes);
      }
      const least = leastLengthOf(name);
      if (text.length < least) {
        throw new ConfigurationError(name, hidden(text), `at least ${least} characters`);
      }
      return new Secret(text);
    },

    flag(name, otherwise) {
      const text = sources.get(name);
      if (text === null) return otherwise;
      if (/^(true|1|yes|on)$/i.test(text)) return true;
      if (/^(false|0|no|off)$/i.test(text)) return false;
      throw new ConfigurationError(name, shown(text), 'true or false');
    },

    choice(name, choices, otherwise) {
      const text = sources.get(name);
      if (text === null) return otherwise;
      const found = choices.find((each) => each === text.toLowerCase());
      if (found === undefined) {
        throw new ConfigurationError(name, shown(text), `one of ${choices.join(', ')}`);
      }
      return found;
    },

    number(name, { from, to, decimals, unit }, otherwise) {
      const text = sources.get(name);
      if (text === null) return otherwise;
      const form =
        decimals === 0 ? /^\d{1,15}$/ : new RegExp(`^\\d{1,15}(\\.\\d{1,${decimals}})?$`);
      const value = Number(text);
      if (!form.test(text) || value < from || value > to) {
        const kind = decimals === 0 ? 'a whole number' : 'a number';
        const of = unit === undefined ? '' : ` of ${unit}`;
        throw new ConfigurationError(name, shown(text), `${kind}${of} from ${from} to ${to}`);
      }
      return value;
    },

    list(name, pattern, takes) {
      const text = sources.get(name);
      if (text === null) return null;
      const items = text.split(',').map((item) => item.trim());
      const repeated = items.some((item, place) => items.indexOf(item) !== place);
      if (repeated || !items.every((item) => pattern.test(item))) {
        throw new ConfigurationError(name, shown(text), takes);
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
        throw new ConfigurationError(name, got, takes);
      }
      return text.replace(/\/+$/, '');
    },
  };
}
