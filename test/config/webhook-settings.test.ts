import { describe, expect, it } from 'vitest';
import { CANARY, load, refusal } from './support/load.ts';

const URL = 'https://hooks.test/own?to=me';
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
const SECRET = secretOf(32);

describe('the settings of a webhook', () => {
  it.each([24, 25, 26, 32, 64])('take a secret of %i bytes', (bytes) => {
    const given = { APP_WEBHOOK_URL: URL, APP_WEBHOOK_SECRET: secretOf(bytes) };
    const { settings, secrets } = load(given);
    expect(settings.webhooks.url).toBe(URL);
    expect(secrets.webhookSecret?.reveal()).toBe(secretOf(bytes));
  });

  it.each([
    ['APP_WEBHOOK_SECRET', { APP_WEBHOOK_URL: URL }],
    ['APP_WEBHOOK_URL', { APP_WEBHOOK_SECRET: SECRET }],
  ])('are refused without %s, which is named', (name, given) => {
    expect(refusal(given)).toMatch(new RegExp(`${name}: got nothing`));
  });

  it.each([
    'hooks.test/own',
    'ftp://hooks.test',
    'https://me:x@hooks.test',
    'https://hooks.test/#x',
  ])('refuse the address %s', (url) => {
    const message = refusal({ APP_WEBHOOK_URL: url, APP_WEBHOOK_SECRET: SECRET });
    expect(message).toContain('APP_WEBHOOK_URL');
    expect(message).toContain('an http or https address without user and fragment');
  });

  it('show no address that is refused, because it may hold a secret of the receiver', () => {
    const given = { APP_WEBHOOK_URL: `htp://hooks.test/${CANARY}`, APP_WEBHOOK_SECRET: SECRET };
    expect(refusal(given)).not.toContain(CANARY);
  });

  it.each([secretOf(23), secretOf(65), SECRET.slice(6), `whsec_${CANARY.repeat(3)}`])(
    'refuse a secret of another form, and do not show it: %#',
    (secret) => {
      const message = refusal({ APP_WEBHOOK_URL: URL, APP_WEBHOOK_SECRET: secret });
      expect(message).toContain('takes whsec_ and the base64 of 24 to 64 bytes');
      expect(message).not.toContain(secret.slice(6));
    },
  );

  it('allow an address of this computer only where the setting for that says so', () => {
    const given = { APP_WEBHOOK_URL: 'http://127.0.0.1:9003/', APP_WEBHOOK_SECRET: SECRET };
    expect(refusal(given)).toContain('APP_WEBHOOK_PRIVATE_ADDRESSES is not true');
    const { webhooks } = load({ ...given, APP_WEBHOOK_PRIVATE_ADDRESSES: 'true' }).settings;
    expect(webhooks.url).toBe('http://127.0.0.1:9003/');
  });
});
