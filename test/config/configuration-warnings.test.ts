import { describe, expect, it } from 'vitest';
import { CANARY, load } from './support/load.ts';

describe('a warning of the configuration', () => {
  it('warns that a reminder without a public address has a link for this computer alone', () => {
    const set = {
      APP_ALT_BROKER_API_KEY: 'kitekey',
      APP_ALT_BROKER_API_SECRET: 'secret',
      APP_TELEGRAM_BOT_TOKEN: '4242:a-token_of-the-bot',
      APP_TELEGRAM_CHAT_ID: '777',
    };
    expect(load(set).warnings.join()).toContain('APP_PUBLIC_URL');
    const here = { ...set, APP_PUBLIC_URL: 'https://gateway.example' };
    expect(load(here).warnings.join()).not.toContain('APP_PUBLIC_URL');
  });

  it('warns of what is missing for the alternative broker, and starts', () => {
    const { settings, warnings } = load();
    expect(settings.alt).toBeNull();
    expect(warnings.join()).toMatch(/APP_ALT_BROKER_API_KEY and APP_ALT_BROKER_API_SECRET/);
  });

  it('warns of a name that is no setting, and of its value nothing', () => {
    const { warnings } = load({ APP_PROT: CANARY, OTHER: 'x' });
    expect(warnings.join()).toContain('APP_PROT');
    expect(warnings.join()).not.toContain('OTHER');
    expect(warnings.join()).not.toContain(CANARY);
  });

  it('warns when other machines can reach the gateway', () => {
    expect(load({ APP_HOST: '0.0.0.0' }).warnings.join()).toContain('APP_HOST');
    expect(load({ APP_HOST: '::1' }).warnings.join()).not.toContain('APP_HOST');
  });

  it('warns when stop orders go where their trigger was seen lost', () => {
    const plain = load({ APP_PRIMARY_STOP_ORDERS: 'plain' });
    expect(plain.warnings.join()).toContain('APP_PRIMARY_STOP_ORDERS');
    expect(load().warnings.join()).not.toContain('APP_PRIMARY_STOP_ORDERS');
  });
});
