import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUY, cancel, loggedInRig, place, RESTING } from '../path/walk.ts';
import { fakeMessenger } from '../support/fake-messenger.ts';
import type { RigOptions } from '../support/rig.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';

const BOT = {
  APP_TELEGRAM_BOT_TOKEN: '4242:a-token_of-the-bot',
  APP_TELEGRAM_CHAT_ID: '777',
};
const SWITCH = 'APP_TELEGRAM_ORDER_LINES';

async function chatRig(environment: RigOptions['environment'] = {}) {
  const messenger = fakeMessenger();
  const overrides = { messenger, openCron: openVirtualCron };
  const rig = await loggedInRig({ environment, overrides });
  await rig.time.advance(10_000);
  messenger.texts.length = 0;
  return { messenger, rig };
}

describe('the whole gateway, with a chat', () => {
  it('tells of a fill, of who cancelled an order, and of the paper account, once over a restart', async () => {
    const { messenger, ...chat } = await chatRig();
    await using rig = chat.rig;
    expect((await place(rig, BUY, 'fills')).status).toBe(201);
    const { body } = await place(rig, RESTING, 'rests');
    await rig.time.advance(10_000);
    expect(messenger.texts.join('\n')).toMatch(
      /^11:00:\d\d LIVE Filled 10 of 10 at ₹1,5\d\d\.\d+ on average \(₹15,\d{3}\.\d\d\): BUY 10 NSE:INFY MARKET at alt$/,
    );
    await cancel(rig, body.data.id);
    await rig.time.advance(1_000);
    await rig.restart();
    expect((await place(rig, { ...BUY, broker: 'paper' }, 'paper')).status).toBe(201);
    await rig.time.advance(10_000);
    const said = messenger.texts.slice(1).join('\n\n').split('\n\n');
    expect(said).toEqual([
      expect.stringMatching(/LIVE Cancelled by \S+, nothing filled: BUY 10 .* at alt$/),
      expect.stringMatching(/PAPER Filled 10 of 10 .* at paper \(paper\)$/),
    ]);
  });

  it('accepts and fills orders while Telegram takes nothing', async () => {
    const { messenger, ...chat } = await chatRig();
    await using rig = chat.rig;
    messenger.script.push('hang');
    expect((await place(rig, BUY, 'first')).status).toBe(201);
    await rig.time.advance(10_000);
    expect(messenger.tries).toBeGreaterThan(0);
    expect((await place(rig, BUY, 'second')).status).toBe(201);
    await rig.time.advance(10_000);
    const { body } = await rig.get('/api/v1/orders');
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['filled', 'filled']);
  });

  it('tells nothing of orders where that is switched off, and keeps no position', async () => {
    const { messenger, ...chat } = await chatRig(BOT);
    await using rig = chat.rig;
    expect(readdirSync(rig.dataDirectory)).toContain('order-lines.json');
    const { environment } = rig;
    const off = (name: string) => (name === SWITCH ? 'false' : environment.get(name));
    await rig.restart({ ...environment, get: off });
    messenger.texts.length = 0;
    expect((await place(rig, BUY, 'fills')).status).toBe(201);
    await rig.time.advance(10_000);
    expect(messenger.texts).toEqual([]);
    expect(readdirSync(rig.dataDirectory)).not.toContain('order-lines.json');
  });
});
