import { afterEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, type Harness, KEYS, startApp } from './support/harness.ts';

let app: Harness;
afterEach(() => app.close());

const PATH = '/api/v1/webhooks';
const UNKNOWN = `${PATH}/wh_0193576c-2f00-7000-8000-000000000000`;
const as = (scope: keyof typeof KEYS) => ({ Authorization: KEYS[scope] });
const add = (body: object) => app.http.post(PATH).set(as('admin')).send(body);

describe('webhooks over HTTP', () => {
  it('are added with a secret that is shown once, listed and deleted', async () => {
    app = await startApp();
    const made = await add({ url: 'https://hooks.test/x', types: ['order.fill'] });
    expectDeclared(app, `POST ${PATH}`, made);
    expect(made.status).toBe(201);
    expect(made.body.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await app.http.get(PATH).set(as('admin'));
    expectDeclared(app, `GET ${PATH}`, listed);
    expect(listed.body.data).toEqual([
      expect.objectContaining({
        url: 'https://hooks.test/x',
        state: 'working',
        types: ['order.fill'],
      }),
    ]);
    expect(listed.text).not.toContain('whsec_');
    const { id } = made.body.data;
    expect((await app.http.post(`${PATH}/${id}/revive`).set(as('admin'))).status).toBe(200);
    expect((await app.http.delete(`${PATH}/${id}`).set(as('admin'))).status).toBe(200);
    expectProblem(await app.http.delete(UNKNOWN).set(as('admin')), 404, 'unknown_webhook');
    expectProblem(
      await app.http.post(`${UNKNOWN}/revive`).set(as('admin')),
      404,
      'unknown_webhook',
    );
  });

  it('are not deleted where the settings name them', async () => {
    app = await startApp();
    const answer = await app.http.delete(`${PATH}/wh_settings`).set(as('admin'));
    const { detail } = expectProblem(answer, 400, 'invalid_request');
    expect(detail).toContain('remove that setting and restart the gateway');
  });

  it('are for admins alone', async () => {
    app = await startApp();
    expectProblem(await app.http.get(PATH).set(as('trade')), 403, 'forbidden');
    const asked = await app.http.post(PATH).set(as('trade')).send({ url: 'https://hooks.test/' });
    expectProblem(asked, 403, 'forbidden');
  });

  it.each([
    'http://127.0.0.1/x',
    'http://localhost:9/x',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'https://192.168.1.4/',
    'http://169.254.169.254/latest',
    'ftp://hooks.test/',
    'https://user:pass@hooks.test/',
    'hooks.test',
  ])('are not added for %s', async (url) => {
    app = await startApp();
    const problem = expectProblem(await add({ url }), 400, 'invalid_request');
    expect(problem.detail).toMatch(/^body\.url/);
    expect((await app.http.get(PATH).set(as('admin'))).body.data).toEqual([]);
  });

  it('are at most ten', async () => {
    app = await startApp();
    for (let count = 0; count < 10; count += 1) await add({ url: `https://hooks.test/${count}` });
    expectProblem(await add({ url: 'https://hooks.test/' }), 400, 'invalid_request');
  });
});
