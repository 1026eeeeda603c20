import { z } from 'zod';
import type { Broker } from '../../domain/ports.ts';
import { Secret } from '../../platform/secret.ts';
import { defineBrokerModule, type BrokerPorts } from '../kit/broker-module.ts';
import { createAltBroker } from './index.ts';
import { createAltTicker, type Ticker } from './ticker/ticker.ts';

const settingsSchema = z.object({
  apiKey: z.string(),
  apiSecret: z.instanceof(Secret<string>),
  apiRoot: z.string(),
  loginUrl: z.string(),
  ordersOverIpv4: z.boolean(),
  /** Null where there is no ticker. */
  tickerUrl: z.string().nullable(),
});
type AltModuleSettings = z.output<typeof settingsSchema>;

/** Kite Connect, with a daily login, postbacks, and ticks where a ticker is configured. */
export const altModule = defineBrokerModule({
  kind: 'alt',
  mode: 'live',
  settingsSchema,
  create({ settings }, ports): Broker {
    const { session } = ports;
    const ticker = createTicker(settings, ports);
    const broker = createAltBroker({
      ...ports,
      accessToken: session.accessToken,
      onDeadToken: session.tokenDied,
      settings: { ...settings, apiSecret: settings.apiSecret.reveal() },
    });
    return ticker === null ? broker : { ...broker, ticks: ticker, stream: ticker };
  },
});

function createTicker(settings: AltModuleSettings, ports: BrokerPorts): Ticker | null {
  const { sockets, session, wake } = ports;
  const { apiKey, tickerUrl } = settings;
  if (tickerUrl === null || sockets === null) return null;
  return createAltTicker({
    ...ports,
    sockets,
    accessToken: session.accessToken,
    onOrders: wake,
    // A refused handshake does not end the token: an app without market data is refused as well.
    onRefused: session.check,
    settings: { apiKey, tickerUrl },
  });
}
