import { z } from 'zod';
import type { BrokerStatus } from '../router/broker-status.ts';
import type { KillSwitchState } from '../router/gateway.ts';

/** What a program or a dashboard may need, and does not have now. */
export const missingSchema = z
  .object({
    what: z
      .enum(['prices', 'account', 'live_orders', 'instruments', 'new_orders'])
      .meta({ description: 'Which part of the gateway does not work now' }),
    detail: z.string().meta({ description: 'What does not work, and what to do, for people' }),
  })
  .meta({ id: 'Missing' });
export type Missing = z.output<typeof missingSchema>;

/**
 * What does not work now, for people. It quotes nothing from a broker, since health needs no key.
 * `isDiskLow`: the disk is nearly full, so that only cancels and exits are taken. `disarmed`: why nothing is sent at all.
 */
export function missingNow(
  brokers: readonly BrokerStatus[],
  killSwitch: Pick<KillSwitchState, 'engaged'>,
  { isDiskLow, disarmed }: { readonly isDiskLow: boolean; readonly disarmed: string | null },
): readonly Missing[] {
  const missing: Missing[] = [];
  const add = (what: Missing['what'], detail: string): void => void missing.push({ what, detail });
  const serving = (part: BrokerStatus['serves'][number]): readonly BrokerStatus[] =>
    brokers.filter(({ available, serves }) => available && serves.includes(part));

  if (serving('market_data').length === 0) {
    add('prices', `no broker of APP_ROUTE_MARKET_DATA can be asked now: ${LOG_IN}`);
  }
  if (serving('account').length === 0) {
    add('account', `positions, holdings and funds cannot be read at any broker now: ${LOG_IN}`);
  }
  const trading = serving('trading');
  if (!trading.some(({ mode }) => mode === 'live')) {
    const instead = trading.length > 0 ? 'orders go to the paper account' : 'no order is taken';
    add(
      'live_orders',
      `no live broker of APP_ROUTE_TRADING takes orders now, ${instead}: ${LOG_IN}`,
    );
  }
  const lists = brokers.flatMap(({ instruments }) => instruments ?? []);
  if (lists.every(({ count }) => count === 0)) {
    add('instruments', 'no instrument list has been read, so no instrument is known: see notices');
  }
  if (disarmed !== null) add('new_orders', disarmed);
  if (killSwitch.engaged) {
    add('new_orders', 'the kill switch is engaged: cancels pass, and orders that only reduce');
  }
  if (isDiskLow) {
    add(
      'new_orders',
      'the disk is nearly full: cancels pass, and orders that only reduce. Free some space',
    );
  }
  return missing;
}

const LOG_IN = 'log in at /api/altbroker/login, or set the token of the primary brokerage';
