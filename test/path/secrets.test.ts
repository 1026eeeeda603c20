import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InProcessReply } from '../support/in-process-http.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, modify, pinnedRig, place, RESTING, spoilPlacing } from './walk.ts';

const SECRETS = {
  adminKey: 'CANARY-admin-key-99b1',
  apiSecret: 'CANARYapiSecret7f3e',
  primaryToken: 'CANARYprimaryToken55aa',
};

/** A day with everything in it that could tell a secret; what was answered, and what was secret. */
async function tellingDay(rig: Rig): Promise<{ replies: string[]; secrets: readonly string[] }> {
  const replies: string[] = [];
  const hear = (reply: InProcessReply): InProcessReply => {
    replies.push(reply.text, JSON.stringify(reply.headers));
    return reply;
  };
  hear(await place(rig, BUY, 'paper'));
  hear(await rig.logIn());
  await rig.time.advance(2_000);
  const token = rig.sandbox.kite.liveToken()!;
  // A broker that repeats in its words what it was sent.
  const echo = JSON.stringify({
    status: 'error',
    error_type: 'GeneralException',
    message: `Refused: Authorization: token kitekey:${token}, secret ${SECRETS.apiSecret}`,
  });
  spoilPlacing(rig, 'error_before', { params: { status: 400, body: echo } });
  hear(await place(rig, BUY, 'echoed'));
  spoilPlacing(rig, 'lying_2xx_after', { params: { body: echo } });
  hear(await place(rig, BUY, 'lied-to'));
  rig.sandbox.faults.add({
    broker: 'kite',
    kind: 'error_before',
    match: { path: '/portfolio' },
    params: { status: 500, body: echo },
    times: 2,
  });
  hear(await rig.get('/api/v1/positions?maxAgeMs=0'));
  rig.sandbox.faults.add({
    broker: 'primary',
    kind: 'error_before',
    match: { path: '/portfolio' },
    params: {
      status: 403,
      body: JSON.stringify({ status: 'error', message: `no such token ${SECRETS.primaryToken}` }),
    },
  });
  hear(await rig.get('/api/v1/holdings?broker=primary&maxAgeMs=0'));
  const resting = hear(await place(rig, RESTING, 'resting'));
  await rig.time.advance(2_000);
  hear(await modify(rig, resting.body.data.id, { price: 1_460 }));
  hear(await cancel(rig, resting.body.data.id));
  hear(await rig.get('/api/altbroker/status'));
  hear(await rig.get('/api/v1/orders'));
  const wrongKey = { authorization: `Bearer ${SECRETS.adminKey}x` };
  hear(await rig.call({ path: '/api/v1/orders', headers: wrongKey }));
  hear(await rig.call({ path: `/api/v1/orders?key=${SECRETS.adminKey}` }));
  const spent =
    '/api/altbroker/callback?status=success&state=CANARYstate&request_token=CANARYspent';
  const json = { accept: 'application/json' };
  hear(await rig.call({ path: spent, headers: json }));
  hear(await rig.postback(`{"checksum":"${SECRETS.apiSecret}","order_id":"1"}`));
  await rig.time.advance(10_000);
  rig.sandbox.kite.killTokens();
  hear(await rig.get('/api/v1/positions?maxAgeMs=0'));
  await rig.restart();
  return { replies, secrets: [...Object.values(SECRETS), token, 'CANARYstate', 'CANARYspent'] };
}

const told = (texts: readonly string[], secrets: readonly string[]): string[] =>
  texts.filter((text) => secrets.some((secret) => text.includes(secret)));

describe('a secret', () => {
  it('is in no log line', async () => {
    await using rig = await pinnedRig({ secrets: SECRETS });
    const { secrets } = await tellingDay(rig);
    expect(rig.log.length).toBeGreaterThan(20);
    expect(told(rig.log, secrets)).toEqual([]);
  });

  it('is in no reply but that of the token', async () => {
    await using rig = await pinnedRig({ secrets: SECRETS });
    const { replies, secrets } = await tellingDay(rig);
    expect(told(replies, secrets)).toEqual([]);
  });

  it('is in no event, and nowhere else on disk but in the token file', async () => {
    await using rig = await pinnedRig({ secrets: SECRETS });
    const { secrets } = await tellingDay(rig);
    const files = readdirSync(rig.dataDirectory);
    expect(files).toContain('journal.db');
    const telling = files
      .filter((file) => file !== 'token.json')
      .filter((file) => told([readFileSync(join(rig.dataDirectory, file), 'latin1')], secrets)[0]);
    expect(telling).toEqual([]);
  });
});
