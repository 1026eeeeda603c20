import { describe, expect, it } from 'vitest';
import type { Trading } from '../../../src/domain/ports.ts';
import type { BrokerTrigger } from '../../../src/domain/trigger.ts';
import { foreignReason } from '../../../src/execution/triggers/trigger-account.ts';
import type { TriggerWatch } from '../../../src/execution/triggers/trigger-watch.ts';
import { elapsedMs } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from './makers.ts';

/** A watch in a session of an account, with the list that it reads; null for one that is never answered. */
function watchOf(account: string | null, rows: readonly BrokerTrigger[] | null) {
  const trading: Pick<Trading, 'account'> = { account: () => Promise.resolve(account) };
  const read: TriggerWatch['read'] = (begun) =>
    rows === null
      ? new Promise(() => undefined)
      : Promise.resolve({ begun, account, list: { triggers: rows, unread: [] } });
  return { read, of: { trading } as TriggerWatch['of'] };
}

const OWN = triggerRecord({ account: 'AB1234', state: triggerState('waiting') });

async function reasonIn(account: string | null, rows: readonly BrokerTrigger[] | null) {
  const time = new VirtualTime(AT);
  const clock = { now: () => AT, elapsed: () => elapsedMs(time.elapsed()) };
  const reason = foreignReason({ clock, scheduler: time }, watchOf(account, rows), OWN);
  await time.advance(3_000);
  return reason;
}

describe('a trigger of one account', () => {
  it('is not changed in a session of another, whose list does not show it', async () => {
    const reason = await reasonIn('CD5678', [brokerTrigger({ triggerId: '2' })]);
    expect(reason).toContain(
      'trigger trg_1 is of account AB1234, and the session at alt is of CD5678',
    );
    expect(reason).toContain('log in as AB1234 to change it');
  });

  it('is not changed where the list of the other session shows its id with other terms', async () => {
    expect(await reasonIn('CD5678', [brokerTrigger({ instrument: 'NSE:SBIN' })])).not.toBeNull();
  });

  it('is not changed while the list of the other session does not come', async () => {
    expect(await reasonIn('CD5678', null)).not.toBeNull();
  });

  it('is changed in a session of its own, and in one whose list shows it, whatever that is called', async () => {
    expect(await reasonIn(' ab1234', null)).toBeNull();
    expect(await reasonIn('CD5678', [brokerTrigger()])).toBeNull();
    expect(await reasonIn(null, null)).toBeNull();
  });
});
