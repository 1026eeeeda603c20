import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJsonLog } from '../../src/compose/ports.ts';
import { createLogOutput } from '../../src/platform/log.ts';
import { until } from '../support/until.ts';
import { drain } from '../support/virtual-time.ts';

/** A device that takes nothing, as a disk does that is full. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('a log whose disk is full', () => {
  let directory = '';
  let path = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'abg-log-'));
    path = join(directory, 'log');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('loses lines and throws nothing; it is written again, and tells of it, when there is space', async () => {
    symlinkSync(FULL, path);
    const log = openJsonLog('info', createLogOutput(path));
    for (let line = 0; line < 20; line += 1) {
      log.info(`lost ${line}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    unlinkSync(path);
    const lines = () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
    await until('lines are written again', async () => {
      log.info('kept');
      await drain(5);
      return lines().length > 2;
    });
    const texts = lines().map((line) => JSON.parse(line));
    expect(texts.filter(({ msg }) => msg === 'kept').length).toBeGreaterThan(0);
    expect(texts.filter(({ msg }) => msg.includes('lines are missing'))).toMatchObject([
      { level: 40, reason: 'ENOSPC' },
    ]);
  });
});
