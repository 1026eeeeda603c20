import { describe, expect, it } from 'vitest';
import { load } from './support/load.ts';

const tickerUrl = (settings: Record<string, string>): string | null | undefined => {
  const environment = {
    APP_ALT_BROKER_API_KEY: 'kitekey',
    APP_ALT_BROKER_API_SECRET: 'secret',
    ...settings,
  };
  return load(environment).settings.alt?.tickerUrl;
};

describe('the address of the ticker', () => {
  it("is Kite's own when nothing is set", () => {
    expect(tickerUrl({})).toBe('wss://ws.kite.trade');
  });

  it('is none for a broker at another address, whose token must not be sent to Kite', () => {
    expect(tickerUrl({ APP_ALT_BROKER_API_ROOT: 'http://127.0.0.1:8430' })).toBeNull();
  });

  it('is the one that is set, whatever the broker’s address', () => {
    const APP_ALT_BROKER_TICKER_URL = 'ws://127.0.0.1:8430/ws';
    const APP_ALT_BROKER_API_ROOT = 'http://127.0.0.1:8430';
    expect(tickerUrl({ APP_ALT_BROKER_TICKER_URL })).toBe(APP_ALT_BROKER_TICKER_URL);
    expect(tickerUrl({ APP_ALT_BROKER_TICKER_URL, APP_ALT_BROKER_API_ROOT })).toBe(
      APP_ALT_BROKER_TICKER_URL,
    );
  });

  it.each(['none', 'None'])('is none for %s', (text) => {
    expect(tickerUrl({ APP_ALT_BROKER_TICKER_URL: text })).toBeNull();
  });
});
