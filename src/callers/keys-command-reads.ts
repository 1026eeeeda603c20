import { join } from 'node:path';
import type { Files } from '../platform/files.ts';

/**
 * Whether the command needs no more than to read what is there. Without a lock file no gateway runs; then a list
 * reads, and where there is no file of keys either, no key is found. A command that only lists, or that finds no
 * key, makes no directory and no file, and changes no mode: APP_DATA_DIR may name the wrong directory.
 */
export function isReadAlone(
  { action }: { readonly action: string },
  { files, dataDirectory }: { readonly files: Files; readonly dataDirectory: string },
): boolean {
  if (action === 'add' || files.read(join(dataDirectory, 'gateway.lock')) !== null) return false;
  return action === 'list' || files.read(join(dataDirectory, 'callers.json')) === null;
}
