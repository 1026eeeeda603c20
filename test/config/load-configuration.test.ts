import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/config/configuration-error.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { memoryFiles, type MemoryFile } from './support/memory-files.ts';

const CANARY = 'canary-5f1d2c9e7a';

function load(
  environment: Record<string, string> = {},
  files: Readonly<Record<string, MemoryFile>> = {},
) {
  return loadConfiguration({
    environment: memoryEnvironment(environment),
    files: memoryFiles(files),
  });
}

function refusal(
  environment: Record<string, string>,
  files: Readonly<Record<string, MemoryFile>> = {},
): string {
  try {
    load(environment, files);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).message;
  }
  throw new Error('the configuration was taken');
}

const withFile = (content: unknown, open = false) =>
  [
    { APP_CONFIG_FILE: 'gateway.json' },
    { 'gateway.json': { content: JSON.stringify(content), open } },
  ] as const;

describe('the configuration', () => {
  it('has the documented defaults when nothing is set', () => {
    const { settings, secrets } = load();
    expect(settings).toEqual({
      server: {
        host: '127.0.0.1',
        port: 8420,
        postbackPort: null,
        allowedHosts: [],
        publicUrl: null,
        dataDirectory: 'data',
        dataDirectoryNamed: false,
        logLevel: 'info',
      },
      alt: null,
      primary: {
        baseUrl: 'https://api.indstocks.com',
        orderRemarksEnabled: false,
        extraTerminalStatuses: [],
        stopOrders: 'smart',
      },
      routing: {
        marketData: ['alt', 'primary'],
        trading: ['alt', 'paper'],
        paperOnOutage: false,
      },
      orders: {
        pollMs: 1000,
        uncertainAbsentAfterMs: 180_000,
        unrecognisedStatusMs: 60_000,
        marketHours: 'exchange',
        freezeQuantities: new Map(),
      },
      paper: { cash: 10_000_000, brokerage: 20, fills: 'book' },
      telegram: null,
      reminder: { at: '09:00', days: 'daily' },
    });
    expect(secrets).toEqual({
      altApiSecret: null,
      altAccessToken: { environment: null, configuration: null },
      primaryAccessToken: null,
      primaryLogin: null,
      adminKey: null,
      telegramBotToken: null,
    });
  });

  it('reads every setting from the environment', () => {
    const { settings, secrets } = load({
      APP_HOST: '0.0.0.0',
      APP_PORT: '0',
      APP_POSTBACK_PORT: '8421',
      APP_ALLOWED_HOSTS: 'Gateway.local:8420, box',
      APP_PUBLIC_URL: 'https://gateway.example/',
      APP_DATA_DIR: '/var/lib/gateway',
      APP_LOG_LEVEL: 'debug',
      APP_API_KEY: 'an-admin-key-of-some-length',
      APP_ALT_BROKER_API_KEY: 'key',
      APP_ALT_BROKER_API_SECRET: 'secret',
      APP_ALT_BROKER_ACCESS_TOKEN: 'token',
      APP_ALT_BROKER_USER_ID: 'AB1234',
      APP_ALT_BROKER_API_ROOT: 'http://127.0.0.1:9000',
      APP_ALT_BROKER_LOGIN_URL: 'http://127.0.0.1:9000/connect/login',
      APP_ALT_BROKER_TICKER_URL: 'ws://127.0.0.1:9000/ws',
      APP_PRIMARY_BASE_URL: 'http://127.0.0.1:9001',
      APP_PRIMARY_ACCESS_TOKEN: 'primary-token',
      APP_PRIMARY_API_KEY: 'primary-key',
      APP_ALT_BROKER_ORDERS_OVER_IPV4: 'false',
      APP_PRIMARY_MPIN: '4321',
      APP_PRIMARY_TOTP_SECRET: 'JBSWY3DPEHPK3PXP',
      APP_BROKER_ORDER_REMARKS_ENABLED: 'true',
      APP_ORDER_EXTRA_TERMINAL_STATUSES: 'Frozen, GONE AWAY',
      APP_PRIMARY_STOP_ORDERS: 'plain',
      APP_ROUTE_MARKET_DATA: 'primary',
      APP_ROUTE_TRADING: 'primary, paper',
      APP_PAPER_ON_OUTAGE: 'true',
      APP_ORDER_POLL_SECONDS: '1.5',
      APP_UNCERTAIN_ABSENT_AFTER_SECONDS: '240',
      APP_UNRECOGNISED_STATUS_SECONDS: '30',
      APP_MARKET_HOURS: 'always',
      APP_FREEZE_QUANTITIES: 'nifty=1800',
      APP_PAPER_CASH: '500000.50',
      APP_PAPER_BROKERAGE: '0',
      APP_PAPER_FILLS: 'last',
      APP_TELEGRAM_BOT_TOKEN: '4242:a-token_of-the-bot',
      APP_TELEGRAM_CHAT_ID: '-1001234',
      APP_TELEGRAM_API_ROOT: 'http://127.0.0.1:9002/',
      APP_REMINDER_AT: '08:45',
      APP_REMINDER_DAYS: 'trading',
    });
    expect(settings).toEqual({
      server: {
        host: '0.0.0.0',
        port: 0,
        postbackPort: 8421,
        allowedHosts: ['gateway.local:8420', 'box'],
        publicUrl: 'https://gateway.example',
        dataDirectory: '/var/lib/gateway',
        dataDirectoryNamed: true,
        logLevel: 'debug',
      },
      alt: {
        apiKey: 'key',
        userId: 'AB1234',
        apiRoot: 'http://127.0.0.1:9000',
        loginUrl: 'http://127.0.0.1:9000/connect/login',
        ordersOverIpv4: false,
        tickerUrl: 'ws://127.0.0.1:9000/ws',
      },
      primary: {
        baseUrl: 'http://127.0.0.1:9001',
        orderRemarksEnabled: true,
        extraTerminalStatuses: ['FROZEN', 'GONE AWAY'],
        stopOrders: 'plain',
      },
      routing: { marketData: ['primary'], trading: ['primary', 'paper'], paperOnOutage: true },
      orders: {
        pollMs: 1500,
        uncertainAbsentAfterMs: 240_000,
        unrecognisedStatusMs: 30_000,
        marketHours: 'always',
        freezeQuantities: new Map([['NIFTY', 1_800]]),
      },
      paper: { cash: 500_000.5, brokerage: 0, fills: 'last' },
      telegram: { chatId: '-1001234', apiRoot: 'http://127.0.0.1:9002' },
      reminder: { at: '08:45', days: 'trading' },
    });
    expect(secrets.telegramBotToken?.reveal()).toBe('4242:a-token_of-the-bot');
    expect(secrets.altApiSecret?.reveal()).toBe('secret');
    expect(secrets.altAccessToken.environment?.reveal()).toBe('token');
    expect(secrets.primaryAccessToken?.reveal()).toBe('primary-token');
    expect(secrets.adminKey?.reveal()).toBe('an-admin-key-of-some-length');
  });

  it('counts an empty text as unset', () => {
    expect(load({ APP_PORT: '', APP_HOST: '  ' }).settings.server.port).toBe(8420);
  });

  it.each([
    ['APP_HOST', 'not a host', 'host name'],
    ['APP_PORT', '80a', 'a whole number from 0 to 65535'],
    ['APP_PORT', '65536', 'a whole number from 0 to 65535'],
    ['APP_PORT', '-1', 'a whole number'],
    ['APP_POSTBACK_PORT', 'off', 'a whole number'],
    ['APP_POSTBACK_PORT', '8420', 'a port of its own'],
    ['APP_ALLOWED_HOSTS', 'http://box', 'list of hosts'],
    ['APP_PUBLIC_URL', 'ftp://box', 'http or https'],
    ['APP_LOG_LEVEL', 'loud', 'fatal, error, warn, info, debug, silent'],
    ['APP_ALT_BROKER_USER_ID', 'A B', 'user id'],
    ['APP_ALT_BROKER_API_ROOT', 'api.kite.trade', 'http or https'],
    ['APP_ALT_BROKER_TICKER_URL', 'https://ws.kite.trade', 'wss or ws'],
    ['APP_ALT_BROKER_TICKER_URL', 'wss://ws.kite.trade/?a=b', 'without user, query or fragment'],
    ['APP_PRIMARY_BASE_URL', 'https://x/?a=b', 'without user, query or fragment'],
    ['APP_BROKER_ORDER_REMARKS_ENABLED', 'maybe', 'true or false'],
    ['APP_ORDER_EXTRA_TERMINAL_STATUSES', 'A,,B', 'list of order statuses'],
    ['APP_PRIMARY_STOP_ORDERS', 'gtt', 'one of smart, plain'],
    ['APP_ROUTE_MARKET_DATA', 'alt,paper', 'alt, primary, no repeats'],
    ['APP_ROUTE_TRADING', 'alt,alt', 'no repeats'],
    ['APP_ROUTE_TRADING', 'kite', 'alt, primary, paper'],
    ['APP_PAPER_ON_OUTAGE', '2', 'true or false'],
    ['APP_ORDER_POLL_SECONDS', '0', 'a number of seconds from 0.5 to 60'],
    ['APP_ORDER_POLL_SECONDS', '1e0', 'a number of seconds'],
    ['APP_UNCERTAIN_ABSENT_AFTER_SECONDS', '0', 'a whole number of seconds'],
    ['APP_UNRECOGNISED_STATUS_SECONDS', '1.5', 'a whole number of seconds'],
    ['APP_FREEZE_QUANTITIES', 'NIFTY', 'a comma-separated list'],
    ['APP_FREEZE_QUANTITIES', 'NIFTY=0', 'a comma-separated list'],
    ['APP_FREEZE_QUANTITIES', 'NIFTY=1,nifty=2', 'each name once'],
    ['APP_MARKET_HOURS', 'never', 'one of exchange, always'],
    ['APP_PAPER_CASH', '0', 'a number of rupees'],
    ['APP_PAPER_CASH', '1.005', 'a number of rupees'],
    ['APP_PAPER_BROKERAGE', 'NaN', 'a number of rupees'],
    ['APP_PAPER_FILLS', 'best', 'one of book, last'],
    ['APP_TELEGRAM_CHAT_ID', '@me', 'the number of a chat'],
    ['APP_TELEGRAM_API_ROOT', 'api.telegram.org', 'http or https'],
    ['APP_REMINDER_AT', '9:00', 'from 06:00 to 15:15'],
    ['APP_REMINDER_AT', '05:59', 'from 06:00 to 15:15'],
    ['APP_REMINDER_AT', '15:16', 'from 06:00 to 15:15'],
    ['APP_REMINDER_AT', '10:60', 'from 06:00 to 15:15'],
    ['APP_REMINDER_DAYS', 'weekly', 'one of daily, trading'],
  ])('refuses %s=%s in one line that says what it takes', (name, value, takes) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(`${name}: got ${JSON.stringify(value)}`);
    expect(message).toContain(takes);
    expect(message).not.toContain('\n');
  });

  it('keeps to one line whatever the value holds', () => {
    expect(refusal({ APP_LOG_LEVEL: 'a\nb'.repeat(100) })).not.toContain('\n');
  });

  it.each(['APP_ALT_BROKER_API_KEY', 'APP_ALT_BROKER_API_SECRET'])(
    'refuses %s without its counterpart, which it names',
    (name) => {
      const message = refusal({ [name]: CANARY });
      expect(message).toContain('APP_ALT_BROKER_API_KEY');
      expect(message).toContain('APP_ALT_BROKER_API_SECRET');
      expect(message).not.toContain(CANARY);
    },
  );

  it.each([
    ['APP_API_KEY', 'short'],
    ['APP_API_KEY', `${CANARY} with spaces`],
    ['APP_ALT_BROKER_API_SECRET', `${CANARY}\nmore`],
    ['APP_ALT_BROKER_ACCESS_TOKEN', `${CANARY} x`],
    ['APP_PRIMARY_ACCESS_TOKEN', `${CANARY} x`],
    ['APP_ALT_BROKER_API_KEY', `${CANARY}/x`],
  ])('refuses a wrong %s without showing it', (name, value) => {
    const message = refusal({
      APP_ALT_BROKER_API_KEY: 'key',
      APP_ALT_BROKER_API_SECRET: 'secret',
      [name]: value,
    });
    expect(message).toContain(name);
    expect(message).not.toContain(value);
    expect(message).not.toContain(CANARY);
  });

  it.each([
    ['APP_TELEGRAM_BOT_TOKEN', `4242:${CANARY}`],
    ['APP_TELEGRAM_CHAT_ID', '777'],
  ])('refuses %s without its counterpart, which it names', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain('APP_TELEGRAM_BOT_TOKEN');
    expect(message).toContain('APP_TELEGRAM_CHAT_ID');
    expect(message).not.toContain(CANARY);
  });

  it.each([CANARY, `4242:${CANARY}/x`, `4242:${CANARY} x`])(
    'refuses a bot’s token of another form without showing it: %#',
    (value) => {
      const message = refusal({ APP_TELEGRAM_BOT_TOKEN: value, APP_TELEGRAM_CHAT_ID: '777' });
      expect(message).toContain('APP_TELEGRAM_BOT_TOKEN');
      expect(message).not.toContain(CANARY);
    },
  );

  it('warns that a reminder without a public address has a link for this computer alone', () => {
    const set = {
      APP_ALT_BROKER_API_KEY: 'key',
      APP_ALT_BROKER_API_SECRET: 'secret',
      APP_TELEGRAM_BOT_TOKEN: '4242:a-token_of-the-bot',
      APP_TELEGRAM_CHAT_ID: '777',
    };
    expect(load(set).warnings.join()).toContain('APP_PUBLIC_URL');
    const here = { ...set, APP_PUBLIC_URL: 'https://gateway.example' };
    expect(load(here).warnings.join()).not.toContain('APP_PUBLIC_URL');
  });

  it('refuses an address with a password in it without showing it', () => {
    const message = refusal({ APP_PRIMARY_BASE_URL: `https://me:${CANARY}@host` });
    expect(message).toContain('APP_PRIMARY_BASE_URL');
    expect(message).not.toContain(CANARY);
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

  it('shows no secret when it is printed', () => {
    const configuration = load({
      APP_API_KEY: CANARY.repeat(2),
      APP_ALT_BROKER_API_KEY: 'key',
      APP_ALT_BROKER_API_SECRET: CANARY,
      APP_ALT_BROKER_ACCESS_TOKEN: CANARY,
      APP_PRIMARY_ACCESS_TOKEN: CANARY,
      APP_TELEGRAM_BOT_TOKEN: `4242:${CANARY}`,
      APP_TELEGRAM_CHAT_ID: '777',
    });
    expect(JSON.stringify(configuration)).not.toContain(CANARY);
  });
});

describe('the configuration file', () => {
  it('gives what the environment does not', () => {
    const [environment, files] = withFile({
      APP_PORT: 9000,
      APP_HOST: 'localhost',
      APP_ROUTE_TRADING: ['primary', 'paper'],
      APP_PAPER_ON_OUTAGE: true,
      APP_LOG_LEVEL: null,
    });
    const { settings } = load({ ...environment, APP_HOST: '127.0.0.1', APP_PORT: '' }, files);
    expect(settings.server).toMatchObject({ port: 9000, host: '127.0.0.1', logLevel: 'info' });
    expect(settings.routing).toMatchObject({ trading: ['primary', 'paper'], paperOnOutage: true });
  });

  it('is the fourth level of the token, beside the environment as the third', () => {
    const [environment, files] = withFile({ APP_ALT_BROKER_ACCESS_TOKEN: 'from-file' });
    const { secrets } = load({ ...environment, APP_ALT_BROKER_ACCESS_TOKEN: 'from-env' }, files);
    expect(secrets.altAccessToken.environment?.reveal()).toBe('from-env');
    expect(secrets.altAccessToken.configuration?.reveal()).toBe('from-file');
  });

  it('is refused when it holds a secret that others can read', () => {
    const message = refusal(...withFile({ APP_ALT_BROKER_API_SECRET: CANARY }, true));
    expect(message).toContain('APP_CONFIG_FILE');
    expect(message).toContain('chmod 600');
    expect(message).not.toContain(CANARY);
  });

  it('may be readable by others as long as it holds no secret', () => {
    expect(load(...withFile({ APP_PORT: 9000 }, true)).settings.server.port).toBe(9000);
  });

  it('is refused when it is not there', () => {
    expect(refusal({ APP_CONFIG_FILE: 'gone.json' })).toContain('a file that exists');
  });

  it.each([`{"APP_API_KEY": "${CANARY}`, `["${CANARY}"]`, 'null'])(
    'is refused, without a word of its content, when it is not one JSON object: %s',
    (content) => {
      const message = refusal({ APP_CONFIG_FILE: 'a.json' }, { 'a.json': { content } });
      expect(message).toContain('one JSON object');
      expect(message).not.toContain(CANARY);
    },
  );

  it('names the setting whose value is neither text, number, boolean nor list', () => {
    expect(refusal(...withFile({ APP_PORT: { a: 1 } }))).toContain('APP_PORT');
  });

  it('warns of names that are no settings', () => {
    const { warnings } = load(...withFile({ PORT: 1, APP_CONFIG_FILE: 'other.json' }));
    expect(warnings.join()).toContain('"PORT" in the configuration file');
    expect(warnings.join()).toContain('"APP_CONFIG_FILE" in the configuration file');
  });
});
