import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, root, type Cruised } from './cruise.ts';

const FOLDERS = ['src', 'sandbox', 'test', 'bench'];
/** Fewer modules than this, and the check has not looked at this repository. */
const FEWEST = 100;

/** Looks at the whole repository, as it stands on disk. */
export function cruiseRepository(): Promise<Cruised> {
  // A folder comes into being with its first file; git keeps no empty one.
  return cruise(
    root,
    FOLDERS.filter((folder) => existsSync(join(root, folder))),
  );
}

/** What is wrong with the look itself: a check that saw nothing finds nothing. */
export function unseen({ imports }: Pick<Cruised, 'imports'>): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
  const complaints = files.filter((file) => !imports.has(file)).map((file) => `not seen: ${file}`);
  if (imports.size <= FEWEST) complaints.push(`only ${imports.size} modules seen`);
  return complaints;
}
