import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/platform/secret.ts';

describe('a secret', () => {
  const secret = new Secret('canary');

  it('is not shown by text, JSON or inspection', () => {
    expect(`${secret}`).toBe('[secret]');
    expect(JSON.stringify({ secret })).toBe('{"secret":"[secret]"}');
    expect(inspect({ deep: { secret } }, { showHidden: true, depth: null })).not.toContain(
      'canary',
    );
  });

  it('is returned by reveal', () => {
    expect(secret.reveal()).toBe('canary');
  });
});
