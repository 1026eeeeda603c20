import { z } from 'zod';
import {
  defineBrokerModule,
  type BrokerModule,
  type BrokerPorts,
} from '../../../src/adapters/kit/broker-module.ts';
import type { BrokerId } from '../../../src/domain/broker.ts';
import {
  BrokerError,
  notSent,
  type NotSent,
  type Outcome,
  refused,
  uncertain,
} from '../../../src/domain/outcome.ts';
import type {
  Account,
  Broker,
  LoginBroker,
  MarketData,
  Trading,
} from '../../../src/domain/ports.ts';
import type { PostbackReader } from '../../../src/domain/postback.ts';
import { Secret } from '../../../src/platform/secret.ts';
import type { Brokerage, Verdict } from './brokerage.ts';
import { LAST_PRICE, quoteOf } from './market.ts';

/** What all parts of an instance share: its name, its brokerage, and the session's token. */
interface Parts {
  readonly name: BrokerId;
  readonly brokerage: Brokerage;
  readonly ports: Pick<BrokerPorts, 'clock' | 'session'>;
}

const settingsSchema = z.object({
  /** The name of one of the brokerages that the module was created with. */
  account: z.string(),
  /** The key of the checksums of postbacks. */
  secret: z.instanceof(Secret<string>),
});

/** A fourth kind of broker: brokerages in memory, by the name that an instance's settings give. */
export function inMemoryModule(brokerages: Readonly<Record<string, Brokerage>>): BrokerModule {
  return defineBrokerModule({
    kind: 'in-memory',
    mode: 'live',
    settingsSchema,
    create({ name, settings }, ports) {
      const brokerage = brokerages[settings.account];
      if (!brokerage) throw new Error(`there is no brokerage ${settings.account}`);
      return inMemoryBroker({ name, brokerage, ports });
    },
  });
}

export function inMemoryBroker(parts: Parts): Broker {
  const { name, brokerage } = parts;
  return {
    id: name,
    mode: 'live',
    marketData: marketDataOf(parts),
    account: accountOf(parts),
    trading: tradingOf(parts),
    instruments: {
      broker: name,
      lists: [
        {
          name: 'all',
          segments: ['EQUITY'],
          read: async () => withToken(parts, () => brokerage.instruments()),
        },
      ],
    },
    login: loginOf(parts),
    postbacks: postbacksOf(name, brokerage),
  };
}

const blockedOf = ({ brokerage, ports }: Parts): NotSent | null =>
  brokerage.takes(ports.session.accessToken()) ? null : notSent('token', 'log in first');

/** Every read uses the token; a token that the brokerage refuses is reported. */
function withToken<T>(parts: Parts, read: () => T): T {
  const { name, brokerage, ports } = parts;
  const token = ports.session.accessToken();
  if (brokerage.takes(token)) return read();
  if (token !== null) ports.session.tokenDied(token);
  throw new BrokerError(name, { kind: 'not_sent', reason: 'token', message: 'log in first' });
}

function marketDataOf(parts: Parts): MarketData {
  const quotes = (instruments: Parameters<MarketData['quotes']>[0]) =>
    withToken(parts, () =>
      instruments.flatMap((instrument) => quoteOf(instrument, parts.ports.clock.now()) ?? []),
    );
  return {
    broker: parts.name,
    quotes: async (instruments, leaves) => {
      leaves?.();
      return new Map(quotes(instruments).map((quote) => [quote.instrument, quote]));
    },
    lastPrices: async (instruments, leaves) => {
      leaves?.();
      return new Map(
        quotes(instruments).map(({ instrument, lastPrice }) => [
          instrument,
          { instrument, lastPrice },
        ]),
      );
    },
  };
}

function accountOf(parts: Parts): Account {
  const { brokerage } = parts;
  return {
    broker: parts.name,
    positions: async () =>
      withToken(parts, () =>
        [...brokerage.positions()].map(([instrument, { quantity, value, product }]) => ({
          ...{ instrument, product, quantity, lastPrice: LAST_PRICE },
          averagePrice: quantity === 0 ? null : value / quantity,
          realisedPnl: null,
          unrealisedPnl: null,
          buyQuantity: Math.max(0, quantity),
          sellQuantity: Math.max(0, -quantity),
        })),
      ),
    holdings: async () =>
      withToken(parts, () =>
        brokerage.instruments().map(({ name, isin }) => ({
          ...{ instrument: name, isin, quantity: brokerage.heldShares() },
          usedQuantity: 0,
          t1Quantity: 0,
          averagePrice: 1_400,
          lastPrice: LAST_PRICE,
        })),
      ),
    funds: async () =>
      withToken(parts, () => ({
        available: brokerage.cash(),
        used: null,
        total: null,
        byProduct: {},
      })),
    profile: async () => withToken(parts, () => ({ userId: 'MEM1', name: null, email: null })),
  };
}

function tradingOf(parts: Parts): Trading {
  const { name, brokerage } = parts;
  const blocked = () => blockedOf(parts);

  async function ask(request: () => Verdict): Promise<Outcome> {
    const isBlocked = blocked();
    if (isBlocked) return isBlocked;
    const verdict = request();
    if (brokerage.losesReplies) return uncertain({ kind: 'transport', message: 'no reply came' });
    return verdict.taken
      ? { kind: 'acknowledged', brokerOrderId: verdict.orderId }
      : refused('other', verdict.why);
  }

  return {
    broker: name,
    mode: 'live',
    tagging: 'always',
    blocked,
    permit: async () => blocked(),
    place: (attempt) => ask(() => brokerage.place(attempt)),
    cancel: ({ brokerOrderId }) => ask(() => brokerage.cancel(brokerOrderId)),
    modify: ({ brokerOrderId, changes }) => ask(() => brokerage.modify(brokerOrderId, changes)),
    orderBook: async () => withToken(parts, () => brokerage.orders()),
    trades: async () => withToken(parts, () => brokerage.fills()),
  };
}

function loginOf({ name, brokerage, ports }: Parts): LoginBroker {
  return {
    broker: name,
    loginUrl: (state) => `https://in-memory.test/login?state=${state}`,
    async exchange(requestToken) {
      const accessToken = brokerage.exchange(requestToken);
      if (accessToken !== null) {
        return { accessToken, userId: 'MEM1', obtainedAt: ports.clock.now() };
      }
      const message = 'the request token is not known';
      throw new BrokerError(name, { kind: 'error_body', code: null, message });
    },
    verify: async (accessToken) => (brokerage.takes(accessToken) ? { userId: 'MEM1' } : null),
    end: async (accessToken) => brokerage.end(accessToken),
  };
}

const postbackSchema = z.object({ orderId: z.string(), status: z.string(), checksum: z.string() });

function postbacksOf(broker: BrokerId, brokerage: Brokerage): PostbackReader {
  return {
    broker,
    readPostback(body) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(body);
      } catch {
        return { kind: 'malformed', detail: 'The body is not JSON.' };
      }
      const read = postbackSchema.safeParse(parsed);
      if (!read.success) return { kind: 'malformed', detail: 'The body is no postback.' };
      const { orderId, status, checksum } = read.data;
      if (checksum !== brokerage.checksum(orderId, status)) return { kind: 'forged' };
      const hint = {
        ...{ broker, brokerOrderId: orderId, rawStatus: status },
        ...{ subject: checksum, digest: checksum },
      };
      return { kind: 'genuine', hint };
    },
  };
}
