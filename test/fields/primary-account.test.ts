import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRig, type Rig } from '../support/rig.ts';
import {
  altering,
  dataOf,
  NOTHING_LOST,
  type Published,
  reportOn,
  scripted,
} from './answered-fields.ts';
import { unansweredFields } from './field-paths.ts';
import { FUNDS, HOLDINGS, OLDER_POSITIONS, POSITIONS, PROFILE } from './primary-account-replies.ts';

/** Another exchange or segment is one that exists; a row of no existing one is unreadable. */
const another: Published['another'] = (path) => {
  if (path.endsWith('.exchange')) return 'BSE';
  if (path.endsWith('exchange_segment')) return 'BSE_EQ';
  return null;
};
const read = (name: string, path: string, reply: Published['reply']): Published => ({
  name,
  path: new RegExp(`^/${path}$`),
  reply,
  ask: (rig) => dataOf(rig, `/api/v1/${name.replace('older-', '')}?broker=primary`),
  another,
});

const published: readonly Published[] = [
  read('positions', 'portfolio/positions', POSITIONS),
  read('older-positions', 'portfolio/positions', OLDER_POSITIONS),
  read('holdings', 'portfolio/holdings', HOLDINGS),
  read('funds', 'funds', FUNDS),
  read('profile', 'user/profile', PROFILE),
];

const script = scripted();
let rig: Rig;
beforeAll(async () => {
  rig = await createRig({ alter: altering(script, (data) => ({ status: 'success', data })) });
  await rig.time.advance(2_000);
});
afterAll(() => rig[Symbol.asyncDispose]());

describe('a field of the primary brokerage’s account', () => {
  const listed = unansweredFields('docs/primary-brokerage.md');

  it.each(published)('is answered, or its page says why not: $name', async (one) => {
    expect(await reportOn(rig, script, one, listed)).toEqual(NOTHING_LOST);
  });
});
