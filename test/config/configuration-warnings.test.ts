import { describe, expect, it } from 'vitest';
import { epochMs } from '../../src/units/branded.ts';
import { CANARY, load } from './support/load.ts';

describe('a warning of the configuration', () => {
  it('says that without a public address the reminder’s link works on this computer only', () => {
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

  it('names what is missing for the alternative broker, and the gateway starts', () => {
    const { settings, warnings } = load();
    expect(settings.alt).toBeNull();
    expect(warnings.join()).toMatch(/APP_ALT_BROKER_API_KEY and APP_ALT_BROKER_API_SECRET/);
  });

  it('names an unknown setting, without its value', () => {
    const { warnings } = load({ APP_PROT: CANARY, OTHER: 'x' });
    expect(warnings.join()).toContain('APP_PROT');
    expect(warnings.join()).not.toContain('OTHER');
    expect(warnings.join()).not.toContain(CANARY);
  });

  it('says that other machines can reach the gateway', () => {
    expect(load({ APP_HOST: '0.0.0.0' }).warnings.join()).toContain('APP_HOST');
    expect(load({ APP_HOST: '::1' }).warnings.join()).not.toContain('APP_HOST');
  });

  it('says that stop orders go to a path that was seen to lose their trigger', () => {
    const plain = load({ APP_PRIMARY_STOP_ORDERS: 'plain' });
    expect(plain.warnings.join()).toContain('APP_PRIMARY_STOP_ORDERS');
    expect(load().warnings.join()).not.toContain('APP_PRIMARY_STOP_ORDERS');
  });

  const alt = { APP_ALT_BROKER_API_KEY: 'kitekey', APP_ALT_BROKER_API_SECRET: 'secret' };
  const bot = { APP_TELEGRAM_BOT_TOKEN: '4242:a-token_of-the-bot', APP_TELEGRAM_CHAT_ID: '777' };

  it.each([
    ['APP_ALT_BROKER_API_ROOT', 'http:', 'https:'],
    ['APP_ALT_BROKER_LOGIN_URL', 'http:', 'https:'],
    ['APP_ALT_BROKER_TICKER_URL', 'ws:', 'wss:'],
    ['APP_PRIMARY_BASE_URL', 'http:', 'https:'],
    ['APP_TELEGRAM_API_ROOT', 'http:', 'https:'],
  ])('names an unencrypted address of another machine in %s', (name, plain, encrypted) => {
    const warned = (address: string): boolean =>
      load({ ...alt, ...bot, [name]: address }).warnings.some((each) => each.startsWith(name));
    expect(warned(`${plain}//broker.example/x`)).toBe(true);
    expect(warned(`${plain}//127.0.0.1.example`)).toBe(true);
    expect(warned(`${plain}//192.168.1.5:9000`)).toBe(true);
    for (const own of ['127.0.0.1:9000', 'localhost:9000', '[::1]:9000']) {
      expect(warned(`${plain}//${own}`)).toBe(false);
    }
    expect(warned(`${encrypted}//broker.example`)).toBe(false);
  });

  it('says that the freeze quantities in use are old, unless the current ones are set', () => {
    const warned = (day: string, figures = '') =>
      load({ APP_FREEZE_QUANTITIES: figures }, {}, epochMs(Date.parse(`${day}T09:00:00+05:30`)))
        .warnings.filter((each) => each.includes('freeze quantities'))
        .join();
    expect(warned('2025-06-30')).toBe('');
    expect(warned('2026-02-28')).toBe('');
    expect(warned('2025-10-01')).toContain('the freeze quantities of 2025-09-01 are in use');
    expect(warned('2026-03-01')).toContain(
      'set APP_FREEZE_QUANTITIES from its current list (now NIFTY=1800,BANKNIFTY=600,' +
        'FINNIFTY=1800,MIDCPNIFTY=2800,NIFTYNXT50=600)',
    );
    const three = 'NIFTY=1800,BANKNIFTY=600,FINNIFTY=1800';
    expect(warned('2026-11-06', three)).toContain('(now MIDCPNIFTY=2800,NIFTYNXT50=600)');
    expect(warned('2026-11-06', `${three},MIDCPNIFTY=2800,NIFTYNXT50=600`)).toBe('');
  });

  it('says that the login of any user of the alternative broker would be accepted', () => {
    expect(load(alt).warnings.join()).toContain('APP_ALT_BROKER_USER_ID is not set');
    const named = load({ ...alt, APP_ALT_BROKER_USER_ID: 'AB1234' });
    expect(named.warnings.join()).not.toContain('APP_ALT_BROKER_USER_ID');
    expect(load().warnings.join()).not.toContain('APP_ALT_BROKER_USER_ID');
  });
});
