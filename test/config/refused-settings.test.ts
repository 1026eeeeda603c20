import { describe, expect, it } from 'vitest';
import { CANARY, load, refusal } from './support/load.ts';

const PRIMARY_LOGIN = { APP_PRIMARY_MPIN: '4711', APP_PRIMARY_TOTP_SECRET: 'JBSWY3DPEHPK3PXP' };

describe('a setting that cannot be used', () => {
  it.each([
    ['APP_HOST', 'not a host', 'host name'],
    ['APP_PORT', '80a', 'a whole number from 0 to 65535'],
    ['APP_PORT', '65536', 'a whole number from 0 to 65535'],
    ['APP_PORT', '-1', 'a whole number'],
    ['APP_POSTBACK_PORT', 'off', 'a whole number'],
    ['APP_POSTBACK_PORT', '8420', 'a port of its own'],
    ['APP_HOOKS_PORT', '8420', 'a port of its own'],
    ['APP_HOOKS_FORWARDED_HEADER', 'X Forwarded', 'the name of a header'],
    ['APP_ALLOWED_HOSTS', 'http://box', 'list of hosts'],
    ['APP_PUBLIC_URL', 'ftp://box', 'http or https'],
    ['APP_LOG_LEVEL', 'loud', 'fatal, error, warn, info, debug, silent'],
    ['APP_LOG_FORMAT', 'pretty', 'auto, text, json'],
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
    ['APP_MAX_ORDER_VALUE', '0', 'a number of rupees from 1'],
    ['APP_MAX_ORDER_QUANTITY', 'NIFTY', 'a number for every instrument'],
    ['APP_MAX_ORDER_QUANTITY', '5,6', 'one number for every instrument'],
    ['APP_MAX_OPEN_ORDERS', 'NIFTY=1,nifty=2', 'each name once'],
    ['APP_MAX_ORDERS_PER_MINUTE', '0', 'a whole number of orders from 1'],
    ['APP_MAX_DAILY_LOSS', '-1', 'a number of rupees from 1'],
    ['APP_CLOSE_ON_DAILY_LOSS', 'true', 'false while APP_MAX_DAILY_LOSS is not set'],
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
    ['APP_SQUARE_OFF_TIMES', '15:10', 'a comma-separated list such as NSE=15:10'],
    ['APP_SQUARE_OFF_TIMES', 'NSX=15:10', 'each of NSE, BSE, NFO'],
    ['APP_SQUARE_OFF_TIMES', 'NSE=15:31', 'from 09:30 to its close'],
    ['APP_SQUARE_OFF_TIMES', 'NFO=09:29', 'from 09:30 to its close'],
    ['APP_SQUARE_OFF_TIMES', 'NSE=15:10,NSE=15:05', 'at most once'],
    ['APP_SQUARE_OFF_TIMES', 'NONE,NSE=15:10', 'none, or a comma-separated list'],
    ['APP_SQUARE_OFF_REMINDER_MINUTES', '0', 'a whole number of minutes from 1 to 60'],
  ])('refuses %s=%s in one line that says what is accepted', (name, value, takes) => {
    const counterpart = { APP_TELEGRAM_CHAT_ID: { APP_TELEGRAM_BOT_TOKEN: `4242:${CANARY}` } };
    const message = refusal({ ...Object(Reflect.get(counterpart, name)), [name]: value });
    expect(message).toContain(`${name}: got ${JSON.stringify(value)}`);
    expect(message).toContain(takes);
    expect(message).not.toContain('\n');
  });

  it('is told with all others, one on each line', () => {
    const message = refusal({
      APP_PORT: 'x',
      APP_ALT_BROKER_API_KEY: 'no key',
      APP_ALT_BROKER_API_SECRET: 'a b',
      APP_PRIMARY_MPIN: '1 2',
      APP_TELEGRAM_CHAT_ID: '@me',
      APP_FREEZE_QUANTITIES: 'NIFTY=1,nifty=2',
      APP_PAPER_CASH: '0',
    });
    const named = message.split('\n').map((line) => /^ {2}(\w+): got /.exec(line)?.[1] ?? line);
    expect(named).toEqual([
      '9 mistakes in the settings:',
      'APP_PORT',
      'APP_ALT_BROKER_API_KEY',
      'APP_FREEZE_QUANTITIES',
      'APP_PAPER_CASH',
      'APP_TELEGRAM_CHAT_ID',
      'APP_TELEGRAM_BOT_TOKEN',
      'APP_ALT_BROKER_API_SECRET',
      'APP_PRIMARY_MPIN',
      'APP_PRIMARY_API_KEY',
    ]);
  });

  it.each([
    'your_api_secret',
    '<your secret>'.replace(' ', '-'),
    'changeme',
    'xxxxxxxxxxxxxxxx',
    '................',
    'insert-token-here',
    'placeholder',
  ])('that is the placeholder %s is refused as one', (value) => {
    const message = refusal({
      APP_ALT_BROKER_API_KEY: 'k3y4k1te',
      APP_ALT_BROKER_API_SECRET: value,
    });
    expect(message).toContain('APP_ALT_BROKER_API_SECRET: got the placeholder');
    expect(message).toContain('the real value');
  });

  it('writes one line, whatever the value holds', () => {
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
      APP_ALT_BROKER_API_KEY: 'kitekey',
      APP_ALT_BROKER_API_SECRET: 'secret',
      [name]: value,
    });
    expect(message).toContain(name);
    expect(message).not.toContain(value);
    expect(message).not.toContain(CANARY);
  });

  it.each([
    ['APP_ALT_BROKER_API_KEY', 'key', 6],
    ['APP_ALT_BROKER_API_SECRET', 's', 6],
    ['APP_ALT_BROKER_ACCESS_TOKEN', 'q5x7z', 6],
    ['APP_PRIMARY_ACCESS_TOKEN', 'qz', 6],
    ['APP_PRIMARY_API_KEY', 'q5x7z', 6],
    ['APP_API_KEY', 'q5x7zq5x7zq5x7z', 16],
  ])('refuses %s of fewer characters than can safely be redacted: %s', (name, value, least) => {
    const message = refusal({
      APP_ALT_BROKER_API_KEY: 'kitekey',
      APP_ALT_BROKER_API_SECRET: 'secret',
      ...(name === 'APP_PRIMARY_API_KEY' ? PRIMARY_LOGIN : {}),
      [name]: value,
    });
    expect(message).toMatch(new RegExp(`^${name}: got a value of ${value.length} characters?, `));
    expect(message).toContain(`at least ${least}`);
    expect(message.replace(name, '')).not.toMatch(new RegExp(`\\b${value}\\b`));
  });

  it.each(['APP_ALT_BROKER_ACCESS_TOKEN', 'APP_PRIMARY_ACCESS_TOKEN'])(
    'accepts %s of six characters',
    (name) => {
      const alt = { APP_ALT_BROKER_API_KEY: 'kitekey', APP_ALT_BROKER_API_SECRET: 'secret' };
      expect(() => load({ ...alt, [name]: 'q5x7z8' })).not.toThrow();
    },
  );

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
    'refuses a malformed bot token without showing it: %#',
    (value) => {
      const message = refusal({ APP_TELEGRAM_BOT_TOKEN: value, APP_TELEGRAM_CHAT_ID: '777' });
      expect(message).toContain('APP_TELEGRAM_BOT_TOKEN');
      expect(message).not.toContain(CANARY);
    },
  );

  it('refuses an address with a password in it without showing it', () => {
    const message = refusal({ APP_PRIMARY_BASE_URL: `https://me:${CANARY}@host` });
    expect(message).toContain('APP_PRIMARY_BASE_URL');
    expect(message).not.toContain(CANARY);
  });
});
