import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ADMIN_KEY,
  createStage,
  type ServedGateway,
  serveGateway,
  type Stage,
} from '../support/served.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { runCommand, type RunOptions } from './support/run.ts';

/** A gateway on a copy of a data directory, with a real lock file. */
let parent: string;
let stage: Stage;
let gateway: ServedGateway;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'abg-arm-'));
  stage = await createStage();
  const first = await serveGateway(stage);
  await first[Symbol.asyncDispose]();
  const copy = join(parent, 'copy');
  cpSync(stage.dataDirectory, copy, { recursive: true });
  gateway = await serveGateway(stage, { APP_DATA_DIR: copy });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
  rmSync(parent, { recursive: true, force: true });
});

const run = (words: string, options: Omit<RunOptions, 'environment'> = {}) =>
  runCommand(words, {
    environment: { APP_CLI_URL: gateway.url, APP_CLI_KEY: ADMIN_KEY },
    ...options,
  });

/** One test, since a gateway that is armed cannot be disarmed again. */
it('a copy places nothing under a new key, and says that it is a copy, until it is armed', async () => {
  const fresh = await run('order buy INFY 1 --limit 1400 --yes');
  expect([fresh.code, fresh.told]).toEqual([EXIT.notDone, expect.stringContaining('(disarmed)')]);
  const used = await run('order buy INFY 1 --limit 1400 --yes --key from-the-old-machine');
  expect([used.code, used.told]).toEqual([
    EXIT.notKnown,
    expect.stringContaining("--key 'from-the-old-machine'"),
  ]);
  const status = await run('status');
  expect(status.out).toMatch(/^Can I trade\? No: this data directory is a copy/);
  expect((await run('doctor')).out).toContain('altbroker-gateway arm');
  expect((await run('arm')).code).not.toBe(0);
  expect((await run('status')).out).toBe(status.out);
  const armed = await run('arm --yes --json');
  expect([armed.code, JSON.parse(armed.out).data]).toEqual([0, { armed: true, wasDisarmed: true }]);
  expect((await run('status')).out).not.toContain('is a copy');
  expect((await run('arm --yes')).out).toContain('Nothing to do');
});
