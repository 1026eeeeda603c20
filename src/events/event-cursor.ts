import type { StoredEvent } from './event-log.ts';

/**
 * The id of an event, `<epoch>-<sequence>`, which is also the position after it. An epoch begins with
 * each start of the gateway: where a backup is put back, the sequence goes on from the backup's end, and
 * the new events have other ids than those that were told before (docs/events.md, "Ids").
 */
export interface EventPosition {
  readonly epoch: string;
  readonly sequence: number;
}

/** The epoch of events that an older version wrote, and of the position before the first event. */
const NO_EPOCH = '0';
const ID = /^([0-9a-z]{1,12})-(0|[1-9]\d{0,14})$/;

export const EVENT_ID_PATTERN = ID.source;
export const EXAMPLE_EVENT_ID = 'mi9r2k8w-1042';

/** The epoch of a gateway that starts at an instant: epoch ms in base 36. */
export const epochStartingAt = (at: number): string => Math.floor(at).toString(36);

export const writeEventId = (epoch: string | null, sequence: number): string =>
  `${epoch ?? NO_EPOCH}-${sequence}`;

export const eventIdOf = ({ epoch, sequence }: StoredEvent): string =>
  writeEventId(epoch, sequence);

/** Null for a text that is no id of an event. */
export function readEventId(text: string): EventPosition | null {
  const [, epoch, sequence] = ID.exec(text) ?? [];
  if (epoch === undefined || sequence === undefined) return null;
  return { epoch, sequence: Number(sequence) };
}

/** Whether a position is one of a journal whose event at that sequence has `epoch` (undefined: none). */
export function isOfEpoch(position: EventPosition, epoch: string | null | undefined): boolean {
  return epoch !== undefined && (epoch ?? NO_EPOCH) === position.epoch;
}
