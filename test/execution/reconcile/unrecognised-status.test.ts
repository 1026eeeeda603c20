import { describe, expect, it } from 'vitest';
import {
  lyingBroker,
  midday,
  rowAt,
  tradingWith,
  type LyingBroker,
} from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';
import type { VirtualTime } from '../../support/virtual-time.ts';

/** One order whose row has a status that nobody knows, at an account with this position in it. */
async function strangeOrder(
  time: VirtualTime,
  side: 'BUY' | 'SELL',
  held: number,
  outcome: LyingBroker['cancel'] = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId }),
) {
  const broker = lyingBroker(time);
  broker.cancel = outcome;
  broker.positions = [position({ quantity: held })];
  const trading = await tradingWith(time, [broker]);
  trading.execution.wake('alt');
  await time.advance(1_000);
  await trading.place({ side });
  const row = { side, status: 'unrecognised', rawStatus: 'PARKED' } as const;
  broker.rows = [rowAt(time, row)];
  const messages = () =>
    trading.alerts().filter(({ message }) => /PARKED|unknown status/.test(message));
  return { broker, messages };
}

describe('an order of unrecognised status that opens a position', () => {
  it('is cancelled after the time-out, and no sooner', async () => {
    const time = midday();
    const { broker } = await strangeOrder(time, 'BUY', 0);
    await time.advance(59_000);
    expect(broker.cancels).toEqual([]);
    await time.advance(4_000);
    expect(broker.cancels).toEqual(['b1']);
    await time.advance(300_000);
    expect(broker.cancels).toEqual(['b1']);
  });

  it('has the cancel announced before and after', async () => {
    const time = midday();
    let announced = 0;
    const { messages } = await strangeOrder(time, 'BUY', 0, (brokerOrderId) => {
      announced = messages().length;
      return { kind: 'acknowledged', brokerOrderId };
    });
    await time.advance(70_000);
    expect(announced).toBe(2);
    expect(messages().map(({ message }) => message)).toEqual([
      expect.stringMatching(/status "PARKED" is not known; read as working/),
      expect.stringMatching(/is cancelled now: its status "PARKED" has been unknown/),
      expect.stringMatching(/cancel .* an unknown status: acknowledged/),
    ]);
  });

  it('is cancelled also where the account holds less than it sells', async () => {
    const time = midday();
    const { broker } = await strangeOrder(time, 'SELL', 9);
    await time.advance(70_000);
    expect(broker.cancels).toEqual(['b1']);
  });
});

describe('an order of unrecognised status that only reduces a position', () => {
  it.each([
    ['SELL', 10],
    ['BUY', -10],
  ] as const)('is left alone, with one alert: %s against %i', async (side, held) => {
    const time = midday();
    const { broker, messages } = await strangeOrder(time, side, held);
    await time.advance(600_000);
    expect(broker.cancels).toEqual([]);
    expect(messages().map(({ message }) => message)).toEqual([
      expect.stringMatching(/status "PARKED" is not known; read as working/),
      expect.stringMatching(/is not cancelled, because it only reduces a position/),
    ]);
  });
});

describe('the account, before an order of unrecognised status is cancelled', () => {
  it('is read: what somebody has bought since it was last read counts', async () => {
    const time = midday();
    const { broker, messages } = await strangeOrder(time, 'SELL', 0);
    await time.advance(30_000);
    // In the broker's own app, and no order of the gateway says so.
    broker.positions = [position({ quantity: 10 })];
    await time.advance(600_000);
    expect(broker.cancels).toEqual([]);
    expect(messages().at(-1)?.message).toContain('not cancelled, because it only reduces');
  });

  it('leaves the order alone while it cannot be read, with one alert, and decides once it can', async () => {
    const time = midday();
    const { broker, messages } = await strangeOrder(time, 'SELL', 0);
    broker.isAccountReadable = false;
    await time.advance(300_000);
    expect(broker.cancels).toEqual([]);
    expect(messages().map(({ message }) => message)).toEqual([
      expect.stringMatching(/read as working/),
      expect.stringMatching(/not cancelled, because what the account holds cannot be read/),
    ]);
    broker.isAccountReadable = true;
    await time.advance(30_000);
    expect(broker.cancels).toEqual(['b1']);
  });
});
