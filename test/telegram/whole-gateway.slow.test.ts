import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenCron } from '../../src/platform/cron.ts';
import { BUY, loggedInRig, place, RESTING, spoilPlacing, spoilReading } from '../path/walk.ts';
import { BOT_TOKEN, CHAT_ID, createFakeBotApi } from '../support/fake-bot-api.ts';
import { fakeMessenger } from '../support/fake-messenger.ts';
import { createRig, type RigOptions } from '../support/rig.ts';
import { until } from '../support/until.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';

const PUBLIC_URL = 'https://gateway.example';

function withMessenger(options: RigOptions = {}) {
  const messenger = fakeMessenger();
  const given = {
    ...options,
    environment: { APP_PUBLIC_URL: PUBLIC_URL, ...options.environment },
    overrides: { messenger, openCron: openVirtualCron },
  };
  return { messenger, given };
}

describe('the whole gateway, with a chat', () => {
  it('sends reminders of the login until it is done, and none on the next start', async () => {
    const { messenger, given } = withMessenger({ start: '2026-11-06T08:30:00+05:30' });
    await using rig = await createRig(given);
    await rig.time.advanceTo('2026-11-06T09:00:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toContain(`${PUBLIC_URL}/api/altbroker/login`);
    await rig.restart();
    await rig.time.advanceTo('2026-11-06T09:05:00+05:30');
    expect((await rig.logIn()).status).toBe(200);
    await rig.time.advanceTo('2026-11-06T09:20:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    // The token has died at 06:00.
    await rig.time.advanceTo('2026-11-07T09:00:00+05:30');
    expect(messenger.texts).toHaveLength(2);
  });

  it('reminds of intraday positions before the broker closes them, and of nothing else held', async () => {
    const { messenger, given } = withMessenger({ start: '2026-11-06T14:00:00+05:30' });
    await using rig = await loggedInRig(given);
    const fno = { ...BUY, instrument: 'NFO:NIFTY26NOV24450CE', quantity: 65, product: 'INTRADAY' };
    expect((await place(rig, BUY, 'delivery')).status).toBe(201);
    expect((await place(rig, fno, 'intraday')).status).toBe(201);
    await rig.time.advance(5_000);
    messenger.texts.length = 0;
    await rig.time.advanceTo('2026-11-06T15:04:00+05:30');
    expect(messenger.texts).toEqual([]);
    await rig.time.advanceTo('2026-11-06T15:19:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toContain('closes intraday positions in NFO, BFO at about 15:20');
    expect(messenger.texts[0]).toContain('alt: NFO:NIFTY26NOV24450CE, 65 bought');
    expect(messenger.texts[0]).not.toContain('NSE:INFY');
  });

  it('reminds of what an account held that day when it cannot be read any more', async () => {
    const { messenger, given } = withMessenger({ start: '2026-11-06T14:00:00+05:30' });
    await using rig = await loggedInRig(given);
    expect((await place(rig, { ...BUY, product: 'INTRADAY' }, 'intraday')).status).toBe(201);
    await rig.time.advanceTo('2026-11-06T14:40:00+05:30');
    rig.sandbox.kite.killTokens();
    await rig.get('/api/v1/positions?maxAgeMs=0');
    messenger.texts.length = 0;
    await rig.time.advanceTo('2026-11-06T14:56:00+05:30');
    const text = messenger.texts.at(-1) ?? '';
    expect(text).toMatch(/^Fri 6 Nov, 14:55 IST: .* NSE, BSE at about 15:10/);
    expect(text).toContain('alt: its positions cannot be read');
    expect(text).toContain('alt: NSE:INFY, 10 bought');
  });

  it('does not remind of intraday positions where that is switched off', async () => {
    const environment = { APP_SQUARE_OFF_TIMES: 'none' };
    const { messenger, given } = withMessenger({ start: '2026-11-06T14:00:00+05:30', environment });
    await using rig = await loggedInRig(given);
    expect((await place(rig, { ...BUY, product: 'INTRADAY' }, 'intraday')).status).toBe(201);
    await rig.time.advance(5_000);
    messenger.texts.length = 0;
    await rig.time.advanceTo('2026-11-06T15:15:00+05:30');
    expect(messenger.texts).toEqual([]);
  });

  it('reports a session that dies while the market is open, and not one that dies at night', async () => {
    const { messenger, given } = withMessenger();
    await using rig = await loggedInRig(given);
    messenger.texts.length = 0;
    rig.sandbox.kite.killTokens();
    await rig.get('/api/v1/positions?maxAgeMs=0');
    await rig.time.advance(2_000);
    expect(messenger.texts.join()).toMatch(
      /CRITICAL\. the alternative broker has ended its session/,
    );

    await rig.time.advanceTo('2026-11-06T20:00:00+05:30');
    await rig.logIn();
    messenger.texts.length = 0;
    rig.sandbox.kite.killTokens();
    await rig.get('/api/v1/positions?maxAgeMs=0');
    await rig.time.advance(60_000);
    expect(messenger.texts).toEqual([]);
  });

  it('reports the kill switch, whoever engages it', async () => {
    const { messenger, given } = withMessenger();
    await using rig = await loggedInRig(given);
    messenger.texts.length = 0;
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'odd fills' });
    await rig.time.advance(1_000);
    expect(messenger.texts.join()).toContain('The kill switch is engaged: odd fills');
  });

  it('engages the kill switch on a confirmed command: orders are refused from then on', async () => {
    const { messenger, given } = withMessenger();
    await using rig = await loggedInRig(given);
    messenger.write('/kill');
    await rig.time.advance(0);
    expect((await place(rig, RESTING, 'before')).status).toBe(201);
    messenger.write('/kill confirm');
    await rig.time.advance(1_000);
    expect((await place(rig, BUY, 'after')).body.code).toBe('kill_switch');
  });

  it('reports an order that stays uncertain, and not one that is found soon', async () => {
    const { messenger, given } = withMessenger();
    await using rig = await loggedInRig(given);
    messenger.texts.length = 0;
    spoilPlacing(rig, 'hang_after');
    expect((await place(rig, BUY, 'blip')).status).toBe(202);
    await rig.time.advance(30_000);
    expect(messenger.texts.join('\n')).toMatch(/^\S+ LIVE Filled 10 of 10 [^\n]+$/);

    const unread = spoilReading(rig, 'error_before', '/orders');
    spoilPlacing(rig, 'hang_after');
    expect((await place(rig, BUY, 'open')).status).toBe(202);
    await rig.time.advance(30_000);
    expect(messenger.texts.join()).toContain(
      'Not known whether the broker has it: BUY 10 NSE:INFY',
    );
    rig.sandbox.faults.remove(unread);
    await rig.time.advance(60_000);
    expect(messenger.texts.join()).toContain('No longer open: BUY 10 NSE:INFY');
  });

  it('reports an order that the broker’s risk checks reject', async () => {
    const { messenger, given } = withMessenger();
    await using rig = await loggedInRig(given);
    messenger.texts.length = 0;
    const body = JSON.stringify({
      status: 'error',
      error_type: 'MarginException',
      message: 'Insufficient funds.',
    });
    spoilPlacing(rig, 'error_before', { params: { status: 400, body } });
    expect((await place(rig, BUY, 'poor')).status).toBe(422);
    await rig.time.advance(1_000);
    expect(messenger.texts.join()).toContain('BUY 10 NSE:INFY was refused: Insufficient funds.');
  });

  it('answers commands with the gateway’s state', async () => {
    const { messenger, given } = withMessenger();
    await using rig = await loggedInRig(given);
    messenger.texts.length = 0;
    messenger.write('/status');
    messenger.write('/positions');
    await rig.time.advance(2_000);
    expect(messenger.texts[0]).toContain('logged in as AB1234 until Sat 7 Nov, 06:00 IST');
    expect(messenger.texts[1]).toMatch(/^(Positions|No open positions) \(alt, live/);
    const unread = spoilReading(rig, 'error_before', '/portfolio/positions');
    await rig.time.advance(2_000);
    messenger.write('/positions');
    await rig.time.advance(10_000);
    expect(messenger.texts[2]).toContain('That does not mean that there are none.');
    rig.sandbox.faults.remove(unread);
  });
});

describe('the whole gateway, without a bot in its settings', () => {
  it('schedules nothing, writes no file and sends nothing', async () => {
    let opened = 0;
    const openCron: OpenCron = (parts) => {
      opened += 1;
      return openVirtualCron(parts);
    };
    await using rig = await createRig({ overrides: { openCron } });
    await rig.time.advanceTo('2026-11-06T11:20:00+05:30');
    expect(opened).toBe(0);
    expect(rig.log.join()).not.toMatch(/remind|Telegram/i);
    const files = readdirSync(rig.dataDirectory);
    expect(files).toContain('journal.db');
    expect(files.filter((name) => /alerts|reminder/.test(name))).toEqual([]);
  });
});

describe('the whole gateway, with a bot', () => {
  // Loading takes real time, and virtual time does not wait for it.
  beforeAll(() => import('telegraf'));

  it('answers over Telegram, accepts orders while Telegram is away, stops, and shows its token nowhere', async () => {
    await using api = await createFakeBotApi();
    const environment = {
      APP_TELEGRAM_BOT_TOKEN: BOT_TOKEN,
      APP_TELEGRAM_CHAT_ID: CHAT_ID,
      APP_TELEGRAM_API_ROOT: api.origin,
    };
    await using rig = await createRig({ environment, overrides: { openCron: openVirtualCron } });
    // 11:00: the morning's reminder is late, and is sent at once.
    await until('it has reminded', () => api.texts.length === 1);
    await until('a poll is held', () => api.held() === 1);
    api.write('/login');
    await until('it has answered', () => api.texts.length === 2);
    expect(api.texts[1]).toBe('Log in here:\nhttp://127.0.0.1:8420/api/altbroker/login');
    api.fault('sendMessage', 'hang', 'hang');
    api.write('/kill');
    await until('it asks', () => api.callsOf('sendMessage').length === 3);
    expect((await rig.logIn()).status).toBe(200);
    await rig.time.advance(2_000);
    const placed = await place(rig, RESTING, 'meanwhile');
    expect(placed.status).toBe(201);
    await rig.composed[Symbol.asyncDispose]();
    await until('no poll is left', () => api.held() === 0);
    expect(rig.log.join()).not.toContain(BOT_TOKEN.split(':')[1]);
    await rig.restart();
  });
});
