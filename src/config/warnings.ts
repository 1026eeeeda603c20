import type { Secrets, Settings } from './settings.ts';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/i;
/** Rows of orders have been seen to appear this late (docs/spec/outcomes.md). */
const LATEST_ROW_SECONDS = 90;

/** What works, but perhaps not as meant. */
export function warningsOf(settings: Settings, secrets: Secrets): readonly string[] {
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
  return warnings;
}
