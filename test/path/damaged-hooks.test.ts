import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alertAt, hookRig } from './hooks.ts';
import { BUY, place } from './walk.ts';

const OFF = /^signals are off, because hooks.json .*restore it, or remove it/;

describe('a hooks.json that is damaged', () => {
  it.each(['', '{"version":1,"hooks":[{"id":"hook_'])(
    'stops signals alone, is told of, and is never replaced: %j',
    async (text) => {
      await using both = await hookRig();
      const { rig, hook } = both;
      const file = join(rig.dataDirectory, 'hooks.json');
      const whole = readFileSync(file, 'utf8');
      await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
      writeFileSync(file, text);
      await rig.restart();
      const listed = await rig.get('/api/v1/hooks');
      expect([listed.status, listed.body.code]).toEqual([503, 'journal_unavailable']);
      expect(listed.body.detail).toMatch(/^signals are off: .*hooks.json .*restore it/);
      const rotated = await rig.post(`/api/v1/hooks/${hook.id}/rotate`, undefined);
      expect([rotated.status, (await hook.post(alertAt(rig))).status]).toEqual([503, 503]);
      expect(readFileSync(file, 'utf8')).toBe(text);
      const { needs } = (await rig.get('/api/v1/overview')).body.data;
      const off = needs.filter(({ what }: { what: string }) => what === 'signal');
      expect(off).toMatchObject([{ id: null, detail: expect.stringMatching(OFF) }]);
      expect(rig.log.join('\n')).toContain('hooks cannot be read');
      await rig.time.advance(2_000);
      expect((await place(rig, BUY, 'beside it')).status).toBe(201);
      writeFileSync(file, whole);
      await rig.restart();
      expect((await hook.post(alertAt(rig))).status).toBe(202);
      const mended = (await rig.get('/api/v1/overview')).body.data.needs;
      expect(mended.filter(({ what }: { what: string }) => what === 'signal')).toEqual([]);
    },
  );
});
