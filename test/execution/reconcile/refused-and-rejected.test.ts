import { describe, expect, it } from 'vitest';
import { type Outcome, notSent, refused } from '../../../src/domain/outcome.ts';
import { bindingOf, statusOf } from '../../../src/execution/order/order.ts';
import { fieldsOf } from '../support/order-fields.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const REJECTED = { status: 'rejected', rawStatus: 'REJECTED', reason: 'RMS: margin' } as const;
const NO = refused('other', 'RMS: margin');

/** An order that is answered so, and that the book lists as rejected. */
async function answered(answer: Outcome, tagging: 'always' | 'never', hasTag = true) {
  const time = midday();
  const broker = lyingBroker(time, { tagging });
  const gateway = await tradingWith(time, [broker]);
  broker.place = ({ tag }) => {
    broker.rows = [rowAt(time, { ...REJECTED, tags: hasTag ? [tag] : [] })];
    return answer;
  };
  const { id } = await gateway.place();
  await time.advance(12_000);
  const isSwitchEngaged = () => gateway.execution.killSwitch()?.engaged === true;
  const criticals = () => gateway.alerts().filter(({ level }) => level === 'critical');
  return { time, broker, gateway, id, isSwitchEngaged, criticals };
}

/** Many brokers list an order that their risk management has refused, as rejected: both say the same. */
describe('a refused order that the book lists as rejected', () => {
  it.each([
    ['return none', 'never', false],
    ['do', 'always', true],
  ] as const)('is bound to the row, and stops no other, where tags %s', async (_, tagging, has) => {
    const { gateway, id, isSwitchEngaged, criticals } = await answered(NO, tagging, has);
    expect(fieldsOf(gateway.order(id))).toMatchObject({ status: 'rejected', filledQuantity: 0 });
    expect(bindingOf(gateway.order(id))?.brokerOrderId).toBe('b1');
    expect(isSwitchEngaged()).toBe(false);
    expect(criticals()).toEqual([]);
  });

  it('has the fill that the row shows later', async () => {
    const { time, broker, gateway, id } = await answered(NO, 'always');
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
    broker.rows = [{ ...broker.rows[0]!, ...filled, averagePrice: 1_500 }];
    await time.advance(12_000);
    expect(fieldsOf(gateway.order(id))).toMatchObject({ status: 'filled', filledQuantity: 10 });
    const message = expect.stringContaining(
      'was rejected with 0 filled; its broker now shows filled',
    );
    expect(gateway.alerts()).toContainEqual({ level: 'warning', orderId: id, message });
  });

  it('is not disputed for a row without its tag, until that row fills', async () => {
    const { time, broker, gateway, id } = await answered(NO, 'always', false);
    expect(statusOf(gateway.order(id))).toBe('rejected');
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
    broker.rows = [{ ...broker.rows[0]!, ...filled }];
    await time.advance(12_000);
    expect(statusOf(gateway.order(id))).toBe('disputed');
  });
});

it('an order that never left stops all others where the book lists it as rejected', async () => {
  const unsent = notSent('connect', 'no connection');
  const { time, gateway, isSwitchEngaged, criticals } = await answered(unsent, 'always');
  await time.settle(gateway.execution.poller('alt')!.read(time.elapsed()));
  expect(isSwitchEngaged()).toBe(true);
  expect(criticals()).toHaveLength(1);
});
