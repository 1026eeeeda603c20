import { CommandFailed } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** How often the progress of an exit or a closing is read: an exit reads the broker's book about once a second. */
export const POLL_MS = 1_000;

export const KEY_OPTION = [
  '--key <key>',
  'the idempotency key: what was begun under it is not begun again',
] as const;

/** What was begun goes on at the gateway, also where its progress cannot be read. */
export async function goesOn<T>(id: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `${id} was begun, and how it stands cannot be read now: ${why}`;
    throw new CommandFailed(text, EXIT.notKnown);
  }
}

/** What an exit or a closing with this status means to who asked for it. */
export function exitCode(status: string, why: string | null): ExitCode {
  if (status === 'flat' || status === 'running') return EXIT.done;
  return why === 'leg_uncertain' ? EXIT.notKnown : EXIT.notDone;
}
