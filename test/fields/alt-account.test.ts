import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loggedInRig } from '../path/walk.ts';
import type { Rig } from '../support/rig.ts';
import {
  altering,
  dataOf,
  NOTHING_LOST,
  type Published,
  reportOn,
  scripted,
} from './answered-fields.ts';
import { unansweredFields } from './field-paths.ts';
import { HOLDINGS, MARGINS, POSITIONS, PROFILE, SESSION } from './kite-account-replies.ts';

const published: readonly Published[] = [
  {
    name: 'positions',
    path: /^\/portfolio\/positions$/,
    reply: POSITIONS,
    ask: async (rig) => [
      await dataOf(rig, '/api/v1/positions'),
      await dataOf(rig, '/api/v1/positions?list=day'),
    ],
  },
  {
    name: 'holdings',
    path: /^\/portfolio\/holdings$/,
    reply: HOLDINGS,
    ask: (rig) => dataOf(rig, '/api/v1/holdings'),
  },
  {
    name: 'margins',
    path: /^\/user\/margins$/,
    reply: MARGINS,
    ask: (rig) => dataOf(rig, '/api/v1/funds'),
  },
  {
    name: 'profile',
    path: /^\/user\/profile$/,
    reply: PROFILE,
    ask: (rig) => dataOf(rig, '/api/v1/profile'),
  },
];

const script = scripted();
let rig: Rig;
beforeAll(async () => {
  rig = await loggedInRig({ alter: altering(script, (data) => ({ status: 'success', data })) });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe('a field of the alternative broker’s account', () => {
  const listed = unansweredFields('docs/alt-broker.md');

  it.each(published)('is answered, or its page says why not: $name', async (one) => {
    expect(await reportOn(rig, script, one, listed)).toEqual(NOTHING_LOST);
  });

  it('is answered, or its page says why not: session', async () => {
    const session: Published = {
      name: 'session',
      path: /^\/session\/token$/,
      reply: SESSION,
      ask: async (other) => {
        await other.logIn();
        return (await other.get('/api/altbroker/token')).body;
      },
    };
    await using other = await loggedInRig({
      alter: altering(script, (data) => ({ status: 'success', data })),
    });
    expect(await reportOn(other, script, session, listed)).toEqual(NOTHING_LOST);
  });
});
