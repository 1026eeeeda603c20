import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { createListIndex } from '../../src/instruments/list-index.ts';
import { atOnce } from '../../src/platform/chunks.ts';
import { contract, joined, primaryContract, share } from './support/lists.ts';

const TODAY = '2026-11-06';
/** `broker-0` of the support: it has tokens, and is sent names. */
const KITE = 'broker-0';
/** `broker-1`: it has no tokens, and is sent numbers. */
const PRIMARY = 'broker-1';

const ofPrimary = (symbol: string, id: string, parts: Partial<Instrument> = {}): Instrument =>
  share(symbol, id, { instrumentToken: null, ...parts });

function indexOf(
  alt: readonly Instrument[],
  primary: readonly Instrument[],
  editions?: [number, number],
) {
  const index = atOnce(createListIndex(joined([alt, primary], editions)));
  const named = (name: string): Instrument => {
    const found = index.byName(name);
    if (!found) throw new Error(`${name} is not listed`);
    return found;
  };
  return {
    index,
    /** What the primary would be sent for a name; the reason where nothing may be sent. */
    sent(name: string): string | null {
      const view = index.ofBroker(PRIMARY);
      return view.refusal(named(name))?.reason ?? view.own(named(name)).securityId;
    },
    refusal: (broker: string, name: string) => index.ofBroker(broker).refusal(named(name)),
    /** The name of a row of the primary that has this number. */
    rowOf: (id: string, exchange = 'NSE') =>
      index.ofBroker(PRIMARY).bySecurityId(exchange, id, undefined, TODAY)?.name ?? null,
  };
}

const EDITIONS: [string, [number, number]][] = [
  ['an older list of the other broker', [1, 2]],
  ['a list of the other broker of the same day', [2, 2]],
];

describe('a number that the exchange gave to another instrument', () => {
  it.each(EDITIONS)('does not decide what the primary is sent, beside %s', (_what, editions) => {
    const lists = indexOf(
      [share('INFY', '1594')],
      [ofPrimary('OTHERCO', '1594'), ofPrimary('INFY', '1777')],
      editions,
    );
    expect([lists.sent('NSE:INFY'), lists.sent('NSE:OTHERCO')]).toEqual(['1777', '1594']);
    expect([lists.rowOf('1594'), lists.rowOf('1777')]).toEqual(['NSE:OTHERCO', 'NSE:INFY']);
    expect(lists.refusal(KITE, 'NSE:INFY')).toBeNull();
    expect(lists.refusal(KITE, 'NSE:OTHERCO')?.reason).toContain('does not have NSE:OTHERCO');
    expect(lists.index.resolve('NSE_1594', TODAY)?.name).toBe('NSE:OTHERCO');
  });

  it.each(EDITIONS)('does not decide about contracts, beside %s', (_what, editions) => {
    const lists = indexOf(
      [contract('NIFTY26NOV24450CE', '50001')],
      [
        primaryContract('FINNIFTY-NOV2026-24450-CE', '50001'),
        primaryContract('NIFTY-NOV2026-24450-CE', '50002'),
      ],
      editions,
    );
    expect(lists.sent('NFO:NIFTY26NOV24450CE')).toBe('50002');
    expect(lists.rowOf('50001')).toBe('NFO:FINNIFTY26NOV24450CE');
  });

  it('is not sent where another list of a later day has it as another’s', () => {
    const lists = indexOf(
      [share('OTHERCO', '1594'), share('INFY', '1777')],
      [ofPrimary('INFY', '1594')],
      [2, 1],
    );
    expect(lists.sent('NSE:INFY')).toContain('disagree about the number of NSE:INFY');
    expect(lists.sent('NSE:OTHERCO')).toContain('does not have NSE:OTHERCO');
    expect(lists.rowOf('1594')).toBeNull();
    expect(lists.refusal(KITE, 'NSE:INFY')).toBeNull();
  });

  it('leaves no token of an older list that was made of it', () => {
    const lists = indexOf([share('INFY', '1594')], [ofPrimary('OTHERCO', '1594')], [1, 2]);
    expect(lists.index.byName('NSE:INFY')?.instrumentToken).toBeNull();
  });
});

describe('a name that one broker’s list does not have', () => {
  it('is refused there, with the name under which its number is listed', () => {
    const { sent } = indexOf([share('INFY', '1594')], [ofPrimary('INFOSYS', '1594')]);
    expect(sent('NSE:INFY')).toContain('does not have NSE:INFY, and has its number as NSE:INFOSYS');
  });

  it('is never sent by the number of the other broker’s list', () => {
    const { sent, index } = indexOf([share('INFY', '1594')], [ofPrimary('TCS', '11536')]);
    expect(sent('NSE:INFY')).toContain('does not have NSE:INFY');
    const infy = index.byName('NSE:INFY');
    expect(infy && index.ofBroker(PRIMARY).own(infy).securityId).toBeNull();
  });

  it('waits for the broker’s first list where it has none', () => {
    const { refusal } = indexOf([share('INFY', '1594')], []);
    expect(refusal(PRIMARY, 'NSE:INFY')).toMatchObject({ isLasting: false });
  });
});

const symbolOf = (list: readonly { symbol: string; id: string }[], id: string | null) =>
  list.find((each) => each.id === id)?.symbol ?? null;

describe('the number that is sent for a name', () => {
  const names = ['INFY', 'TCS', 'SBIN'];
  const list = fc.uniqueArray(
    fc.record({ symbol: fc.constantFrom(...names), id: fc.constantFrom('1', '2', '3') }),
    { selector: ({ id }) => id, maxLength: 3 },
  );
  const edition = fc.constantFrom(1, 2);

  it('is always the one of the broker’s own list, whatever the other list says', () => {
    fc.assert(
      fc.property(list, list, edition, edition, (alt, primary, first, second) => {
        const lists = indexOf(
          alt.map(({ symbol, id }) => share(symbol, id)),
          primary.map(({ symbol, id }) => ofPrimary(symbol, id)),
          [first, second],
        );
        for (const { name, securityId } of lists.index.search({ limit: 99 }, TODAY).instruments) {
          const told = lists.sent(name);
          if (told === null || !/^\d+$/.test(told)) continue;
          // An instrument without a name of its own is called by its number.
          const meant = name.startsWith('NSE:') ? name : `NSE:${symbolOf(primary, securityId)}`;
          expect(`NSE:${symbolOf(primary, told)}`).toBe(meant);
          expect(lists.rowOf(told)).toBe(name);
        }
      }),
    );
  });
});
