import { describe, expect, it } from 'vitest';
import type { BrokerId } from '../../src/domain/broker.ts';
import { BrokerError, notSent } from '../../src/domain/outcome.ts';
import type { MarginEstimate, MarginQuery } from '../../src/domain/margin.ts';
import type { OrderRequest } from '../../src/domain/order.ts';
import type { Account, Broker } from '../../src/domain/ports.ts';
import { createMarginRead } from '../../src/router/margins.ts';
import { INFY } from '../routes/support/samples.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const estimate: MarginEstimate = {
  required: 5,
  available: null,
  shortfall: null,
  parts: {},
  charges: null,
};

const order: OrderRequest = {
  instrument: 'NSE_1594',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'CNC',
  validity: 'DAY',
  price: null,
  triggerPrice: null,
  amo: false,
  tag: null,
  broker: null,
  mode: null,
};

interface Options {
  readonly route?: readonly BrokerId[];
  /** Without a session. */
  readonly closed?: readonly BrokerId[];
  readonly lacking?: readonly BrokerId[];
}

function bench({ route = ['alt', 'paper'], closed = [], lacking = ['paper'] }: Options = {}) {
  const asked: [BrokerId, readonly MarginQuery[]][] = [];
  const time = new VirtualTime('2026-11-20T10:00:00+05:30');
  const broker = (id: BrokerId): Broker => {
    const margins: Account['margins'] = async (orders) => {
      asked.push([id, orders]);
      if (!closed.includes(id)) return estimate;
      throw new BrokerError(id, { kind: 'not_sent', reason: 'token', message: 'no token' });
    };
    const account = { broker: id, ...(lacking.includes(id) ? {} : { margins }) } as Account;
    return { id, mode: id === 'paper' ? 'paper' : 'live', account };
  };
  const margins = createMarginRead({
    brokers: (['alt', 'primary', 'paper'] as const).map(broker),
    route,
    view: (id) => ({
      broker: id,
      mode: id === 'paper' ? 'paper' : 'live',
      blocked: closed.includes(id) ? notSent('token', 'no token') : null,
    }),
    instrument: async () => INFY,
    clock: time,
  });
  return { asked, margins };
}

describe('the margin of orders', () => {
  it('is read from the account that trades, with canonical instrument names', async () => {
    const { asked, margins } = bench();
    expect(await margins([order])).toMatchObject({
      data: estimate,
      meta: { broker: 'alt', mode: 'live', ageMs: 0 },
    });
    expect(asked).toMatchObject([
      ['alt', [{ terms: { instrument: 'NSE:INFY' }, instrument: INFY }]],
    ]);
  });

  it('is read from the first broker with a session', async () => {
    const { margins } = bench({ route: ['alt', 'primary'], closed: ['alt'] });
    expect((await margins([order])).meta.broker).toBe('primary');
  });

  it('is read from the named broker, whatever the route', async () => {
    const { margins } = bench();
    expect((await margins([order], { broker: 'primary' })).meta.broker).toBe('primary');
  });

  it('fails with the named broker’s own error when it has no session', async () => {
    const { margins } = bench({ closed: ['primary'] });
    await expect(margins([order], { broker: 'primary' })).rejects.toThrow('no token');
  });

  it.each([
    ['the account that trades', { closed: ['alt'] }, {}],
    ['the one that is named', {}, { broker: 'paper' }],
  ] as const)('is a clear problem where %s does not calculate it', async (_, options, named) => {
    const { asked, margins } = bench(options);
    await expect(margins([order], named)).rejects.toMatchObject({
      code: 'not_supported',
      message: 'paper does not offer margins: name a broker that does',
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ['live', { closed: ['alt'] }],
    ['paper', { route: ['alt'] }],
  ] as const)(
    'of an order that must be %s is not read from another account',
    async (mode, options) => {
      const { asked, margins } = bench(options);
      await expect(margins([{ ...order, mode }])).rejects.toMatchObject({ code: 'no_broker' });
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ['paper', 'alt'],
    ['live', 'paper'],
  ] as const)('of an order that must be %s is refused for broker %s', async (mode, broker) => {
    const { asked, margins } = bench({ lacking: [] });
    await expect(margins([order, { ...order, mode }], { broker })).rejects.toMatchObject({
      code: 'wrong_mode',
      message: `broker ${broker} is not ${mode}: name another broker, or leave out mode`,
    });
    expect(asked).toEqual([]);
  });
});
