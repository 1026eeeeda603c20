import { freezeListOn, isOutdated } from '../domain/freeze-quantities.ts';
import { istDay } from '../domain/ist.ts';
import type { CalendarDay, EpochMs } from '../units/branded.ts';
import type { Secrets, Settings } from './settings.ts';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/i;
/** Rows of orders have been seen to appear this late (docs/spec/outcomes.md). */
const LATEST_ROW_SECONDS = 90;

/** Settings that work, but perhaps not as the user meant. */
export function warningsOf(settings: Settings, secrets: Secrets, now: EpochMs): readonly string[] {
  const { server, alt, primary, routing, orders, telegram } = settings;
  const routed = (broker: 'alt' | 'primary'): boolean =>
    routing.marketData.includes(broker) || routing.trading.includes(broker);
  const warnings: string[] = [];
  if (alt === null) {
    warnings.push(
      'APP_ALT_BROKER_API_KEY and APP_ALT_BROKER_API_SECRET are not set: ' +
        'the gateway runs without the alternative broker',
    );
  }
  if (alt !== null && alt.userId === null) {
    warnings.push(
      'APP_ALT_BROKER_USER_ID is not set: the login of any user of the alternative broker is ' +
        'accepted; set it to your own user id',
    );
  }
  if (routed('primary') && secrets.primaryAccessToken === null && secrets.primaryLogin === null) {
    warnings.push(
      'APP_PRIMARY_ACCESS_TOKEN is not set: the primary brokerage is on a route and cannot serve',
    );
  }
  if (primary.stopOrders === 'plain') {
    warnings.push(
      'APP_PRIMARY_STOP_ORDERS is plain: a trigger price on that endpoint was seen lost, and the ' +
        'order fires at once',
    );
  }
  if (!LOOPBACK.test(server.host)) {
    warnings.push(
      `APP_HOST is ${server.host}: other machines can reach the gateway, and the network between ` +
        'can read keys and orders',
    );
  }
  if (orders.uncertainAbsentAfterMs < LATEST_ROW_SECONDS * 1000) {
    warnings.push(
      'APP_UNCERTAIN_ABSENT_AFTER_SECONDS is below 90: orders have been seen to appear that late',
    );
  }
  if (telegram !== null && alt !== null && server.publicUrl === null) {
    warnings.push(
      'APP_PUBLIC_URL is not set: the link of the login reminder works on this computer alone',
    );
  }
  return [...warnings, ...oldFreezeQuantities(orders, istDay(now)), ...plainAddresses(settings)];
}

/** The figures that come with the gateway, where the exchange has made a newer list and the user has not told it. */
function oldFreezeQuantities(
  { freezeQuantities }: Settings['orders'],
  today: CalendarDay,
): readonly string[] {
  const list = freezeListOn(today);
  if (list === null || !isOutdated(list, today)) return [];
  const old = [...list.quantities].filter(([name]) => !freezeQuantities.has(name));
  if (old.length === 0) return [];
  const figures = old.map(([name, quantity]) => `${name}=${quantity}`).join(',');
  return [
    `the freeze quantities of ${list.from} are in use, and the exchange makes a new list each month: ` +
      'an order may be cut into slices that it refuses, or that are smaller than need be; set ' +
      `APP_FREEZE_QUANTITIES from its current list (now ${figures})`,
  ];
}

/** Addresses to which tokens and orders are sent without encryption, over a network. */
function plainAddresses({ alt, primary, telegram }: Settings): readonly string[] {
  const addresses = [
    ['APP_ALT_BROKER_API_ROOT', alt?.apiRoot],
    ['APP_ALT_BROKER_LOGIN_URL', alt?.loginUrl],
    ['APP_ALT_BROKER_TICKER_URL', alt?.tickerUrl],
    ['APP_PRIMARY_BASE_URL', primary.baseUrl],
    ['APP_TELEGRAM_API_ROOT', telegram?.apiRoot],
  ] as const;
  return addresses
    .filter(([, address]) => address && isPlain(new URL(address)))
    .map(
      ([name]) =>
        `${name} is an address without encryption, and not of this machine: others on the ` +
        'network can read and change what is sent, tokens and orders included; use https or wss',
    );
}

function isPlain({ protocol, hostname }: URL): boolean {
  return (protocol === 'http:' || protocol === 'ws:') && !LOOPBACK.test(hostname);
}
