import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compose } from '../../src/compose.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { createPino } from '../../src/platform/log.ts';

describe('a data directory that was named and cannot be used', () => {
  it('stops the start: an empty journal would have forgotten which keys were used', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'abg-data-'));
    try {
      writeFileSync(join(parent, 'file'), '');
      const environment = memoryEnvironment({ APP_DATA_DIR: join(parent, 'file', 'data') });
      const starting = compose({ environment, pino: createPino('silent') });
      await expect(starting).rejects.toThrow(/^APP_DATA_DIR: got .*; it takes a directory/);
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });
});
