import { describe, expect, it } from 'vitest';
import { BUY, loggedInRig, place } from '../path/walk.ts';
import { fakeMessenger } from '../support/fake-messenger.ts';
import type { RigOptions } from '../support/rig.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';

const BOT = { APP_TELEGRAM_BOT_TOKEN: '4242:a-token_of-the-bot', APP_TELEGRAM_CHAT_ID: '777' };

/** A day with one order at 11:00; then it is half past four. */
async function afterADay(environment: RigOptions['environment']) {
  const messenger = fakeMessenger();
  const overrides = { messenger, openCron: openVirtualCron };
  const rig = await loggedInRig({ environment: { ...BOT, ...environment }, overrides });
  expect((await place(rig, { ...BUY, product: 'INTRADAY' }, 'k1')).status).toBe(201);
  await rig.time.advance(3_000);
  rig.time.stepWall(5.5 * 3_600_000);
  await rig.time.advance(65_000);
  const sent = (): readonly string[] =>
    messenger.texts.filter((text) => /^The day until/.test(text));
  return { rig, sent, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe('the whole gateway, in the evening', () => {
  it('sends the report of the day, once over a restart', async () => {
    await using day = await afterADay({});
    expect(day.sent()).toHaveLength(1);
    expect(day.sent()[0]).toMatch(
      /^The day until Fri 6 Nov, 16:3\d IST:\nLIVE alt: profit .*, charges ₹[\d.]+ \(estimate\), .*1 order: 1 filled\.$/m,
    );
    await day.rig.restart();
    await day.rig.time.advance(65_000);
    expect(day.sent()).toHaveLength(1);
  });

  it('sends none where that is switched off', async () => {
    await using day = await afterADay({ APP_TELEGRAM_DAY_REPORT: 'false' });
    expect(day.sent()).toEqual([]);
  });
});
