import { LEAST_SECRET_LENGTH } from '../platform/redaction.ts';
import type { Readers } from './readers.ts';
import type { AltSettings } from './settings.ts';
import type { Sources } from './sources.ts';

const KEY = 'APP_ALT_BROKER_API_KEY';
const SECRET = 'APP_ALT_BROKER_API_SECRET';
const TICKER = 'APP_ALT_BROKER_TICKER_URL';
const TICKER_TAKES = 'a wss or ws address without user, query or fragment, or none';
const ALGO_ID = /^[A-Za-z0-9_-]{1,64}$/;
const URL_TAKES = 'an http or https address without user, query or fragment';

/**
 * Null without key and secret: the gateway also works without this broker. One of the two alone is a
 * mistake that would show only at the first login, so it stops the start.
 */
export function readAlt(read: Readers, sources: Sources): AltSettings | null {
  const apiKey = read.text(
    KEY,
    new RegExp(`^[A-Za-z0-9_-]{${LEAST_SECRET_LENGTH},128}$`),
    `letters and digits, at least ${LEAST_SECRET_LENGTH} and at most 128`,
  );
  const userId = read.text(
    'APP_ALT_BROKER_USER_ID',
    /^[A-Za-z0-9_-]{1,32}$/,
    'a user id of letters and digits, at most 32',
  );
  const apiRoot = read.url('APP_ALT_BROKER_API_ROOT', URL_TAKES);
  const loginUrl = read.url('APP_ALT_BROKER_LOGIN_URL', URL_TAKES);
  const ordersOverIpv4 = read.flag('APP_ALT_BROKER_ORDERS_OVER_IPV4', true);
  const algoId = read.text(
    'APP_ALT_BROKER_ALGO_ID',
    ALGO_ID,
    'an id of letters, digits, _ and -, at most 64',
  );
  const protection = read.text(
    'APP_ALT_BROKER_MARKET_PROTECTION',
    /^(-1|100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/,
    '-1, or a percentage from 0 to 100 with at most 2 decimals',
  );
  const tickerUrl = readTickerUrl(read, sources, apiRoot);
  const hasKey = sources.get(KEY) !== null;
  const hasSecret = sources.get(SECRET) !== null;
  if (hasSecret && !hasKey) {
    read.refuse(KEY, 'nothing', `the key that belongs to ${SECRET}, which is set`);
  }
  if (hasKey && !hasSecret) {
    read.refuse(SECRET, 'nothing', `the secret that belongs to ${KEY}, which is set`);
  }
  if (apiKey === null) return null;
  return {
    apiKey,
    userId,
    apiRoot: apiRoot ?? 'https://api.kite.trade',
    loginUrl: loginUrl ?? 'https://kite.zerodha.com/connect/login',
    ordersOverIpv4,
    algoId,
    marketProtection: protection === null ? -1 : Number(protection),
    tickerUrl,
  };
}

/**
 * With another API address, the default is no ticker: Kite's own ticker must not get the access token
 * of another server.
 */
function readTickerUrl(read: Readers, sources: Sources, apiRoot: string | null): string | null {
  if (sources.get(TICKER)?.toLowerCase() === 'none') return null;
  const url = read.url(TICKER, TICKER_TAKES, ['wss:', 'ws:']);
  return url ?? (apiRoot === null ? 'wss://ws.kite.trade' : null);
}
