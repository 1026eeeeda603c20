import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { loggedInRig, pinnedRig, place, RESTING, spoilReading } from './walk.ts';

const books = async (rig: Rig, query = '') => {
  const { body } = await rig.get(`/api/v1/orders${query}`);
  return Object.fromEntries(
    body.meta.books.map(({ broker, read, reason }: Record<string, unknown>) => [
      broker,
      read === true ? reason : String(reason),
    ]),
  );
};

describe('GET /api/v1/orders says whose rows are in it', () => {
  it('without a broker: those of the account of the trading route, and why not the others', async () => {
    await using rig = await loggedInRig();
    expect(await books(rig)).toEqual({
      alt: null,
      primary: 'a list without a broker reads one account: send broker=primary for this one',
      paper: 'a list without a broker reads one account: send broker=paper for this one',
    });
  });

  it('without a session at a broker: that it has none', async () => {
    await using rig = await pinnedRig();
    const { alt, paper } = await books(rig);
    expect(paper).toBeNull();
    expect(alt).toMatch(/log in/i);
  });

  it('with a broker: those of that one alone', async () => {
    await using rig = await loggedInRig();
    expect(await books(rig, '?broker=paper')).toEqual({ paper: null });
  });

  it('of an earlier day: none, for brokers keep no such book', async () => {
    await using rig = await loggedInRig();
    const told = await books(rig, '?day=2026-11-20');
    expect(told.alt).toBe('brokers keep the book of the present day alone');
  });

  it('is an error, and no list, where the book of the account cannot be read', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'one');
    spoilReading(rig, 'error_before', '/orders');
    const { status, body } = await rig.get('/api/v1/orders?maxAgeMs=0');
    expect([status, body.code]).toEqual([503, 'broker_unavailable']);
  });
});

interface Part {
  readonly part: string;
}
interface Status {
  readonly broker: string;
  readonly reason: string | null;
  readonly parts: readonly Part[];
}

const statuses = async (rig: Rig) => {
  const { body } = await rig.get('/api/v1/brokers');
  return new Map<string, Status>(body.data.map((each: Status) => [each.broker, each]));
};

const partOf = (status: Status | undefined, part: string) =>
  status?.parts.find((each) => each.part === part);

describe('GET /api/v1/brokers says what each broker can do now', () => {
  it('one that is on no trading route takes orders that name it', async () => {
    await using rig = await loggedInRig();
    const status = (await statuses(rig)).get('primary');
    expect(status).toMatchObject({ serves: ['market_data'], available: true });
    const trading = { chosenBy: 'name', available: true, reason: null };
    expect(partOf(status, 'trading')).toMatchObject(trading);
    expect(partOf(status, 'market_data')).toMatchObject({ chosenBy: 'route' });
    const named = await place(rig, { ...RESTING, broker: 'primary' }, 'named');
    expect([named.status, named.body.meta.broker]).toEqual([201, 'primary']);
  });

  it('without a session a broker does nothing', async () => {
    await using rig = await pinnedRig();
    const status = (await statuses(rig)).get('alt');
    expect(status).toMatchObject({ available: false });
    expect(status?.parts).toHaveLength(3);
    for (const part of status?.parts ?? []) {
      expect(part).toMatchObject({ chosenBy: 'route', available: false, reason: status?.reason });
    }
  });

  it('paper is available with prices alone: without them its account can be read, and no more', async () => {
    await using rig = await pinnedRig({ environment: { APP_ROUTE_MARKET_DATA: 'alt' } });
    const without = (await statuses(rig)).get('paper');
    expect(without).toMatchObject({ available: false });
    expect(without?.reason).toContain('market-data route');
    expect(partOf(without, 'trading')).toMatchObject({ available: false });
    expect(partOf(without, 'account')).toMatchObject({ available: true, reason: null });
    await rig.logIn();
    const withPrices = (await statuses(rig)).get('paper');
    expect(withPrices).toMatchObject({ available: true, reason: null });
    expect(partOf(withPrices, 'trading')).toMatchObject({ available: true });
  });
});
