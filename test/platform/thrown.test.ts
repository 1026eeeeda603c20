import { describe, expect, it } from 'vitest';
import { codeOf, fieldOf } from '../../src/platform/values.ts';

describe('a field of anything', () => {
  it('is read from an object', () => {
    expect(fieldOf({ syscall: 'mkdir' }, 'syscall')).toBe('mkdir');
  });

  it.each([null, undefined, 'text', 7, {}])('is undefined where there is none: %s', (value) => {
    expect(fieldOf(value, 'syscall')).toBeUndefined();
  });
});

describe('the code of an error', () => {
  it('is that of the system', () => {
    expect(codeOf(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
  });

  it.each([null, 'ENOENT', new Error('no code'), { code: 7 }])(
    'is undefined where it is no text: %s',
    (thrown) => {
      expect(codeOf(thrown)).toBeUndefined();
    },
  );
});
