import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { isCancelWanted } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const LOST = uncertain({ kind: 'transport', message: 'no answer' });

/** An open order of the user U1 with a kept cancel. `permits` are those taken since then. */
async function keptCancel() {
  const time = midday();
  const broker = lyingBroker(time);
  let account = 'U1';
  broker.trading.account = () => Promise.resolve(account);
  broker.cancel = () => LOST;
  const disk = failingDatabase(openDatabase(':memory:'));
  const gateway = await tradingWith(time, [broker], disk.database);
  const { id } = await gateway.place();
  const rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
  broker.rows = rows;
  await time.advance(3_000);
  await gateway.cancel(id);
  expect(isCancelWanted(gateway.order(id))).toBe(true);
  const sent = broker.cancels.length;
  let permits = 0;
  let onPermit = (): void => undefined;
  broker.trading.permit = () => {
    permits += 1;
    onPermit();
    return Promise.resolve(null);
  };
  const logIn = (user: string) => {
    account = user;
    broker.rows = user === 'U1' ? rows : [];
  };
  return {
    ...{ time, broker, gateway, id, disk, logIn },
    counts: () => ({ permits, sent: broker.cancels.length - sent }),
    onNextPermit: (then: () => void) => (onPermit = then),
  };
}

describe('a kept cancel that cannot leave now takes no permit, which counts against the limits of a day', () => {
  it('while another user is logged in; it goes out once its own user is', async () => {
    const { time, logIn, counts } = await keptCancel();
    logIn('U2');
    await time.advance(600_000);
    expect(counts()).toEqual({ permits: 0, sent: 0 });
    logIn('U1');
    await time.advance(1_500);
    expect(counts()).toEqual({ permits: 1, sent: 1 });
  });

  it('and does not leave where another user logs in while it waits for its permit', async () => {
    const { time, logIn, counts, onNextPermit } = await keptCancel();
    onNextPermit(() => logIn('U2'));
    await time.advance(10_000);
    expect(counts()).toEqual({ permits: 1, sent: 0 });
  });

  it('in the pauses between its requests, while the disk takes nothing', async () => {
    const { time, disk, counts } = await keptCancel();
    disk.fail();
    await time.advance(600_000);
    const { permits, sent } = counts();
    expect(sent).toBeGreaterThan(5);
    expect(permits).toBe(sent);
  });
});
