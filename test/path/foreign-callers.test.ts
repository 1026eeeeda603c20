import { describe, expect, it } from 'vitest';
import { BUY, loggedInRig, placings } from './walk.ts';

describe('an order that comes from where no order should sends nothing:', () => {
  it.each([
    ['without a key', { authorization: '' }, 401, 'unauthorized'],
    ['under a wrong key', { authorization: 'Bearer abg_another-key' }, 401, 'unauthorized'],
    ['under a name that was bound to this host', { host: 'evil.test:8420' }, 421, 'wrong_host'],
    ['from a page of another origin', { origin: 'http://evil.test' }, 403, 'foreign_origin'],
  ])('%s', async (_from, headers, status, code) => {
    await using rig = await loggedInRig();
    const reply = await rig.call({ method: 'POST', path: '/api/v1/orders', json: BUY, headers });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    await rig.time.advance(2_000);
    expect(placings(rig)).toEqual([]);
  });
});
