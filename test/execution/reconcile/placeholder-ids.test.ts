import { describe, expect, it } from 'vitest';
import { type BrokerFill, realId } from '../../../src/domain/broker-order.ts';
import { istTime } from '../../../src/domain/ist.ts';
import type { Outcome } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { DAY, trade, unreadRow } from '../support/makers.ts';

const LOST: Outcome = {
  kind: 'uncertain',
  reason: 'no answer',
  failure: { kind: 'transport', message: 'no answer' },
};
const PLACEHOLDERS = ['0', '0000', '0-0', 'NA', 'n/a', 'null', 'None', '-1', ' ', '-'];

describe('an id', () => {
  it.each(PLACEHOLDERS)('that is %j is none', (text) => {
    expect(realId(text)).toBeNull();
  });

  it.each(['1', '0012', 'X0', 'EQ-28131451', 'NA1', '-A1'])('that is %j is one', (text) => {
    expect(realId(` ${text} `)).toBe(text);
  });
});

describe.each(PLACEHOLDERS.slice(0, 6))('the exchange id %j on several rows', (exchangeOrderId) => {
  const foreign = { instrument: 'NSE:TCS', side: 'SELL', exchangeOrderId } as const;

  it('does not tell that one of them which vanished was misread: no book proves absence', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const [x, y] = ['x', 'y'].map((id) => rowAt(time, { ...foreign, brokerOrderId: id }));
    broker.rows = [x!, y!];
    broker.place = () => LOST;
    const { id } = await gateway.place();
    await time.advance(5_000);
    broker.rows = [y!];
    await time.advance(istTime(DAY, '20:05') - time.now());
    broker.rows = [y!, rowAt(time, { ...foreign, brokerOrderId: 'z' })];
    await time.advance(15 * 60_000);
    expect(orderResponse(gateway.order(id)).status).toBe('uncertain');
  });

  it.each<[string, Partial<BrokerFill>]>([
    ['that names no order', { brokerOrderId: null, exchangeOrderId }],
    ['whose order id is such a text', { brokerOrderId: exchangeOrderId, exchangeOrderId }],
  ])('gives no order a trade %s', async (_what, named) => {
    const time = midday();
    const broker = lyingBroker(time, { broker: 'primary', tagging: 'once_echoed' });
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    broker.rows = [rowAt(time, { exchangeOrderId, filledQuantity: null })];
    broker.fills = [trade({ ...named, quantity: 10 })];
    await time.advance(10_000);
    expect(gateway.execution.state.fills.size).toBe(0);
    expect(orderResponse(gateway.order(id))).toMatchObject({ status: 'working' });
  });
});

it('a trade without an order’s id is that of a row that cannot be read, by the exchange’s id', async () => {
  const time = midday();
  const broker = lyingBroker(time, { broker: 'primary', tagging: 'once_echoed' });
  const gateway = await tradingWith(time, [broker]);
  const { id } = await gateway.place();
  const named = { brokerOrderId: 'b1', exchangeOrderId: 'x1', instrument: 'NSE:INFY' };
  broker.unreadRows = [unreadRow(named)];
  broker.fills = [trade({ brokerOrderId: null, exchangeOrderId: 'x1', quantity: 10 })];
  await time.advance(20_000);
  expect(orderResponse(gateway.order(id))).toMatchObject({ filledQuantity: 10 });
});
