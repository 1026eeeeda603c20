import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway-process.ts';
import { createStage, type Stage } from '../support/served.ts';

/** Starts the gateway of a user whose new files are open to everybody. */
async function startCareless(stage: Stage) {
  const before = process.umask(0);
  try {
    return await startGateway(stage);
  } finally {
    process.umask(before);
  }
}

describe('the start of a process', () => {
  it('creates no file that another user may read, and warns of a .env that one may', async () => {
    await using stage = await createStage();
    const env = join(stage.dataDirectory, '.env');
    writeFileSync(env, '');
    chmodSync(env, 0o644);
    await using gateway = await startCareless(stage);
    const modes = readdirSync(stage.dataDirectory)
      .filter((name) => name !== '.env')
      .map((name) => [name, statSync(join(stage.dataDirectory, name)).mode & 0o077]);
    expect(modes.map(([name]) => name)).toEqual(
      expect.arrayContaining(['gateway.lock', 'gateway.pid', 'journal.db', 'journal.db-wal']),
    );
    expect(modes.filter(([, open]) => open !== 0)).toEqual([]);
    expect(gateway.log()).toMatch(/"level":40.*\.env can be read.*mode 644.*chmod 600 \.env/);
  });
});
