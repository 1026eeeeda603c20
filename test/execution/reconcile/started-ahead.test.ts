import { describe, expect, it } from 'vitest';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { trade } from '../support/makers.ts';

const DAY = 86_400_000;

describe('a gateway that was started while its clock was ten days ahead', () => {
  it('takes in the book once the clock is right', async () => {
    const time = midday();
    const alt = lyingBroker(time);
    const trading = await tradingWith(time, [alt]);
    await time.advance(2_000);
    const filled = await trading.place();
    const done = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10 } as const;
    alt.rows.push(rowAt(time, { ...done, averagePrice: 1_500, tags: [alt.placed[0]!.tag] }));
    alt.fills.push(trade({ quantity: 10, at: time.now() }));
    await time.advance(5_000);
    expect(trading.order(filled.id).state.kind).toBe('filled');
    alt.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    const open = await trading.place();
    const { tag } = alt.placed[1]!;
    alt.rows.push(rowAt(time, { brokerOrderId: 'b2', tags: [tag] }));
    await time.advance(5_000);
    expect(trading.order(open.id).state.kind).toBe('working');
    time.stepWall(10 * DAY);
    await trading.restart();
    // A moment later the time server has set it right.
    time.stepWall(-10 * DAY);
    alt.rows[1] = rowAt(time, { ...done, brokerOrderId: 'b2', averagePrice: 1_500, tags: [tag] });
    alt.fills.push(trade({ fillId: 'f2', brokerOrderId: 'b2', quantity: 10, at: time.now() }));
    await time.advance(180_000);
    expect(trading.order(open.id).state.kind).toBe('filled');
    expect(trading.execution.recovering()).toEqual([]);
    expect(trading.execution.killSwitch()?.engaged ?? false).toBe(false);
  });
});
