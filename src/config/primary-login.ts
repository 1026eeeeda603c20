import { hidden } from './configuration-error.ts';
import type { Readers } from './readers.ts';
import type { PrimaryLoginSecrets } from './settings.ts';
import type { Sources } from './sources.ts';

const NAMES = ['APP_PRIMARY_API_KEY', 'APP_PRIMARY_MPIN', 'APP_PRIMARY_TOTP_SECRET'] as const;
/** 80 bits: shorter ones are no secret. */
const BASE32 = /^[A-Z2-7]{16,256}=*$/i;

/**
 * What tokens of the primary brokerage are generated with; null without all three. Some of them
 * alone are a mistake that would show on the morning when a token is missed, so it stops the start.
 */
export function readPrimaryLogin(read: Readers, sources: Sources): PrimaryLoginSecrets | null {
  const [apiKey, mpin, totpSecret] = NAMES.map((name) => read.secret(name, 'get'));
  const missing = NAMES.find((name) => sources.get(name) === null);
  if (NAMES.every((name) => sources.get(name) === null)) return null;
  if (missing !== undefined) {
    const others = NAMES.filter((name) => name !== missing).join(' and ');
    read.refuse(
      missing,
      'nothing',
      `what belongs to ${others}: tokens are generated with all three, or not at all`,
    );
    return null;
  }
  // One that cannot be used has been refused as what it is.
  if (!apiKey || !mpin || !totpSecret) return null;
  if (!BASE32.test(totpSecret.reveal())) {
    read.refuse(
      'APP_PRIMARY_TOTP_SECRET',
      hidden(totpSecret.reveal()),
      'the base32 secret behind the one-time codes, at least 16 letters and digits 2 to 7, not a code',
    );
    return null;
  }
  return { apiKey, mpin, totpSecret };
}
