import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCallers, type Callers } from '../../src/callers/callers.ts';
import { type Files, FileWriteError, systemFiles } from '../../src/platform/files.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { silentLog } from '../../src/platform/log.ts';
import { Secret } from '../../src/platform/secret.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { expectDeclared, expectProblem, type Harness, startApp } from './support/harness.ts';
import { NOW } from './support/samples.ts';

const ADMIN = 'Bearer the-owners-own-admin-key';
const PATH = '/api/v1/keys';
let directory: string;
let callers: Callers;
let writable: boolean;

/** A disk that can be full. */
const files: Files = {
  ...systemFiles,
  replacePrivate(path, content) {
    if (!writable) throw new FileWriteError(path, new Error('no space left'));
    systemFiles.replacePrivate(path, content);
  },
};
let app: Harness;

beforeEach(async () => {
  writable = true;
  directory = mkdtempSync(join(tmpdir(), 'keys-'));
  callers = createCallers({
    ...{ files, ids: systemIds, clock: new VirtualTime(NOW), log: silentLog },
    path: join(directory, 'callers.json'),
    adminKeyPath: join(directory, 'admin-key'),
    adminKey: new Secret('the-owners-own-admin-key'),
  });
  app = await startApp({ callers, keys: callers });
});
afterEach(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

const add = (body: object) => app.http.post(PATH).set('Authorization', ADMIN).send(body);
const list = async () => (await app.http.get(PATH).set('Authorization', ADMIN)).body.data;

describe('keys on a disk that is full', () => {
  it('are stopped at once, also where that cannot be written', async () => {
    await add({ name: 'bot', scope: 'trade' });
    const [{ id }] = await list();
    const stop = () =>
      app.http
        .post(`${PATH}/${id}/kill-switch`)
        .set('Authorization', ADMIN)
        .send({ engaged: true, reason: 'too many orders' });
    const before = readFileSync(join(directory, 'callers.json'), 'utf8');
    writable = false;
    const response = await stop();
    expectDeclared(app, 'POST /api/v1/keys/{id}/kill-switch', response);
    expect(response.body).toMatchObject({
      data: { stopped: { reason: 'too many orders', by: 'admin' } },
      meta: { onDisk: false },
    });
    expect((await list())[0].stopped).toMatchObject({ reason: 'too many orders' });
    expect(readFileSync(join(directory, 'callers.json'), 'utf8')).toBe(before);
    writable = true;
    expect((await stop()).body.meta).toEqual({ onDisk: true });
  });

  it('are not added, changed or revoked where the disk does not take it, and the answer says so', async () => {
    await add({ name: 'bot', scope: 'trade' });
    const [{ id }] = await list();
    const before = readFileSync(join(directory, 'callers.json'), 'utf8');
    writable = false;
    const tries = [
      app.http.post(PATH).send({ name: 'next', scope: 'read' }),
      app.http.patch(`${PATH}/${id}`).send({ name: 'other' }),
      app.http.delete(`${PATH}/${id}`),
    ];
    for (const request of tries) {
      const response = await request.set('Authorization', ADMIN);
      const problem = expectProblem(response, 503, 'journal_unavailable');
      expect(problem).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    }
    writable = true;
    expect([(await list()).length, readFileSync(join(directory, 'callers.json'), 'utf8')]).toEqual([
      2,
      before,
    ]);
  });
});
