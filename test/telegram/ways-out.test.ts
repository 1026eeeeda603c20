import { describe, expect, it } from 'vitest';
import { epochMs } from '../../src/units/branded.ts';
import type { GatewayEvent } from '../../src/events/event-log.ts';
import { readEvents } from '../../src/telegram/alert-policy.ts';
import { CLOSING, EXIT } from '../routes/support/samples.ts';
import { BUY, loggedInRig, place, RESTING, spoilReading } from '../path/walk.ts';
import { fakeMessenger } from '../support/fake-messenger.ts';
import type { Rig } from '../support/rig.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';

const INTRADAY = { ...BUY, product: 'INTRADAY', broker: 'alt' } as const;

/** A gateway with a chat, which holds ten shares for the day, and what the chat answers to a message. */
async function chatRig() {
  const messenger = fakeMessenger();
  const rig = await loggedInRig({ overrides: { messenger, openCron: openVirtualCron } });
  const { status, text } = await place(rig, INTRADAY, 'intraday');
  if (status !== 201) throw new Error(text);
  await rig.time.advance(5_000);
  messenger.texts.length = 0;
  const ask = async (message: string, messageId?: number): Promise<string> => {
    messenger.texts.length = 0;
    messenger.write(message, messageId);
    await rig.time.advance(1_000);
    return messenger.texts.join('\n\n');
  };
  return { rig, messenger, ask };
}

const exits = async (rig: Rig) => (await rig.get('/api/v1/exits')).body.data;

describe('the whole gateway, with a chat', () => {
  it('exits a position on a confirmed command, and tells how that ended, also after a restart', async () => {
    const { messenger, ask, ...chat } = await chatRig();
    await using rig = chat.rig;
    expect(await ask('/exit infy intraday')).toMatch(
      /^Exit at alt: SELL 10 NSE:INFY INTRADAY, all/,
    );
    messenger.write('/exit confirm', 900);
    await rig.time.advance(300);
    const [exit] = await exits(rig);
    expect(messenger.texts.at(-1)).toContain(
      `Exit ${exit.id} of NSE:INFY (INTRADAY) at alt has begun`,
    );
    await rig.restart();
    await rig.time.advance(30_000);
    expect(messenger.texts.join('\n')).toMatch(
      new RegExp(`Exit ${exit.id} of NSE:INFY \\(INTRADAY\\) at alt is over, flat: nothing of`),
    );
    // The same message again, as after an acknowledgement that was lost.
    expect(await ask('/exit confirm', 900)).toMatch(/^Nothing was done/);
    expect(await exits(rig)).toHaveLength(1);
    const legs = [...rig.composed.execution.state.orders.values()].filter(({ idempotencyKey }) =>
      idempotencyKey.startsWith(exit.id),
    );
    expect(legs.map(({ caller }) => caller)).toEqual(['telegram']);
  });

  it('closes all positions, and cancels all orders', async () => {
    const { messenger, ask, ...chat } = await chatRig();
    await using rig = chat.rig;
    expect((await place(rig, RESTING, 'rests')).status).toBe(201);
    await rig.time.advance(2_000);
    expect(await ask('/cancelall')).toContain('\nalt: 1\n');
    messenger.write('/cancelall confirm');
    await rig.time.advance(10_000);
    expect(messenger.texts).toContain('Orders: 1 cancelled.');
    expect(await ask('/cancelall')).toMatch(/^No open orders at alt, /);
    expect(await ask('/closeall')).toContain('\nalt: 1 (1 long, 0 short)\n');
    messenger.write('/closeall confirm');
    await rig.time.advance(30_000);
    expect(messenger.texts.join('\n')).toMatch(
      /Closing closing_\S+ is over: 1 of 1 positions are closed/,
    );
    expect(await ask('/closeall')).toMatch(/^No open positions at alt, /);
  });

  it('never takes an account or a book that cannot be read for an empty one', async () => {
    const { ask, ...chat } = await chatRig();
    await using rig = chat.rig;
    spoilReading(rig, 'error_before', '/portfolio/positions');
    spoilReading(rig, 'error_before', '/orders');
    expect(await ask('/exit infy')).toMatch(/What is held at alt could not be read/);
    expect(await ask('/closeall')).toMatch(/^What is held at alt could not be read/);
    expect(await ask('/cancelall')).toMatch(/The order book of alt could not be read/);
  });
});

describe('the end of what the chat has begun', () => {
  const memory = { after: 0, open: [], told: [] };
  const textsOf = (type: string, data: object): readonly string[] => {
    const event = { sequence: 1, type, orderId: null, at: epochMs(1), data } as GatewayEvent;
    return readEvents(memory, [event]).alerts.map(({ text }) => text);
  };
  const key = { clientOrderId: 'telegram 2026-11-06 1' };

  it.each([
    ['flat', null, 1],
    ['partly_flat', 'as_asked', 1],
    ['stopped', 'cancelled', 1],
    // These have an alert of their own.
    ['stopped', 'leg_uncertain', 0],
    ['partly_flat', 'reserved_elsewhere', 0],
    ['running', null, 0],
  ])('of an exit that ended %s (%s) is told %i times', (status, why, times) => {
    const exit = { ...EXIT, status, why, detail: 'so it is' };
    expect(textsOf('exit.updated', { ...exit, ...key })).toHaveLength(times);
    expect(textsOf('exit.updated', exit)).toEqual([]);
  });

  it('of a closing is told once it is flat', () => {
    const closing = { ...CLOSING, status: 'flat', detail: '1 of 1 positions are closed' };
    expect(textsOf('closing.updated', { ...closing, ...key })).toEqual([
      `Closing ${CLOSING.id} is over: 1 of 1 positions are closed.`,
    ]);
    expect(textsOf('closing.updated', { ...closing, ...key, status: 'stopped' })).toEqual([]);
    expect(textsOf('closing.updated', closing)).toEqual([]);
  });
});
