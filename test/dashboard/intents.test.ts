import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../client/index.ts';
import { ProblemError } from '../../client/errors.ts';

interface Intents {
  newIntent(words: string, request: object): object;
  send(client: Client, intent: object, isFirst: boolean): Promise<{ readonly kind: string }>;
  sendAgain(client: Client, intent: object): Promise<void>;
}

/** It names what only browsers have, which the types of tests do not know. */
const MODULE = new URL('../../dashboard/src/intents.ts', import.meta.url).href;

/** A browser's storage, and nobody who listens. */
beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  });
  vi.stubGlobal('dispatchEvent', () => true);
  return () => vi.unstubAllGlobals();
});

/** A gateway that may run on a copy, as a client tells of it: under a key that is new, nothing has happened. */
function disarmed() {
  const asked: boolean[] = [];
  const cancelOrder = ({ keyIsNew }: { keyIsNew: boolean }) => {
    asked.push(keyIsNew);
    const told = { code: 'disarmed', detail: 'It may be a copy', mayHaveExecuted: !keyIsNew };
    const facts = { operation: 'cancelOrder', key: 'k', attempts: 1, requestId: 'r' };
    const more = { httpStatus: 409, retryAfterMs: null };
    return Promise.reject(new ProblemError(told as never, { ...facts, ...more } as never));
  };
  return { asked, client: { cancelOrder } as unknown as Client };
}

describe('what a person asks for', () => {
  it('has a new key the first time alone: asked again, the gateway of the original may have done it', async () => {
    const { newIntent, send, sendAgain } = (await import(MODULE)) as Intents;
    const { asked, client } = disarmed();
    const intent = newIntent('Cancel', { call: 'cancelOrder', input: { id: 'ord_1' } });
    expect((await send(client, intent, true)).kind).toBe('refused');
    expect((await send(client, intent, false)).kind).toBe('open');
    await sendAgain(client, intent);
    expect(asked).toEqual([true, false, false]);
  });
});
