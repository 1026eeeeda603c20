import { describe, expect, it } from 'vitest';
import { demoControl } from '../../../sandbox/demo/control.ts';
import { RUN_NAMES, type RunName, runRecord } from '../../../sandbox/demo/run-record.ts';
import type { Runs } from '../../../sandbox/demo/runs.ts';

const RECORD = runRecord.parse({
  ...{ id: 1, name: 'buy', title: 'Buy INFY', state: 'running', lines: [], result: null },
  counts: { script: null, gateway: null },
});
const JSON_TYPE = { 'content-type': 'application/json', host: '127.0.0.1:8432' };

function controls(isBusy = false) {
  const started: RunName[] = [];
  const runs: Runs = {
    offered: [],
    start(name) {
      if (isBusy) return { kind: 'busy', with: RECORD };
      started.push(name);
      return { kind: 'started', record: { ...RECORD, name } };
    },
    newest: () => RECORD,
  };
  const parts = {
    ...{ runs, isLoggedIn: () => true, loginUrl: 'http://127.0.0.1:1/login' },
    process: { isListening: () => true, restarts: () => 2 },
  };
  const ask = (
    method: string,
    path: string,
    body = '',
    headers: Record<string, string> = JSON_TYPE,
  ) => {
    const reply = demoControl(parts, { method, url: `http://127.0.0.1:1${path}`, headers, body });
    return reply === null ? null : { status: reply.status, body: JSON.parse(reply.body) };
  };
  return { ask, started };
}

describe('the controls of the demo', () => {
  it('tell how the demo stands', () => {
    expect(controls().ask('GET', '/demo')).toEqual({
      status: 200,
      body: {
        gateway: { isListening: true, restarts: 2 },
        login: { isLoggedIn: true, url: 'http://127.0.0.1:1/login' },
        ...{ offered: [], run: RECORD },
      },
    });
  });

  it.each(RUN_NAMES)('begin %s', (run) => {
    const { ask, started } = controls();
    expect(ask('POST', '/demo', JSON.stringify({ run }))?.status).toBe(202);
    expect(started).toEqual([run]);
  });

  it('begin nothing while a run is under way, and say which', () => {
    const reply = controls(true).ask('POST', '/demo', '{"run":"kill"}');
    expect(reply).toMatchObject({ status: 409, body: { run: { id: 1 } } });
    expect(reply?.body.message).toContain('“Buy INFY” is still running');
  });

  it.each([
    ['a form of a web page', { 'content-type': 'text/plain', host: '127.0.0.1:8432' }, 415],
    ['no type at all', { host: '127.0.0.1:8432' }, 415],
    ['the name of another site', { ...JSON_TYPE, host: 'evil.example:8432' }, 421],
    ['no host', { 'content-type': 'application/json' }, 421],
  ])('refuse %s', (_what, headers: Record<string, string>, status) => {
    const { ask, started } = controls();
    expect(ask('POST', '/demo', '{"run":"buy"}', headers)?.status).toBe(status);
    expect(started).toEqual([]);
  });

  it.each(['', '{', '{}', '{"run":"sell"}', '{"run":"buy","more":1}'])(
    'refuse the body %j, with the list',
    (body) => {
      const { ask, started } = controls();
      const reply = ask('POST', '/demo', body);
      expect(reply).toMatchObject({
        status: 400,
        body: { message: 'run is required: one of buy, hang_after, kill' },
      });
      expect(started).toEqual([]);
    },
  );

  it('leave every other path to the sandbox', () => {
    const { ask } = controls();
    expect([ask('GET', '/faults'), ask('POST', '/demo/buy'), ask('GET', '/')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(ask('DELETE', '/demo')?.status).toBe(405);
  });
});
