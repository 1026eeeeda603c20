import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../../../src/', import.meta.url));

/** It ends the process when it gives up, and all its instances share one socket. */
describe("the SDK's own ticker", () => {
  it('is named nowhere in the gateway', () => {
    const files = globSync('**/*.ts', { cwd: src });
    expect(files.length).toBeGreaterThan(100);
    const naming = files.filter((file) => /KiteTicker/.test(readFileSync(src + file, 'utf8')));
    expect(naming).toEqual([]);
  });
});
