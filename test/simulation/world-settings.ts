import { join } from 'node:path';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
import { createSandbox, type Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import type { SeedPlan } from './plan.ts';

export const SECRETS = {
  apiSecret: 'CANARYapiSecret7f3e',
  adminKey: 'CANARY-admin-key-99b1',
  primaryToken: 'CANARYprimaryToken55aa',
};

export const KITE_USER = 'AB1234';
/** The other user of the same app, on days on which one logs in. */
export const OTHER_KITE_USER = 'XY9999';

export const KITE_ORIGIN = 'http://kite.test';
const HOUR_MS = 3_600_000;
const PRIMARY_ORIGIN = 'http://primary.test';

/**
 * The settings of one life of the gateway; whether orders carry a remark may change with it. `userId` is
 * the user that may log in, as the settings name it; null where they name none.
 */
export function environmentOf(
  plan: SeedPlan,
  directory: string,
  life: number,
  userId: string | null,
): Record<string, string> {
  const remarks = plan.remarksChange && life % 2 === 0 ? !plan.remarks : plan.remarks;
  return {
    APP_ALT_BROKER_API_KEY: 'kitekey',
    APP_ALT_BROKER_API_SECRET: SECRETS.apiSecret,
    APP_ALT_BROKER_API_ROOT: KITE_ORIGIN,
    APP_ALT_BROKER_LOGIN_URL: `${KITE_ORIGIN}/connect/login`,
    APP_PRIMARY_BASE_URL: PRIMARY_ORIGIN,
    APP_PRIMARY_ACCESS_TOKEN: SECRETS.primaryToken,
    APP_BROKER_ORDER_REMARKS_ENABLED: String(remarks),
    APP_API_KEY: SECRETS.adminKey,
    ...(userId === null ? {} : { APP_ALT_BROKER_USER_ID: userId }),
    APP_DATA_DIR: join(directory, 'data'),
    APP_ROUTE_TRADING: plan.tradingRoute.join(','),
    APP_ORDER_POLL_SECONDS: String(plan.pollSeconds),
    ...plan.brakes,
    ...(plan.freezeQuantity === null
      ? {}
      : {
          APP_FREEZE_QUANTITIES: `NSE:INFY=${plan.freezeQuantity},NSE:ITC=${plan.freezeQuantity}`,
        }),
  };
}

/** The brokers of one day, with the day's faults; `postback` is handed what they post. */
export function sandboxOf(
  plan: SeedPlan,
  time: VirtualTime,
  postback: (body: string) => void,
): Sandbox {
  const noExchangeId = plan.noExchangeId === undefined ? {} : { noExchangeId: plan.noExchangeId };
  const sandbox = createSandbox({
    clock: time,
    random: seededRandom(`${plan.seed}/sandbox`),
    market: 'exchange',
    ...(plan.hours.closes ? { closes: plan.hours.closes } : {}),
    latencyMs: [1, 40],
    ...(plan.undated ? { tellsTime: false } : {}),
    kite: {
      apiKey: 'kitekey',
      apiSecret: SECRETS.apiSecret,
      userId: KITE_USER,
      ...(plan.mishaps.some(({ kind }) => kind === 'other_login')
        ? { otherUserId: OTHER_KITE_USER }
        : {}),
      origin: KITE_ORIGIN,
      redirectUrl: 'http://gateway.test/callback',
      postbackUrl: 'http://gateway.test/postback',
      ...noExchangeId,
      ...(plan.rmsRejects === undefined ? {} : { rmsRejects: plan.rmsRejects }),
      ...(plan.triggers?.forgets ? { forgetsTriggers: true as const } : {}),
    },
    primary: {
      accessToken: SECRETS.primaryToken,
      clientId: '1',
      // A trader sets a new token each morning, and the gateway keeps the one that it has: without this,
      // the last evening of a night and all but the first day of a stretch have no primary brokerage.
      ...(plan.rich ? { accessTokenMs: plan.hours.end - plan.hours.boot + HOUR_MS } : {}),
      origin: PRIMARY_ORIGIN,
      remarks: plan.remarks,
      ...(plan.marketAsLimit ? { marketAsLimit: true } : {}),
      ...(plan.listsIsins ? { listsIsins: true } : {}),
      ...(plan.unlisted ? { unlisted: plan.unlisted } : {}),
      ...noExchangeId,
    },
    post: ({ body }) => postback(body),
  });
  for (const fault of plan.faults) sandbox.faults.add(fault);
  return sandbox;
}
