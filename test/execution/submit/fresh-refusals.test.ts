import { NO_LIMITS } from '../../support/no-limits.ts';
import { describe, expect, it } from 'vitest';
import { accountWith, EXIT, settled, tried } from '../support/exit-account.ts';
import { position } from '../support/makers.ts';

/** An account that holds nothing, read a while ago. */
async function flatAccount() {
  const account = await accountWith(() => undefined);
  await account.time.advance(8_000);
  return account;
}

const told = (account: Awaited<ReturnType<typeof flatAccount>>): Promise<string> =>
  settled(
    account.time,
    account.gateway.execution.place(account.gateway.commandOf(EXIT)).then(
      () => 'placed',
      (error: { fields?: { detail?: string } }) => error.fields?.detail ?? String(error),
    ),
  );

describe('an order that the kill switch would refuse by a read of a while ago', () => {
  it('passes where the account is read again and holds what it reduces', async () => {
    const account = await flatAccount();
    account.broker.positions = [position({ quantity: 10 })];
    expect(await settled(account.time, tried(account))).toBe('working');
  });

  it('passes in the same way where its key is stopped', async () => {
    const account = await flatAccount();
    const { gateway, time, broker } = account;
    const release = { engaged: false, reason: null, changedBy: 'someone' };
    await time.settle(gateway.execution.setKillSwitch(release));
    gateway.execution.setKeyBrakes(
      new Map([['someone', { name: 'bot', stopped: 'a loss', limits: NO_LIMITS }]]),
    );
    expect(await settled(time, tried(account))).toBe('kill_switch');
    await time.advance(8_000);
    broker.positions = [position({ quantity: 10 })];
    expect(await settled(time, tried(account))).toBe('working');
  });

  it('shares the read with others that come at the same time', async () => {
    const account = await flatAccount();
    const { broker, time, gateway } = account;
    const before = broker.accountReads;
    const orders = Array.from({ length: 5 }, () =>
      gateway.execution.place(gateway.commandOf(EXIT)).catch(String),
    );
    await settled(time, Promise.all(orders));
    expect(broker.accountReads).toBe(before + 1);
  });

  it('is refused without another read by one of this second', async () => {
    const account = await flatAccount();
    await told(account);
    const before = account.broker.accountReads;
    await account.time.advance(1_000);
    expect(await told(account)).toContain('the kill switch is engaged');
    expect(account.broker.accountReads).toBe(before);
  });

  it('is told as of when the account was read', async () => {
    const account = await flatAccount();
    const readAt = account.gateway.execution.state.portfolios.get('alt')?.readAt;
    expect(await told(account)).toMatch(
      /^the kill switch is engaged\. By positions and holdings of alt as of \d\d:\d\d:\d\d IST, this order does not only reduce a position$/,
    );
    expect(account.gateway.execution.state.portfolios.get('alt')?.readAt).not.toBe(readAt);
  });

  it('is refused by the earlier read where none succeeds now', async () => {
    const account = await flatAccount();
    account.broker.isAccountReadable = false;
    expect(await settled(account.time, tried(account))).toBe('kill_switch');
    expect(account.broker.placed).toEqual([]);
  });
});
