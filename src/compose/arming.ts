import { join } from 'node:path';
import { z } from 'zod';
import { DISARMED, disarmedSchema, type Disarmed, HOME } from '../backup/disarmed.ts';
import { istIso } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { Identify } from '../platform/directories.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';

/**
 * Whether this data directory may trade. A copy starts disarmed: it reads, and sends nothing, until a person says that
 * the gateway of the original is stopped (docs/moving.md, decision 0063).
 */
export interface Arming {
  /** Why nothing is sent now, for people; null while the directory is armed. */
  disarmed(): string | null;
  /**
   * Lets orders pass from now on. `note` writes to the journal who says so, before anything passes. True when it was
   * disarmed before.
   */
  arm(note: (since: Disarmed) => Promise<unknown>): Promise<boolean>;
}

export interface ArmingParts {
  readonly dataDirectory: string;
  readonly files: Files;
  readonly identify: Identify;
  readonly clock: Clock;
  readonly log: Log;
}

/** Made once and never replaced, as long as the directory is the same. */
const ANCHOR = 'gateway.lock';
const homeSchema = z.object({ inode: z.string(), born: z.string() });

/** Looks at the directory once, after its lock has been taken. */
export function openArming(parts: ArmingParts): Arming {
  const { dataDirectory, files, log } = parts;
  const path = join(dataDirectory, DISARMED);
  let held = readDisarmed(path, files) ?? copyFound(parts);
  if (held !== null) log.error(reasonOf(held), { path: dataDirectory });

  return {
    disarmed: () => (held === null ? null : reasonOf(held)),
    async arm(note) {
      const since = held;
      if (since === null) return false;
      await note(since);
      files.remove(path);
      held = null;
      log.warn('the data directory is armed: orders pass from now on', { path: dataDirectory });
      return true;
    },
  };
}

/** A mark that cannot be read says as much as one that can. */
function readDisarmed(path: string, files: Files): Disarmed | null {
  const text = files.read(path);
  if (text === null) return null;
  try {
    return disarmedSchema.parse(JSON.parse(text));
  } catch {
    return { why: 'restored', at: null };
  }
}

/**
 * Whether the directory was copied by hand: it says that it belongs to a lock file which is not the one in it. Marks it,
 * so that the next start finds the same. A directory that says nothing yet, of an older version, is taken as the original.
 */
function copyFound(parts: ArmingParts): Disarmed | null {
  const { dataDirectory, files, identify, clock, log } = parts;
  const anchor = identify(join(dataDirectory, ANCHOR));
  if (anchor === null) return null;
  const home = readHome(join(dataDirectory, HOME), files);
  // A file system may number its files anew at each mount, or not know when one was made: either is enough.
  const why = whyNotHome(home, anchor);
  const found = why === null ? null : { why, at: istIso(clock.now()) };
  if (isHome(home) && home.inode === anchor.inode && home.born === anchor.born) return null;
  try {
    if (found !== null) writeDisarmed(files, dataDirectory, found);
    files.replacePrivate(join(dataDirectory, HOME), `${JSON.stringify(anchor)}\n`);
  } catch (error) {
    // Still disarmed; the next start finds the copy again.
    log.error('it could not be written which data directory this is', { reason: String(error) });
  }
  return found;
}

type Home = z.output<typeof homeSchema>;

/** Null where there is none. A record that cannot be read says nothing of where it was made: it may be a copy's. */
function readHome(path: string, files: Files): Home | 'damaged' | null {
  try {
    const text = files.read(path);
    return text === null ? null : homeSchema.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}

const isHome = (home: Home | 'damaged' | null): home is Home => home !== null && home !== 'damaged';

function whyNotHome(home: Home | 'damaged' | null, anchor: Home): Disarmed['why'] | null {
  if (!isHome(home)) return home;
  return home.inode === anchor.inode || home.born === anchor.born ? null : 'copied';
}

function writeDisarmed(files: Files, directory: string, disarmed: Disarmed): void {
  files.replacePrivate(join(directory, DISARMED), `${JSON.stringify(disarmed)}\n`);
}

const WHAT: Readonly<Record<Disarmed['why'], string>> = {
  restored: 'was restored from a backup',
  copied: 'is a copy',
  damaged: `may be a copy, because its ${HOME} cannot be read`,
};

function reasonOf({ why, at }: Disarmed): string {
  const when = at === null ? '' : ` (${at.slice(0, 16).replace('T', ' ')} IST)`;
  return (
    `this data directory ${WHAT[why]}${when}, and another gateway may still run on the original: nothing is sent to any ` +
    'broker, no order and no cancel, until a person says that it is stopped: altbroker-gateway arm'
  );
}
