import { join } from 'node:path';
import { z } from 'zod';
import type { BrokerId } from '../domain/broker.ts';
import type { Instrument, Segment } from '../domain/instrument.ts';
import type { InstrumentList } from '../domain/ports.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { atOnce } from '../platform/chunks.ts';
import { messageOf } from '../platform/values.ts';
import { packList, packTexts, textsOf, unpackList, type PackedList } from './packed-list.ts';
import { epochMs, type EpochMs } from '../units/branded.ts';

/** A list, and the wall time (epoch ms) at which it was requested. */
export interface HeldList {
  readonly fetchedAt: EpochMs;
  readonly list: PackedList;
}

export interface ListName {
  readonly broker: BrokerId;
  /** The list's name at its source; null for the only list of a broker. */
  readonly name: string | null;
}

/** The lists on disk, one file each. Neither call throws: errors of the disk are logged. */
export interface KeptLists {
  /**
   * A broker's lists by name. A list is absent when it has no file that is whole, private and from
   * this broker's address.
   */
  read(broker: BrokerId, lists: readonly InstrumentList[]): ReadonlyMap<string, HeldList>;
  write(list: ListName, held: HeldList): void;
}

export interface KeptListsParts {
  readonly files: Files;
  readonly directory: string;
  /**
   * Where each broker's list comes from. A list from another address, such as a simulated broker's
   * in the same data directory, has other ids: an order that used them would be for another
   * instrument.
   */
  readonly addressOf: (broker: BrokerId) => string;
  readonly log: Log;
}

const FORMAT = 'instruments';
const VERSION = 1;

const header = z.object({
  broker: z.string(),
  /** Absent where the file holds all of the broker's instruments. */
  list: z.string().exactOptional(),
  address: z.string(),
  fetchedAt: z.int().transform(epochMs),
  count: z.int().positive(),
  digest: z.string(),
});
/** What each file says of itself, beside its contents. */
const identity = z.object({ format: z.literal(FORMAT), version: z.unknown() });
type Header = z.output<typeof header>;

/** A header line, then a line for each chunk of the list (docs/spec/instruments.md, "On disk"). */
export function createKeptLists({ files, directory, addressOf, log }: KeptListsParts): KeptLists {
  const pathOf = ({ broker, name }: ListName): string =>
    join(directory, `instruments-${name === null ? broker : `${broker}-${name}`}.jsonl`);

  function readFile(list: ListName): HeldList | null {
    const { broker } = list;
    const path = pathOf(list);
    try {
      const text = files.readPrivate(path);
      return text === null ? null : parse(text, list, addressOf(broker));
    } catch (error) {
      log.warn('a kept instrument list cannot be used; the next one replaces it', {
        broker,
        path,
        reason: messageOf(error),
      });
      return null;
    }
  }

  function write({ broker, name }: ListName, { fetchedAt, list }: HeldList): boolean {
    const path = pathOf({ broker, name });
    const first = {
      format: FORMAT,
      version: VERSION,
      broker,
      ...(name === null ? {} : { list: name }),
      address: addressOf(broker),
      fetchedAt,
      count: list.count,
      digest: list.digest,
    } satisfies Header & z.output<typeof identity>;
    try {
      files.replacePrivate(path, `${[JSON.stringify(first), ...textsOf(list)].join('\n')}\n`);
      return true;
    } catch (error) {
      log.warn('an instrument list could not be kept on disk; the gateway uses it from memory', {
        broker,
        path,
        reason: messageOf(error),
      });
      return false;
    }
  }

  /**
   * Earlier versions wrote all of a broker's lists into one file. Each list without a file of its
   * own takes its segments from that one; then the former file is removed.
   */
  function takeFormer(
    broker: BrokerId,
    lists: readonly InstrumentList[],
    found: Map<string, HeldList>,
  ): void {
    const former = readFile({ broker, name: null });
    let isKept = true;
    for (const { name, segments } of lists) {
      if (!former || found.has(name)) continue;
      const list = partOf(former.list, segments);
      if (list.count === 0) continue;
      const held = { fetchedAt: former.fetchedAt, list };
      found.set(name, held);
      isKept = write({ broker, name }, held) && isKept;
    }
    if (isKept) removeFormer(broker);
  }

  function removeFormer(broker: BrokerId): void {
    const path = pathOf({ broker, name: null });
    try {
      if (files.read(path) !== null) files.remove(path);
    } catch (error) {
      const reason = messageOf(error);
      log.warn('a former instrument list could not be removed', { broker, path, reason });
    }
  }

  return {
    read(broker, lists) {
      const found = new Map<string, HeldList>();
      for (const { name } of lists) {
        const held = readFile({ broker, name: lists.length === 1 ? null : name });
        if (held) found.set(name, held);
      }
      if (lists.length > 1) takeFormer(broker, lists, found);
      return found;
    },
    write: (list, held) => void write(list, held),
  };
}

function partOf(whole: PackedList, segments: readonly Segment[]): PackedList {
  const instruments: Instrument[] = [];
  atOnce(
    unpackList(whole, (instrument) => {
      if (segments.includes(instrument.segment)) instruments.push(instrument);
    }),
  );
  return atOnce(packList(instruments));
}

/** Throws unless it is the whole text that `write` wrote for this list and address. */
function parse(text: string, { broker, name }: ListName, address: string): HeldList {
  if (!text.endsWith('\n')) throw new Error('it ends in the middle of a line');
  const [first = '', ...chunks] = text.slice(0, -1).split('\n');
  const said = readHeader(first);
  if (said.broker !== broker) throw new Error('it belongs to another broker');
  if ((said.list ?? null) !== name) throw new Error('it is another list');
  if (said.address !== address) throw new Error('it was read from another address');
  const list = packTexts(chunks, said.count);
  if (list.digest !== said.digest) throw new Error('its content has changed since it was written');
  return { fetchedAt: said.fetchedAt, list };
}

function readHeader(line: string): Header {
  const value = parseJson(line);
  const file = identity.safeParse(value);
  if (!file.success) throw new Error('it is not an instrument list');
  if (file.data.version !== VERSION) throw new Error('it has another version');
  const read = header.safeParse(value);
  if (!read.success) throw new Error('its first line is not whole');
  return read.data;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
