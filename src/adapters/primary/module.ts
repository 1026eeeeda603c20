import { z } from 'zod';
import { Secret } from '../../platform/secret.ts';
import { defineBrokerModule } from '../kit/broker-module.ts';
import { createPrimaryBroker } from './index.ts';

const secret = z.instanceof(Secret<string>);

const settingsSchema = z.object({
  baseUrl: z.string(),
  /** Sent unchanged; null while there is none. */
  accessToken: secret.nullable(),
  /** The credentials for generating tokens; null where the gateway generates none. */
  login: z.object({ apiKey: secret, mpin: secret, totpSecret: secret }).nullable(),
  remarks: z.boolean(),
  stopOrders: z.enum(['smart', 'plain']),
  extraTerminalStatuses: z.array(z.string()).readonly(),
});

/** INDstocks, with a token from the settings or with one that the gateway generates each day. */
export const primaryModule = defineBrokerModule({
  kind: 'primary',
  mode: 'live',
  settingsSchema,
  create({ settings: { accessToken, login, ...settings } }, ports) {
    return createPrimaryBroker({
      ...ports,
      accessToken: () => accessToken?.reveal() ?? null,
      login,
      onToken: ports.wake,
      settings,
    });
  },
});
