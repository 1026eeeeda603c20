import { describe, expect, it } from 'vitest';
import { SANDBOX_TOTP_SECRET } from '../../sandbox/primary/totp.ts';
import { createRig, type Rig } from '../support/rig.ts';

const TEXT = 'set a new APP_PRIMARY_ACCESS_TOKEN and start the gateway again';

async function told(rig: Rig): Promise<readonly boolean[]> {
  const { needs } = (await rig.get('/api/v1/overview')).body.data;
  const { notices } = (await rig.get('/health/ready')).body.data;
  return [
    (needs as { what: string; broker: string; detail: string }[]).some(
      ({ what, broker, detail }) =>
        what === 'token' && broker === 'primary' && detail.includes(TEXT),
    ),
    (notices as string[]).some((notice) => notice.includes(TEXT)),
  ];
}
const read = (rig: Rig) => rig.get('/api/v1/funds?broker=primary&maxAgeMs=0');

describe('a token of the settings that the primary brokerage has called dead', () => {
  it('is told where a person looks, until the broker takes it again', async () => {
    let isDead = false;
    const dead = JSON.stringify({ status: 'error', error_type: 'TokenException', message: 'dead' });
    await using rig = await createRig({
      environment: { APP_ROUTE_TRADING: 'primary,paper' },
      alter: (request, body) =>
        isDead && request.url.startsWith('http://primary.test/funds') ? dead : body,
    });
    await rig.time.advance(1_000);
    expect((await read(rig)).status).toBe(200);
    expect(await told(rig)).toEqual([false, false]);
    isDead = true;
    await rig.time.advance(10_000);
    expect((await read(rig)).status).toBe(502);
    expect(await told(rig)).toEqual([true, true]);
    expect(rig.log.filter((line) => line.includes(TEXT))).toHaveLength(1);
    isDead = false;
    await rig.time.advance(10_000);
    expect((await read(rig)).status).toBe(200);
    expect(await told(rig)).toEqual([false, false]);
  });

  it('is no matter for a person where the gateway generates another', async () => {
    await using rig = await createRig({
      environment: {
        ...{ APP_PRIMARY_API_KEY: 'sandbox-key', APP_PRIMARY_MPIN: '1234' },
        APP_PRIMARY_TOTP_SECRET: SANDBOX_TOTP_SECRET,
      },
    });
    await rig.time.advance(1_000);
    rig.sandbox.primary.killTokens();
    await rig.time.advance(60_000);
    expect((await read(rig)).status).toBe(200);
    expect(rig.log.filter((line) => line.includes(TEXT))).toEqual([]);
    expect(await told(rig)).toEqual([false, false]);
  });
});
