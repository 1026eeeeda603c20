import type { ClosingPosition, ClosingStatus } from '../../domain/closing.ts';
import type { ClosingId } from '../../units/branded.ts';
import type { ExitParts } from '../exits/exit-parts.ts';
import type { Exits } from '../exits/exits.ts';
import { required } from '../journal/state.ts';
import { createCloseOne } from './close-one.ts';
import type { ClosingRecord } from './closing.ts';
import { decideClosing } from './decide-closing.ts';

/**
 * Carries a closing out: the positions of each underlying for themselves, the short ones first, short puts before what
 * covers them. A long position is closed once every short one of its underlying is flat, and kept where one is not.
 */
export function createRunClosing(
  parts: ExitParts,
  exits: Pick<Exits, 'begin' | 'cancel'>,
): (id: ClosingId) => Promise<void> {
  const { writer, clock } = parts;
  const closingNow = (id: ClosingId): ClosingRecord =>
    required(writer.state.closings, id, 'closing');
  const { closeOne, note, positionAt } = createCloseOne(parts, exits);

  return async function runClosing(id: ClosingId): Promise<void> {
    const places = new Map<string, number[]>();
    for (const [place, position] of closingNow(id).positions.entries()) {
      if (position.status === 'kept') continue;
      const group = `${position.broker}|${position.underlying}`;
      places.set(group, [...(places.get(group) ?? []), place]);
    }
    await Promise.all([...places.values()].map((group) => closeGroup(id, group)));
    if (!parts.closing()) await end(id);
  };

  async function closeGroup(id: ClosingId, group: readonly number[]): Promise<void> {
    const phaseOf = (place: number): number => positionAt(id, place).phase;
    const first = group.filter((place) => phaseOf(place) === 1);
    await closeShort(id, first);
    if (parts.closing()) return;
    const open = first.find((place) => positionAt(id, place).status !== 'flat');
    for (const place of group.filter((each) => phaseOf(each) === 2)) {
      if (open !== undefined) await note(id, place, 'kept', keptFor(positionAt(id, open)));
    }
    if (open !== undefined) return;
    await Promise.all(
      group.filter((place) => phaseOf(place) === 2).map((place) => closeOne(id, place)),
    );
  }

  /** All that is short; what covers a short put is bought back once the put is flat, and kept where it is not. */
  async function closeShort(id: ClosingId, places: readonly number[]): Promise<void> {
    const typeOf = (place: number) =>
      parts.instruments.byName(positionAt(id, place).instrument)?.optionType ?? null;
    const puts = places.filter((place) => typeOf(place) === 'PE');
    const cover = puts.length === 0 ? [] : places.filter((place) => typeOf(place) === null);
    await Promise.all(
      places.filter((place) => !cover.includes(place)).map((place) => closeOne(id, place)),
    );
    if (parts.closing()) return;
    const open = puts.find((place) => positionAt(id, place).status !== 'flat');
    for (const place of cover) {
      if (open !== undefined) await note(id, place, 'kept', keptFor(positionAt(id, open)));
    }
    if (open === undefined) await Promise.all(cover.map((place) => closeOne(id, place)));
  }

  async function end(id: ClosingId): Promise<void> {
    const { positions, unread = [] } = closingNow(id);
    const count = (status: ClosingStatus): number =>
      positions.filter((each) => each.status === status).length;
    const flat = count('flat');
    const result =
      flat === positions.length && unread.length === 0
        ? 'flat'
        : count('stopped') > 0
          ? 'stopped'
          : 'partly_flat';
    const closed = `${flat} of ${positions.length} positions are closed`;
    const detail = unread.length === 0 ? closed : `${closed}; ${rowsText(unread.length)}`;
    await parts.commitRetry.commit((current) =>
      decideClosing(current, {
        id,
        at: clock.now(),
        change: () => ({ over: { end: result, detail, at: clock.now() } }),
      }),
    );
    parts.changed.notify();
  }
}

const rowsText = (rows: number): string =>
  `${rows === 1 ? 'one row' : `${rows} rows`} of positions or holdings could not be read`;

const keptFor = ({ instrument, product, net }: ClosingPosition): string =>
  `it covers ${net} ${instrument} (${product}), which is not closed`;
