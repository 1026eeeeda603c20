import { describe, expect, it } from 'vitest';
import { type Outcome, refused } from '../../../src/domain/outcome.ts';
import { bindingOf, statusOf } from '../../../src/execution/order/order.ts';
import { plus } from '../../../src/units/branded.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const NO = refused('other', 'RMS: no');

describe('an order of which a row is found at the first broker while a second one has its request', () => {
  async function twoBrokers(answer: Outcome) {
    const time = midday();
    const first = lyingBroker(time);
    const second = lyingBroker(time, { broker: 'primary', tagging: 'always' });
    const gateway = await tradingWith(time, [first, second]);
    first.place = () => ({ kind: 'not_sent', cause: 'connect', reason: 'no connection' });
    second.place = async (): Promise<Outcome> => {
      first.rows = [rowAt(time, { brokerOrderId: 'first', tags: [first.placed[0]!.tag] })];
      await gateway.execution.poller('alt')!.read(plus(time.elapsed(), 1));
      return answer;
    };
    const { id } = await gateway.place();
    return { time, gateway, second, id };
  }

  it('stays disputed when the second acknowledges it, with both ids', async () => {
    const { time, gateway, second, id } = await twoBrokers({
      kind: 'acknowledged',
      brokerOrderId: 'second',
    });
    second.rows = [
      rowAt(time, { brokerOrderId: 'second', tags: [second.placed[0]!.tag], filledQuantity: 10 }),
    ];
    await time.advance(5_000);
    const order = gateway.order(id);
    expect(statusOf(order)).toBe('disputed');
    expect(bindingOf(order)?.brokerOrderId).toBe('second');
    expect(order.state).toMatchObject({ twin: { broker: 'alt', brokerOrderId: 'first' } });
    // A way out: the row at the second broker can be cancelled.
    await gateway.cancel(id);
    expect(second.cancels).toEqual(['second']);
  });

  it.each([NO, { kind: 'not_sent', cause: 'connect', reason: 'no connection' } as const])(
    'stays disputed when the second has not got it: %j',
    async (answer) => {
      const { time, gateway, id } = await twoBrokers(answer);
      await time.advance(5_000);
      expect(statusOf(gateway.order(id))).toBe('disputed');
    },
  );
});
