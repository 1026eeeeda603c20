import type { Instrument, Segment } from '../../../src/domain/instrument.ts';
import type { InstrumentList, InstrumentSource } from '../../../src/domain/ports.ts';
import { joinMasters, type Joined } from '../../../src/instruments/join.ts';
import { packList } from '../../../src/instruments/packed-list.ts';
import { atOnce } from '../../../src/platform/chunks.ts';
import { instrument } from '../../execution/support/makers.ts';

/** A share of NSE, as both lists have it. */
export const share = (
  tradingSymbol: string,
  securityId: string,
  parts: Partial<Instrument> = {},
): Instrument =>
  instrument({
    name: `${parts.exchange ?? 'NSE'}:${tradingSymbol}`,
    tradingSymbol,
    securityId,
    displayName: '',
    ...parts,
  });

/** A contract on NIFTY of 24 November 2026, as the alternative broker lists it. */
export const contract = (
  tradingSymbol: string,
  securityId: string,
  parts: Partial<Instrument> = {},
): Instrument =>
  share(tradingSymbol, securityId, {
    exchange: 'NFO',
    segment: 'DERIVATIVE',
    lotSize: 65,
    expiry: '2026-11-24',
    strike: 24_450,
    optionType: 'CE',
    displayName: 'NIFTY 2026-11-24 24450 CE',
    ...parts,
  });

/** The same as the primary brokerage lists it: under its own name, without a token. */
export const primaryContract = (
  tradingSymbol: string,
  securityId: string,
  parts: Partial<Instrument> = {},
): Instrument =>
  contract(tradingSymbol, securityId, {
    instrumentToken: null,
    displayName: 'NIFTY 24 NOV 24450 CALL',
    ...parts,
  });

export const future = { strike: null, optionType: null } as const;

/** Lists of one day, unless editions are given, on 6 November 2026. */
export function joined(lists: readonly (readonly Instrument[])[], editions?: number[]): Joined {
  const masters = lists.map((list, place) => ({
    broker: `broker-${place}`,
    edition: editions?.[place] ?? 1,
    list: atOnce(packList(list)),
  }));
  return atOnce(joinMasters(masters, '2026-11-06'));
}

type Next = readonly Instrument[] | null | Error | Promise<readonly Instrument[] | null>;

/** A list that returns the given editions in turn; an error is a failed read. */
export class FakeList implements InstrumentList {
  readonly name: string;
  readonly segments: readonly Segment[];
  reads = 0;
  next: Next;

  constructor(name: string, segments: readonly Segment[], next: Next) {
    this.name = name;
    this.segments = segments;
    this.next = next;
  }

  read(): Promise<readonly Instrument[] | null> {
    this.reads += 1;
    return this.next instanceof Error ? Promise.reject(this.next) : Promise.resolve(this.next);
  }
}

/** A source with one list of everything. */
export class FakeSource implements InstrumentSource {
  readonly broker: 'alt' | 'primary';
  readonly freshForMs?: number;
  readonly list: FakeList;
  readonly lists: readonly FakeList[];
  blocked: string | null = null;

  constructor(broker: 'alt' | 'primary', next: Next, ...others: readonly FakeList[]) {
    this.broker = broker;
    this.list = new FakeList('all', ['EQUITY', 'DERIVATIVE', 'INDEX'], next);
    this.lists = others.length === 0 ? [this.list] : others;
    if (broker === 'primary') this.freshForMs = 3_600_000;
  }

  get reads(): number {
    return this.list.reads;
  }

  set next(next: Next) {
    this.list.next = next;
  }
}

/** A source with a list for each kind of instrument, as the primary brokerage has. */
export function sourceOf(parts: {
  readonly equity: Next;
  readonly index: Next;
  readonly fno: Next;
}): { readonly source: FakeSource } & Readonly<Record<'equity' | 'index' | 'fno', FakeList>> {
  const equity = new FakeList('equity', ['EQUITY'], parts.equity);
  const index = new FakeList('index', ['INDEX'], parts.index);
  const fno = new FakeList('fno', ['DERIVATIVE'], parts.fno);
  return { source: new FakeSource('primary', null, equity, index, fno), equity, index, fno };
}
