import { createInstrumentDirectory } from '../../../src/instruments/directory.ts';
import type { InstrumentList } from '../../../src/domain/ports.ts';
import type { HeldList, KeptLists, ListName } from '../../../src/instruments/kept-lists.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { packList } from '../../../src/instruments/packed-list.ts';
import { atOnce } from '../../../src/platform/chunks.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import type { FakeSource } from './lists.ts';
import { contract, share } from './lists.ts';
import { epochMs } from '../../../src/units/branded.ts';

export const INFY = share('INFY', '1594', { displayName: 'Infosys Limited' });
export const TCS = share('TCS', '11536', { instrumentToken: 2_953_217 });
export const OPTION = contract('NIFTY26NOV24450CE', '51011', { instrumentToken: 13_058_818 });

/** What is on disk: by broker, and by list where a broker has several (`primary-fno`). */
export class FakeKept implements KeptLists {
  readonly held = new Map<string, HeldList>();
  writes = 0;

  keep(broker: string, fetchedAt: string, ...instruments: Instrument[]): this {
    this.held.set(broker, {
      fetchedAt: epochMs(Date.parse(fetchedAt)),
      list: atOnce(packList(instruments)),
    });
    return this;
  }

  read(broker: string, lists: readonly InstrumentList[]): ReadonlyMap<string, HeldList> {
    const found = lists.flatMap(({ name }) => {
      const held = this.held.get(lists.length === 1 ? broker : `${broker}-${name}`);
      return held ? [[name, held] as const] : [];
    });
    return new Map(found);
  }

  write({ broker, name }: ListName, held: HeldList): void {
    this.writes += 1;
    this.held.set(name === null ? broker : `${broker}-${name}`, held);
  }
}

export interface Options {
  readonly kept?: KeptLists;
  readonly start?: string;
}

export function bench(sources: FakeSource[], { kept, start }: Options = {}) {
  const time = new VirtualTime(start ?? '2026-11-06T11:00:00+05:30');
  const said: string[] = [];
  const directory = createInstrumentDirectory({
    sources,
    blocked: (source) => (source as FakeSource).blocked,
    kept: kept ?? null,
    clock: time,
    scheduler: time,
    log: { ...silentLog, warn: (message) => void said.push(message) },
  });
  const load = (): Promise<void> => time.settle(directory.ensureLoaded());
  const names = (): string[] => directory.search({ limit: 99 }).instruments.map(({ name }) => name);
  return { time, directory, said, load, names };
}

/** A list that a test releases. */
export function later(): { list: Promise<Instrument[]>; come: (...list: Instrument[]) => void } {
  let come!: (list: Instrument[]) => void;
  const list = new Promise<Instrument[]>((resolve) => (come = resolve));
  return { list, come: (...instruments) => come(instruments) };
}
