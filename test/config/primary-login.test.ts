import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/config/configuration-error.ts';
import { SECRET_NAMES } from '../../src/config/names.ts';
import { load } from './support/load.ts';

const CANARY = 'CANARYSECRETVALUE234';
const ALL = {
  APP_PRIMARY_API_KEY: 'primary-key',
  APP_PRIMARY_MPIN: '0123',
  APP_PRIMARY_TOTP_SECRET: 'JBSWY3DPEHPK3PXP',
};
const NAMES = Object.keys(ALL) as (keyof typeof ALL)[];

function refusal(environment: Record<string, string>): string {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('the configuration was taken');
}

describe('the credentials that generate tokens of the primary brokerage', () => {
  it('are read when they are complete', () => {
    const login = load(ALL).secrets.primaryLogin!;
    expect(login.apiKey.reveal()).toBe('primary-key');
    expect(login.mpin.reveal()).toBe('0123');
    expect(login.totpSecret.reveal()).toBe('JBSWY3DPEHPK3PXP');
  });

  it.each(NAMES)('stop the start without %s, and the error names it', (name) => {
    const message = refusal({ ...ALL, APP_PRIMARY_MPIN: CANARY, [name]: '' });
    expect(message).toMatch(new RegExp(`^${name}: got nothing; it takes`));
    for (const other of NAMES) expect(message).toContain(other);
    expect(message).not.toContain(CANARY);
  });

  it.each(['123456', 'JBSWY3DPEHPK3PX', 'JBSW Y3DP EHPK 3PXP', 'JBSWY3DPEHPK3PX1', `${CANARY}!`])(
    'stop the start when the TOTP secret is not base32, and the error does not show it: %s',
    (secret) => {
      const message = refusal({ ...ALL, APP_PRIMARY_TOTP_SECRET: secret });
      expect(message).toContain('APP_PRIMARY_TOTP_SECRET');
      expect(message).not.toContain(secret);
    },
  );

  it.each(['jbswy3dpehpk3pxp', 'JBSWY3DPEHPK3PXPJI======'])('accept %s', (secret) => {
    expect(load({ ...ALL, APP_PRIMARY_TOTP_SECRET: secret }).secrets.primaryLogin).not.toBeNull();
  });

  it.each(['1', '0123', '123456', 'ab'])('accept an MPIN of any length: %s', (mpin) => {
    const { primaryLogin } = load({ ...ALL, APP_PRIMARY_MPIN: mpin }).secrets;
    expect(primaryLogin?.mpin.reveal()).toBe(mpin);
  });

  it('are secret', () => {
    expect(SECRET_NAMES).toEqual(expect.arrayContaining(NAMES));
    const configuration = load({
      APP_PRIMARY_API_KEY: CANARY,
      APP_PRIMARY_MPIN: CANARY,
      APP_PRIMARY_TOTP_SECRET: CANARY,
    });
    expect(JSON.stringify(configuration)).not.toContain(CANARY);
  });

  it('replace a token, whose absence then causes no warning', () => {
    expect(load({}).warnings.join()).toContain('APP_PRIMARY_ACCESS_TOKEN');
    expect(load(ALL).warnings.join()).not.toContain('APP_PRIMARY_ACCESS_TOKEN');
  });
});
