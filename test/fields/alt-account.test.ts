import { describe, expect, it } from 'vitest';
import { loggedInRig } from '../path/walk.ts';
import {
  altering,
  dataOf,
  NOTHING_LOST,
  type Published,
  reportOn,
  scripted,
} from './answered-fields.ts';
import { describeFields, plainly } from './describe-fields.ts';
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

describeFields({
  what: 'the alternative broker’s account',
  page: 'docs/alt-broker.md',
  published,
});

describe('a field of the alternative broker’s session', () => {
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
    const script = scripted();
    await using other = await loggedInRig({ alter: altering(script, plainly) });
    const listed = unansweredFields('docs/alt-broker.md');
    expect(await reportOn(other, script, session, listed)).toEqual(NOTHING_LOST);
  });
});
