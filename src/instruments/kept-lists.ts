import { join } from 'node:path';
import type { BrokerId } from '../domain/broker.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/thrown.ts';
import { digestOf, type PackedList } from './packed-list.ts';

/** A broker's list, and the wall time (epoch ms) at which it was asked for. */
export interface HeldList {
  readonly fetchedAt: number;
  readonly list: PackedList;
}

/** The lists on disk, one file a broker. Neither call throws: what the disk does is logged. */
export interface KeptLists {
  /** Null when there is none, or none that is whole, private and of this broker's address. */
  read(broker: BrokerId): HeldList | null;
  write(broker: BrokerId, held: HeldList): void;
}

export interface KeptListsParts {
  readonly files: Files;
  readonly directory: string;
  /**
   * Where each broker's list comes from. A list of another address, as of a rehearsal in the same
   * data directory, has other ids: orders by them would be for something else.
   */
  readonly addressOf: (broker: BrokerId) => string;
  readonly log: Log;
}

const FORMAT = 'instruments';
const VERSION = 1;

interface Header {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly broker: BrokerId;
  readonly address: string;
  readonly fetchedAt: number;
  readonly count: number;
  readonly digest: string;
}

/** A header line, then a line for each chunk of the list (docs/spec/instruments.md, "On disk"). */
export function createKeptLists({ files, directory, addressOf, log }: KeptListsParts): KeptLists {
  const pathOf = (broker: BrokerId): string => join(directory, `instruments-${broker}.jsonl`);

  return {
    read(broker) {
      const path = pathOf(broker);
      try {
        const text = files.readPrivate(path);
        return text === null ? null : parse(text, broker, addressOf(broker));
      } catch (error) {
        log.warn('a kept instrument list cannot be used; it is replaced by the next', {
          broker,
          path,
          reason: messageOf(error),
        });
        return null;
      }
    },
    write(broker, { fetchedAt, list }) {
      const path = pathOf(broker);
      const header: Header = {
        format: FORMAT,
        version: VERSION,
        broker,
        address: addressOf(broker),
        fetchedAt,
        count: list.count,
        digest: list.digest,
      };
      try {
        files.replacePrivate(path, `${[JSON.stringify(header), ...list.chunks].join('\n')}\n`);
      } catch (error) {
        log.warn('an instrument list could not be kept on disk; it is used from memory', {
          broker,
          path,
          reason: messageOf(error),
        });
      }
    },
  };
}

/** Throws when it is not, whole, what `write` has written for this broker and address. */
function parse(text: string, broker: BrokerId, address: string): HeldList {
  if (!text.endsWith('\n')) throw new Error('it ends within a line');
  const [first = '', ...chunks] = text.slice(0, -1).split('\n');
  const header = readHeader(first);
  if (header.broker !== broker) throw new Error('it is another broker’s');
  if (header.address !== address) throw new Error('it was read from another address');
  if (header.digest !== digestOf(chunks)) throw new Error('it is not what was written');
  const { fetchedAt, count, digest } = header;
  return { fetchedAt, list: { chunks, count, digest } };
}

function readHeader(line: string): Header {
  const header = parseJson(line) as Partial<Record<keyof Header, unknown>> | null;
  if (header?.format !== FORMAT) throw new Error('it is not an instrument list');
  if (header.version !== VERSION) throw new Error('it is of another version');
  const { broker, address, fetchedAt, count, digest } = header;
  const isWhole =
    typeof broker === 'string' &&
    typeof address === 'string' &&
    typeof digest === 'string' &&
    Number.isSafeInteger(fetchedAt) &&
    Number.isSafeInteger(count) &&
    Number(count) > 0;
  if (!isWhole) throw new Error('its first line is not whole');
  return header as Header;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
