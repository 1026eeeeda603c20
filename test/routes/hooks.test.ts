import { afterEach, describe, expect, it } from 'vitest';
import { memoryHooks } from '../support/memory-hooks.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';
import { TRADINGVIEW } from '../signals/support/templates.ts';
import { expectDeclared, expectProblem, type Harness, KEYS, startApp } from './support/harness.ts';
import { NOW } from './support/samples.ts';

let app: Harness;
afterEach(() => app.close());

const PATH = '/api/v1/hooks';
const UNKNOWN = `${PATH}/hook_0193576c-2f00-7000-8000-000000000000`;
const HOOK = { name: 'tradingview', key: 'key_trade', template: TRADINGVIEW };
const as = (scope: keyof typeof KEYS) => ({ Authorization: KEYS[scope] });
const add = (body: object) => app.http.post(PATH).set(as('admin')).send(body);

describe('hooks over HTTP', () => {
  it('are added with a path that is shown once, listed, rotated and deleted', async () => {
    app = await startApp();
    const made = await add(HOOK);
    expectDeclared(app, `POST ${PATH}`, made);
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.path).toMatch(/^\/hooks\/sig_[0-9a-f]{64}$/);
    const listed = await app.http.get(PATH).set(as('admin'));
    expectDeclared(app, `GET ${PATH}`, listed);
    expect(listed.body.data).toMatchObject([
      { name: 'tradingview', mode: 'paper', addresses: null },
    ]);
    expect(listed.text).not.toContain('sig_');
    expect(listed.text).not.toContain('sha256');
    const { id } = made.body.data;
    const rotated = await app.http.post(`${PATH}/${id}/rotate`).set(as('admin'));
    expectDeclared(app, `POST ${PATH}/{id}/rotate`, rotated);
    expect(rotated.body.data.path).not.toBe(made.body.data.path);
    expect((await app.http.delete(`${PATH}/${id}`).set(as('admin'))).status).toBe(200);
    expectProblem(await app.http.delete(UNKNOWN).set(as('admin')), 404, 'unknown_hook');
    expectProblem(await app.http.post(`${UNKNOWN}/rotate`).set(as('admin')), 404, 'unknown_hook');
  });

  it('are for admins alone', async () => {
    app = await startApp();
    expectProblem(await app.http.get(PATH).set(as('trade')), 403, 'forbidden');
    expectProblem(await app.http.post(PATH).set(as('trade')).send(HOOK), 403, 'forbidden');
  });

  it.each([
    ['a revoked key', { key: 'key_old' }, 'body.key'],
    ['an admin key', { key: 'admin' }, 'body.mode: the key admin has scope admin'],
    ['an unknown field', { secret: 'x' }, 'body'],
    ['a template without an order', { template: { id: '{id}' } }, 'body.template.order'],
    ['no address', { addresses: [] }, 'body.addresses'],
    ['an age of nothing', { maxAgeSeconds: 0 }, 'body.maxAgeSeconds'],
  ])('are not added with %s', async (_what, change, path) => {
    app = await startApp();
    const problem = expectProblem(await add({ ...HOOK, ...change }), 400, 'invalid_request');
    expect(problem.detail).toContain(path);
  });

  it('are changed in what is named, and keep their path', async () => {
    app = await startApp();
    const { id, path } = (await add({ ...HOOK, addresses: ['10.0.0.1'] })).body.data;
    const change = (body: object) => app.http.patch(`${PATH}/${id}`).set(as('admin')).send(body);
    const order = { ...TRADINGVIEW.order, product: 'CNC' };
    const changed = await change({ name: 'swing', template: { ...TRADINGVIEW, order } });
    expectDeclared(app, `PATCH ${PATH}/{id}`, changed);
    expect(changed.body.data).toMatchObject({
      ...{ id, name: 'swing', addresses: ['10.0.0.1'], template: { order: { product: 'CNC' } } },
      ...{ changedBy: 'key_admin', changedAt: expect.any(String), rotatedAt: null },
    });
    expect(changed.text).not.toContain('sig_');
    expect((await change({ addresses: null })).body.data).toMatchObject({
      ...{ name: 'swing', addresses: null },
    });
    expect(path).toMatch(/^\/hooks\/sig_/);
    expect((await app.http.get(PATH).set(as('admin'))).body.data).toHaveLength(1);
    expectProblem(
      await app.http.patch(UNKNOWN).set(as('admin')).send({ name: 'x' }),
      404,
      'unknown_hook',
    );
    const one = app.http.patch(`${PATH}/${id}`).set(as('trade'));
    expectProblem(await one.send({ name: 'x' }), 403, 'forbidden');
  });

  it.each([
    ['nothing', {}, 'contains no change'],
    ['another key', { key: 'key_alt' }, 'key'],
    ['another mode', { mode: 'live' }, 'mode'],
    [
      'an id by which a repeat is not recognised',
      { template: { ...TRADINGVIEW, id: '{ticker}' } },
      'template.id',
    ],
    [
      'another form of a text',
      { template: { ...TRADINGVIEW, text: '{id} {at}' } },
      'template.text',
    ],
    ['lists', { template: { ...TRADINGVIEW, forEach: ['ticker'] } }, 'template.forEach'],
    ['the name of another hook', { name: 'other' }, 'body.name'],
    ['an address that is none', { addresses: ['everybody'] }, 'body.addresses'],
    [
      'an age without a time',
      { maxAgeSeconds: 9, template: { ...TRADINGVIEW, time: null } },
      'template.time',
    ],
  ])('are not changed with %s', async (_what, change, told) => {
    app = await startApp();
    await add({ ...HOOK, name: 'other' });
    const { id } = (await add(HOOK)).body.data;
    const before = (await app.http.get(PATH).set(as('admin'))).text;
    const reply = await app.http.patch(`${PATH}/${id}`).set(as('admin')).send(change);
    expect(expectProblem(reply, 400, 'invalid_request').detail).toContain(told);
    expect((await app.http.get(PATH).set(as('admin'))).text).toBe(before);
  });

  it('have names of their own, and are at most fifty', async () => {
    app = await startApp();
    for (let count = 0; count < 50; count += 1) {
      expect((await add({ ...HOOK, name: `hook ${count}` })).status).toBe(201);
    }
    expect((await add({ ...HOOK, name: 'hook 1' })).body.detail).toContain('that of another hook');
    expect((await add({ ...HOOK, name: 'one more' })).body.detail).toContain('there are 50 hooks');
  });

  it('stay as they were where the file of hooks cannot be written or read', async () => {
    app = await startApp();
    const time = new VirtualTime(NOW);
    const files = memoryFiles();
    const hooks = memoryHooks(time, files);
    const request = { ...HOOK, mode: 'paper' as const, addresses: null, maxAgeSeconds: null };
    const { secret, hook } = hooks.add(request, 'admin');
    const full = {
      ...files,
      replacePrivate: () => {
        throw new Error('no space');
      },
    };
    const failing = memoryHooks(time, full);
    expect(() => failing.rotate(hook.id, 'admin')).toThrow('no space');
    expect(() => failing.remove(hook.id, 'admin')).toThrow('no space');
    expect(failing.find(secret.reveal())?.id).toBe(hook.id);
    files.replacePrivate('data/hooks.json', '{"version": 9}');
    const damaged = memoryHooks(time, files);
    expect(() => damaged.list()).toThrow('is not a file of hooks');
    expect(() => damaged.add(request, 'admin')).toThrow('is not a file of hooks');
    expect(files.read('data/hooks.json')).toBe('{"version": 9}');
    files.readableByOthers.add('data/hooks.json');
    expect(() => memoryHooks(time, files)).toThrow('chmod 600');
  });
});
