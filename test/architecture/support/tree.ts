import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, root, type Cruised } from './cruise.ts';

const FOLDERS = [
  'src',
  'cli',
  'client',
  'dashboard',
  'sandbox',
  'packaging',
  'examples',
  'test',
  'bench',
];
/** With fewer files than this, the check did not see this repository. */
const FEWEST = 100;

/** Checks the whole repository, as it is on disk. */
export function cruiseRepository(): Promise<Cruised> {
  // Git keeps no empty folder: one without files does not exist.
  return cruise(
    root,
    FOLDERS.filter((folder) => existsSync(join(root, folder))),
  );
}

/** What the check itself missed: a check that saw no files reports no violations. */
export function unseen({ imports }: Pick<Cruised, 'imports'>): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
  const complaints = files.filter((file) => !imports.has(file)).map((file) => `not seen: ${file}`);
  if (imports.size <= FEWEST) complaints.push(`only ${imports.size} modules seen`);
  return complaints;
}
