import { NO_LIMITS } from '../support/no-limits.ts';
import { describe, expect, it } from 'vitest';
import { CANARY, load } from './support/load.ts';

const EVERY_SETTING = {
  APP_HOST: '0.0.0.0',
  APP_PORT: '0',
  APP_POSTBACK_PORT: '8421',
  APP_HOOKS_PORT: '8422',
  APP_HOOKS_FORWARDED_HEADER: 'X-Forwarded-For',
  APP_ALLOWED_HOSTS: 'Gateway.local:8420, box',
  APP_PUBLIC_URL: 'https://gateway.example/',
  APP_DATA_DIR: '/var/lib/gateway',
  APP_LOG_LEVEL: 'debug',
  APP_LOG_FORMAT: 'text',
  APP_API_KEY: 'an-admin-key-of-some-length',
  APP_ALT_BROKER_API_KEY: 'kitekey',
  APP_ALT_BROKER_API_SECRET: 'secret',
  APP_ALT_BROKER_ACCESS_TOKEN: 'a-token',
  APP_ALT_BROKER_USER_ID: 'AB1234',
  APP_ALT_BROKER_API_ROOT: 'http://127.0.0.1:9000',
  APP_ALT_BROKER_LOGIN_URL: 'http://127.0.0.1:9000/connect/login',
  APP_ALT_BROKER_TICKER_URL: 'ws://127.0.0.1:9000/ws',
  APP_PRIMARY_BASE_URL: 'http://127.0.0.1:9001',
  APP_PRIMARY_ACCESS_TOKEN: 'primary-token',
  APP_PRIMARY_API_KEY: 'primary-key',
  APP_ALT_BROKER_ORDERS_OVER_IPV4: 'false',
  APP_ALT_BROKER_ALGO_ID: 'ALGO-7',
  APP_ALT_BROKER_MARKET_PROTECTION: '2.5',
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
  APP_MAX_ORDER_VALUE: '250000.50',
  APP_MAX_ORDER_QUANTITY: '1000, nifty=1800',
  APP_MAX_OPEN_ORDERS: 'NSE:INFY=2',
  APP_MAX_ORDERS_PER_MINUTE: '30',
  APP_MAX_DAILY_LOSS: '5000.50',
  APP_CLOSE_ON_DAILY_LOSS: 'true',
  APP_EXIT_LIMIT_OFFSET_PERCENT: '0.5',
  APP_EXIT_WIDENING: '0.5',
  APP_EXIT_SECONDS: '20',
  APP_EXIT_ATTEMPTS: '5',
  APP_EXIT_REST_WITHOUT_BID: 'true',
  APP_PAPER_CASH: '500000.50',
  APP_PAPER_BROKERAGE: '0',
  APP_PAPER_FILLS: 'last',
  APP_TELEGRAM_BOT_TOKEN: '4242:a-token_of-the-bot',
  APP_TELEGRAM_CHAT_ID: '-1001234',
  APP_TELEGRAM_API_ROOT: 'http://127.0.0.1:9002/',
  APP_TELEGRAM_ORDER_LINES: 'false',
  APP_TELEGRAM_DAY_REPORT: 'false',
  APP_REMINDER_AT: '08:45',
  APP_REMINDER_DAYS: 'trading',
  APP_SQUARE_OFF_TIMES: 'nse=15:05, MCX=23:25',
  APP_SQUARE_OFF_REMINDER_MINUTES: '5',
  APP_WEBHOOK_URL: 'http://127.0.0.1:9003/events',
  APP_WEBHOOK_SECRET: `whsec_${'c2VjcmV0'.repeat(4)}`,
  APP_WEBHOOK_PRIVATE_ADDRESSES: 'yes',
  APP_MCP_TRADING: 'yes',
};

describe('the configuration', () => {
  it('has the documented defaults when nothing is set', () => {
    const { settings, secrets } = load();
    expect(settings).toEqual({
      server: {
        host: '127.0.0.1',
        port: 8420,
        postbackPort: null,
        hooksPort: null,
        hooksForwardedHeader: null,
        allowedHosts: [],
        publicUrl: null,
        dataDirectory: 'data',
        dataDirectoryNamed: false,
        acceptJournalAt: null,
        logLevel: 'info',
        logFormat: 'auto',
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
        limits: NO_LIMITS,
        maxDailyLoss: null,
        closeOnDailyLoss: false,
      },
      exits: {
        limitOffsetPercent: 0.3,
        widening: 1,
        restMs: 10_000,
        attempts: 3,
        restWithoutBid: false,
      },
      paper: { cash: 10_000_000, brokerage: 20, fills: 'book' },
      telegram: null,
      reminder: { at: '09:00', days: 'daily' },
      squareOff: {
        times: new Map([
          ['NSE', '15:10'],
          ['BSE', '15:10'],
          ['NFO', '15:20'],
          ['BFO', '15:20'],
        ]),
        minutesBefore: 15,
      },
      webhooks: { privateAddresses: false, url: null },
      assistants: { trading: false },
    });
    expect(secrets).toEqual({
      altApiSecret: null,
      altAccessToken: { environment: null, configuration: null },
      primaryAccessToken: null,
      primaryLogin: null,
      adminKey: null,
      telegramBotToken: null,
      webhookSecret: null,
    });
  });

  it('reads every setting from the environment', () => {
    const { settings, secrets } = load(EVERY_SETTING);
    expect(settings).toEqual({
      server: {
        host: '0.0.0.0',
        port: 0,
        postbackPort: 8421,
        hooksPort: 8422,
        hooksForwardedHeader: 'X-Forwarded-For',
        allowedHosts: ['gateway.local:8420', 'box'],
        publicUrl: 'https://gateway.example',
        dataDirectory: '/var/lib/gateway',
        dataDirectoryNamed: true,
        acceptJournalAt: null,
        logLevel: 'debug',
        logFormat: 'text',
      },
      alt: {
        apiKey: 'kitekey',
        userId: 'AB1234',
        apiRoot: 'http://127.0.0.1:9000',
        loginUrl: 'http://127.0.0.1:9000/connect/login',
        ordersOverIpv4: false,
        algoId: 'ALGO-7',
        marketProtection: 2.5,
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
        limits: {
          value: 250_000.5,
          quantity: { every: 1_000, named: new Map([['NIFTY', 1_800]]) },
          openOrders: { every: null, named: new Map([['NSE:INFY', 2]]) },
          perMinute: 30,
        },
        maxDailyLoss: 5_000.5,
        closeOnDailyLoss: true,
      },
      exits: {
        limitOffsetPercent: 0.5,
        widening: 0.5,
        restMs: 20_000,
        attempts: 5,
        restWithoutBid: true,
      },
      paper: { cash: 500_000.5, brokerage: 0, fills: 'last' },
      telegram: {
        chatId: '-1001234',
        apiRoot: 'http://127.0.0.1:9002',
        orderLines: false,
        dayReport: false,
      },
      reminder: { at: '08:45', days: 'trading' },
      squareOff: {
        times: new Map([
          ['NSE', '15:05'],
          ['MCX', '23:25'],
        ]),
        minutesBefore: 5,
      },
      webhooks: { privateAddresses: true, url: 'http://127.0.0.1:9003/events' },
      assistants: { trading: true },
    });
    expect(secrets.telegramBotToken?.reveal()).toBe('4242:a-token_of-the-bot');
    expect(secrets.webhookSecret?.reveal()).toBe(`whsec_${'c2VjcmV0'.repeat(4)}`);
    expect(secrets.altApiSecret?.reveal()).toBe('secret');
    expect(secrets.altAccessToken.environment?.reveal()).toBe('a-token');
    expect(secrets.primaryAccessToken?.reveal()).toBe('primary-token');
    expect(secrets.adminKey?.reveal()).toBe('an-admin-key-of-some-length');
  });

  it('counts an empty text as unset', () => {
    expect(load({ APP_PORT: '', APP_HOST: '  ' }).settings.server.port).toBe(8420);
  });

  it('shows no secret when it is printed', () => {
    const configuration = load({
      APP_API_KEY: CANARY.repeat(2),
      APP_ALT_BROKER_API_KEY: 'kitekey',
      APP_ALT_BROKER_API_SECRET: CANARY,
      APP_ALT_BROKER_ACCESS_TOKEN: CANARY,
      APP_PRIMARY_ACCESS_TOKEN: CANARY,
      APP_TELEGRAM_BOT_TOKEN: `4242:${CANARY}`,
      APP_TELEGRAM_CHAT_ID: '777',
    });
    expect(JSON.stringify(configuration)).not.toContain(CANARY);
  });
});
