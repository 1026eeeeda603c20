import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loggedInRig } from '../path/walk.ts';
import { createRig, type Rig, type RigOptions } from '../support/rig.ts';
import {
  altering,
  NOTHING_LOST,
  type Published,
  reportOn,
  type Scripted,
  scripted,
} from './answered-fields.ts';
import { fieldName, type Json, leavesOf, unansweredFields } from './field-paths.ts';
import { wronglyNotRead } from './page-rows.ts';

/** The envelope of both brokers' replies. */
export const plainly = (data: Json): Json => ({ status: 'success', data });

/** A rig with nobody logged in, whose other accounts have been read. */
export async function withoutLogin(options: RigOptions): Promise<Rig> {
  const rig = await createRig(options);
  await rig.time.advance(2_000);
  return rig;
}

/** Each field of these replies is answered by a route, or listed on the broker's page with the reason. */
export function describeFields({
  what,
  page,
  published,
  envelope = plainly,
  start = loggedInRig,
}: {
  readonly what: string;
  readonly page: string;
  readonly published: readonly Published[];
  readonly envelope?: (data: Json, script: Scripted) => Json;
  readonly start?: (options: RigOptions) => Promise<Rig>;
}): void {
  describe(`a field of ${what}`, () => {
    const listed = unansweredFields(page);
    const script = scripted();
    let rig: Rig;
    beforeAll(async () => {
      rig = await start({ alter: altering(script, (data) => envelope(data, script)) });
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    it.each(published)('is answered, or its page says why not: $name', async (one) => {
      expect(await reportOn(rig, script, one, listed)).toEqual(NOTHING_LOST);
    });

    it('is called "not read" in no row of its page, unless no route answers it', () => {
      const fields = published.flatMap(({ name, reply }) =>
        leavesOf(reply).map(({ path }) => fieldName(name, path)),
      );
      expect(wronglyNotRead(page, fields, listed)).toEqual([]);
    });
  });
}
