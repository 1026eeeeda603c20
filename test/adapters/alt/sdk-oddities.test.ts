import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { altBench, failureOf } from './support/alt-broker.ts';
import { CHANGES, READS } from './support/calls.ts';
import {
  answered,
  html,
  refusal,
  refusedConnection,
  reset,
  success,
  trickled,
} from './support/scripted-transport.ts';

/**
 * Every odd way in which the SDK's promises settle (docs/spec/kite-sdk.md), through the real SDK:
 * each must come out as a failure of the right kind, and never as an empty answer.
 */
const JSON_TYPE = { 'content-type': 'application/json' };

const ODDITIES: readonly [what: string, reply: HttpReply, kind: string, status?: number][] = [
  ['a 4xx with an error type', refusal(400, 'InputException', 'Invalid `quantity`.'), 'http', 400],
  ['a 5xx with an error type', refusal(502, 'GeneralException', 'Gone wrong'), 'http', 502],
  ['a dead token', refusal(403, 'TokenException', 'Incorrect `access_token`.'), 'http', 403],
  ['a 503 page', html(503), 'http', 503],
  ['a 404 page', html(404), 'http', 404],
  ['an empty 500', answered(500, '', {}), 'http', 500],
  ['a 500 without an error type', answered(500, '{"status":"error"}'), 'http', 500],
  ['a refused connection', refusedConnection, 'not_sent'],
  ['a reset', reset(), 'transport'],
  ['a body that was truncated', reset(200), 'transport'],
  ['a body that trickles', trickled, 'transport'],
  ['a 200 page', html(200), 'bad_payload'],
  ['JSON that is cut off', answered(200, '{"status":"succ'), 'bad_payload'],
  ['no content type', answered(200, '{"status":"success","data":[]}', {}), 'bad_payload'],
  ['a 204', answered(204, '', {}), 'bad_payload'],
  ['null', answered(200, 'null'), 'bad_payload'],
  ['a list instead of an envelope', answered(200, '[]'), 'bad_payload'],
  ['no status in the envelope', answered(200, '{"data":[]}'), 'bad_payload'],
  ['a failure without a type in a 200', answered(200, '{"status":"error"}'), 'error_body'],
  [
    'a failure with a type in a 200',
    answered(200, '{"status":"error","error_type":"DataException","message":"x"}'),
    'error_body',
  ],
  [
    'a success that names an error type',
    answered(200, '{"status":"success","data":[],"error_type":"NetworkException"}'),
    'error_body',
  ],
  ['a redirect', answered(302, '', { ...JSON_TYPE, location: 'https://else.test' }), 'bad_payload'],
];

describe.each(READS)('%s', (_name, read) => {
  it.each(
    // The list of instruments is not JSON, so every oddity of JSON is the same failure there.
    ODDITIES.filter(([, , kind]) => _name !== 'instruments' || kind !== 'error_body'),
  )('fails on %s', async (_what, reply, kind, status) => {
    const failure = await failureOf(read(altBench(reply).broker));
    expect(failure.kind).toBe(kind);
    if (status !== undefined) expect(failure).toMatchObject({ status });
  });

  it('fails on a success whose data is null', async () => {
    expect((await failureOf(read(altBench(success(null)).broker))).kind).toBe('bad_payload');
  });

  it('fails when the transport itself throws', async () => {
    const bench = altBench(() => {
      throw new Error('a bug');
    });
    expect((await failureOf(read(bench.broker))).kind).toBe('transport');
  });
});

const PROVEN: Readonly<Record<string, string>> = {
  'a 4xx with an error type': 'refused',
  'a dead token': 'refused',
  'a refused connection': 'not_sent',
};

describe.each(CHANGES)('%s', (_name, change) => {
  it.each(ODDITIES)('calls %s what it is known to be', async (what, reply) => {
    const bench = altBench(reply);
    expect((await change(bench.broker)).kind).toBe(PROVEN[what] ?? 'uncertain');
    expect(bench.transport.requests).toHaveLength(1);
  });

  it('is uncertain when the transport itself throws', async () => {
    const bench = altBench(() => {
      throw new Error('a bug');
    });
    expect((await change(bench.broker)).kind).toBe('uncertain');
  });
});

describe('verify', () => {
  it.each(ODDITIES)('does not take %s for a dead token unless it is one', async (what, reply) => {
    const verified = altBench(reply).broker.login.verify('token-9');
    if (what === 'a dead token') expect(await verified).toBeNull();
    else await failureOf(verified);
  });
});
