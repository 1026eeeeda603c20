import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../sandbox/exchange/instrument.ts';
import { loggedInRig, place, placings, RESTING, spoilReading } from './walk.ts';

type LoggedIn = Awaited<ReturnType<typeof loggedInRig>>;

/** Before the day's lists are published. */
const EARLY = { start: '2026-11-06T08:00:00+05:30' };
const AT_PRIMARY = { ...RESTING, broker: 'primary' };

/** From now on the primary brokerage lists the share so. */
function relist(rig: LoggedIn, key: string, fields: Partial<Instrument['primary']>): void {
  const found = rig.sandbox.exchange.instruments().find((each) => each.key === key);
  if (!found) throw new Error(`the sandbox has no ${key}`);
  Object.assign(found.primary, fields);
}

/** Until both brokers' lists are read again: the alternative broker's unless it fails. */
async function nextLists(rig: LoggedIn, alt: 'read' | 'fails'): Promise<void> {
  if (alt === 'fails') spoilReading(rig, 'error_before', '/instruments');
  await rig.time.advanceTo('2026-11-06T09:20:00+05:30');
  await rig.get('/api/v1/instruments/NSE:INFY');
  await rig.time.advance(5_000);
}

const numbersSent = (rig: LoggedIn): unknown[] =>
  placings(rig)
    .filter(({ url }) => url.startsWith('http://primary.test'))
    .map(({ body = '{}' }) => (JSON.parse(body) as { security_id?: string }).security_id);

describe('a share whose number the exchange gave to another one', () => {
  it.each([
    ['beside an older list of the alternative broker', 'fails'],
    ['beside a list of the same day that disagrees', 'read'],
  ] as const)('is ordered at the primary by its own number: %s', async (_when, alt) => {
    await using rig = await loggedInRig(EARLY);
    relist(rig, 'NSE:RELIANCE', { securityId: '1594' });
    relist(rig, 'NSE:INFY', { securityId: '1777' });
    await nextLists(rig, alt);
    await place(rig, AT_PRIMARY, 'renumbered');
    expect(numbersSent(rig)).toEqual(['1777']);
    expect(rig.log.join('\n')).toContain('the instrument lists do not agree');
  });

  it('is refused there, and nothing is sent, where the primary’s list does not have it', async () => {
    await using rig = await loggedInRig(EARLY);
    relist(rig, 'NSE:INFY', { tradingSymbol: 'INFOSYS' });
    await nextLists(rig, 'read');
    const reply = await place(rig, AT_PRIMARY, 'unlisted');
    expect([reply.status, reply.body.code, reply.body.mayHaveExecuted]).toEqual([
      404,
      'unknown_instrument',
      false,
    ]);
    expect(reply.body.detail).toContain('has its number as NSE:INFOSYS');
    expect(placings(rig)).toHaveLength(0);
    // The other broker's list has it.
    expect((await place(rig, RESTING, 'elsewhere')).status).toBe(201);
  });
});
