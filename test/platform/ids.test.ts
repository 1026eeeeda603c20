import { describe, expect, it } from 'vitest';
import { createIds, hasTagMark, systemIds } from '../../src/platform/ids.ts';
import { epochMs } from '../../src/units/branded.ts';

const AT = epochMs(Date.parse('2026-11-06T11:00:00+05:30'));
const bytesOf =
  (...values: number[]) =>
  (count: number) =>
    Uint8Array.from({ length: count }, (_each, index) => values[index % values.length]!);

describe('a uuid', () => {
  it('is of version 7 and of the standard’s variant, whatever the random bytes', () => {
    for (const byte of [0, 255]) {
      expect(createIds(bytesOf(byte)).uuid7(AT)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  it('carries its time in its first 48 bits', () => {
    const id = systemIds.uuid7(AT).replaceAll('-', '');
    expect(parseInt(id.slice(0, 12), 16)).toBe(AT);
  });

  it('sorts after one of an earlier millisecond', () => {
    const [late, early] = [createIds(bytesOf(0)), createIds(bytesOf(255))];
    expect(late.uuid7(epochMs(AT + 1)) > early.uuid7(AT)).toBe(true);
  });

  it('is never the same twice within one millisecond', () => {
    const ids = Array.from({ length: 2_000 }, () => systemIds.uuid7(AT));
    expect(new Set(ids).size).toBe(2_000);
  });
});

describe('a tag', () => {
  it('is twenty letters and digits', () => {
    for (let call = 0; call < 500; call += 1) {
      expect(systemIds.tag(epochMs(AT + call))).toMatch(/^[0-9A-Za-z]{20}$/);
    }
  });

  it('sorts after one of an earlier millisecond, for a hundred years', () => {
    const [late, early] = [createIds(bytesOf(0)), createIds(bytesOf(61))];
    for (const at of [0, AT, Date.parse('2081-01-01'), Date.parse('2126-01-01')]) {
      expect(late.tag(epochMs(at + 1)) > early.tag(epochMs(at))).toBe(true);
    }
  });

  it('has its mark after the time, and shows it', () => {
    const tag = systemIds.tag(AT, 'Mark');
    expect(tag).toMatch(/^.{8}Mark.{8}$/);
    expect([hasTagMark(tag, 'Mark'), hasTagMark(tag, 'mark')]).toEqual([true, false]);
    expect(hasTagMark(`${tag}0`, 'Mark')).toBe(false);
    expect(hasTagMark('strategy-Mark-2 of 7', 'Mark')).toBe(false);
  });

  it('is never the same twice within one millisecond', () => {
    const tags = Array.from({ length: 2_000 }, () => systemIds.tag(AT));
    expect(new Set(tags).size).toBe(2_000);
  });

  it('makes no character more likely: it discards bytes that would', () => {
    // Bytes from 248 would map to the first eight characters once more than to the others.
    const tag = createIds(bytesOf(255, 248, 61, 0)).tag(AT);
    expect(tag.slice(8)).toBe('z0z0z0z0z0z0');
  });

  it('takes a time with a fraction', () => {
    expect(createIds(bytesOf(1)).tag(epochMs(AT + 0.7))).toBe(createIds(bytesOf(1)).tag(AT));
  });
});

describe('a secret', () => {
  it('is as many random bytes as requested, in hex', () => {
    expect(systemIds.secret(32)).toMatch(/^[0-9a-f]{64}$/);
    // More bytes than the pool holds.
    expect(systemIds.secret(5_000)).toMatch(/^[0-9a-f]{10000}$/);
  });

  it('is never the same twice, over more bytes than the pool holds', () => {
    const secrets = Array.from({ length: 1_000 }, () => systemIds.secret(16));
    expect(new Set(secrets).size).toBe(1_000);
  });
});
