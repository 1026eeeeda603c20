import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/platform/clock.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createTokenStore } from '../../src/token-store/token-store.ts';
import { numberIn, tokenNumbered } from './numbered-tokens.ts';
import { epochMs } from '../../src/units/branded.ts';

/**
 * Saves one token after the other, until it is killed. The argument is the file; each token is
 * numbered on from the one that is there. Says `ready` after the first.
 */
const path = process.argv[2]!;

function lastNumber(): number {
  try {
    return numberIn(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

let number = lastNumber();
const store = createTokenStore({
  files: systemFiles,
  environment: memoryEnvironment(),
  log: silentLog,
  clock: systemClock,
  path,
  environmentName: 'APP_ALT_BROKER_ACCESS_TOKEN',
  configurationToken: null,
});
for (let first = true; ; first = false) {
  number += 1;
  const persisted = store.save(tokenNumbered(epochMs(number)));
  if (!persisted.persisted) throw new Error(persisted.reason);
  if (first) process.stdout.write('ready\n');
}
