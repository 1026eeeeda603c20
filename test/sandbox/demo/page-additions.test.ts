import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additionsOfDemo, readBuilt } from '../../../sandbox/demo/page-additions.ts';
import type { Fetch } from '../../../sandbox/demo/naive-script.ts';
import { inProcessHttp, type InProcessRequest } from '../../support/in-process-http.ts';
import { createRig, type Rig } from '../../support/rig.ts';

const PATHS = ['/demo/bar.js', '/demo/bar.css', '/demo/state', '/demo/run'];

const sent: [string, string, unknown][] = [];
/** The controls of a demo; gone while `isGone`. */
let isGone = false;
const controls: Fetch = async (url, init = {}) => {
  if (isGone) throw new TypeError('fetch failed');
  sent.push([
    init.method ?? 'GET',
    url,
    init.body === undefined ? null : JSON.parse(String(init.body)),
  ]);
  return Response.json({ run: null }, { status: init.method === 'POST' ? 202 : 200 });
};

let ordinary: Rig;
let ofDemo: Rig;
beforeAll(async () => {
  ordinary = await createRig();
  const overrides = additionsOfDemo({
    control: 'http://127.0.0.1:8432',
    fetch: controls,
    built: (name) => `built ${name}`,
  });
  ofDemo = await createRig({ overrides });
});
afterAll(async () => {
  await ordinary[Symbol.asyncDispose]();
  await ofDemo[Symbol.asyncDispose]();
});

/** Not compared with the OpenAPI document, which has none of these routes. */
const ask = (rig: Rig, request: InProcessRequest) => inProcessHttp(rig.composed.apps.main)(request);

describe('a gateway that is no demo', () => {
  it('has nothing of it: no script on its page, and no route', async () => {
    const page = await ask(ordinary, { path: '/' });
    expect([page.status, page.text.includes('/dashboard/app.js')]).toEqual([200, true]);
    expect(page.text).not.toContain('demo');
    for (const path of PATHS) {
      for (const method of ['GET', 'POST']) {
        expect([path, (await ask(ordinary, { method, path })).status]).toEqual([path, 404]);
      }
    }
    const script = await ask(ordinary, { path: '/dashboard/app.js' });
    expect(script.text.length).toBeGreaterThan(10_000);
    for (const word of ['/demo/', 'Kill the gateway', 'hang_after']) {
      expect(script.text).not.toContain(word);
    }
  });
});

describe('the page of the demo’s gateway', () => {
  it('has the bar besides, from its own origin and under the same policy', async () => {
    const [page, plain] = [await ask(ofDemo, { path: '/' }), await ask(ordinary, { path: '/' })];
    expect(
      page.text.replace(
        /<link rel="stylesheet" href="\/demo\/bar.css"><script type="module" src="\/demo\/bar.js"><\/script>/,
        '',
      ),
    ).toBe(plain.text);
    expect(page.text).not.toBe(plain.text);
    const policy = page.headers['content-security-policy'];
    expect(policy).toBe(plain.headers['content-security-policy']);
    const types = { 'bar.js': 'text/javascript', 'bar.css': 'text/css' };
    for (const [name, type] of Object.entries(types)) {
      const file = await ask(ofDemo, { path: `/demo/${name}` });
      expect([file.status, file.text]).toEqual([200, `built ${name}`]);
      expect(file.headers['content-type']).toContain(type);
    }
    expect(readBuilt('bar.js')).toContain('/demo/state');
    expect(readBuilt('no-such-file')).toBeNull();
  });

  it('is not part of the API: the document has none of it', async () => {
    const { body } = await ask(ofDemo, { path: '/openapi.json' });
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/demo'))).toEqual([]);
  });

  it('passes on what the bar asks for, and what the demo answers', async () => {
    sent.length = 0;
    const json = { run: 'hang_after' };
    expect(await ask(ofDemo, { path: '/demo/state' })).toMatchObject({
      status: 200,
      body: { run: null },
    });
    expect((await ask(ofDemo, { method: 'POST', path: '/demo/run', json })).status).toBe(202);
    expect(sent).toEqual([
      ['GET', 'http://127.0.0.1:8432/demo', null],
      ['POST', 'http://127.0.0.1:8432/demo', json],
    ]);
  });

  it('says that the demo is gone where it is', async () => {
    isGone = true;
    const reply = await ask(ofDemo, { path: '/demo/state' });
    isGone = false;
    expect([reply.status, reply.body.message]).toEqual([
      ...[502, 'The demo does not answer: start it again in its terminal.'],
    ]);
  });

  it.each<[string, Partial<InProcessRequest>, number]>([
    [
      'a page of another origin',
      { json: { run: 'kill' }, headers: { origin: 'http://evil.example' } },
      403,
    ],
    [
      'a name that was bound to this machine',
      { json: { run: 'kill' }, headers: { host: 'evil.example:8420' } },
      421,
    ],
    ['a form', { text: 'run=kill', headers: { 'content-type': 'text/plain' } }, 415],
    ['a run that there is not', { json: { run: 'sell' } }, 400],
    ['anything besides', { json: { run: 'kill', more: 1 } }, 400],
  ])('takes no press of a button from %s', async (_who, request, status) => {
    sent.length = 0;
    const reply = await ask(ofDemo, { method: 'POST', path: '/demo/run', ...request });
    expect([reply.status, sent]).toEqual([status, []]);
  });
});
