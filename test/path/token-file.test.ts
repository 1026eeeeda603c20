import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loggedInRig } from './walk.ts';

describe('the token file', () => {
  it('is readable by its owner only', async () => {
    await using rig = await loggedInRig();
    expect(statSync(join(rig.dataDirectory, 'token.json')).mode & 0o777).toBe(0o600);
  });

  it('that others can read stops the start, with what to do about it', async () => {
    await using rig = await loggedInRig();
    const path = join(rig.dataDirectory, 'token.json');
    chmodSync(path, 0o644);
    await expect(rig.restart()).rejects.toThrow(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
    await rig.restart();
    expect((await rig.get('/api/altbroker/status')).body.data).toMatchObject({ source: 'file' });
  });
});
