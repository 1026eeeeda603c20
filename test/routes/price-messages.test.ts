import { describe, expect, it } from 'vitest';
import { answerMessages } from '../../src/routes/price-messages.ts';
import type { ServerSocket } from '../../src/platform/http-upgrade.ts';
import type { PriceSession } from '../../src/routes/price-session.ts';
import { drain } from '../support/virtual-time.ts';

/** A session that finds instruments, and says what it has said, when the test lets it. */
function bench() {
  const done: string[] = [];
  const finds: (() => void)[] = [];
  const saids: (() => void)[] = [];
  let hear: (text: string | null) => void = () => undefined;
  const flow: string[] = [];
  const socket = {
    onText: (listener: typeof hear) => void (hear = listener),
    pause: () => void flow.push('pause'),
    resume: () => void flow.push('resume'),
  } as unknown as ServerSocket;
  const found = { byText: new Map(), errors: new Map() };
  const session = {
    find: (texts: readonly string[]) => {
      done.push(`find ${texts.join()}`);
      return new Promise((resolve) => finds.push(() => resolve(found)));
    },
    subscribe: (_found: unknown, mode: string) => void done.push(`subscribe ${mode}`),
    unsubscribe: () => void done.push('unsubscribe'),
    refuse: () => void done.push('refuse'),
    whenSaid: (run: () => void) => void saids.push(run),
  } as unknown as PriceSession;
  answerMessages(socket, session);
  const next = async (list: (() => void)[]): Promise<void> => {
    list.shift()?.();
    await drain();
  };
  return {
    done,
    flow,
    finds,
    saids,
    next,
    hear: (message: object) => hear(JSON.stringify(message)),
  };
}

describe('messages on a WebSocket', () => {
  it('are carried out one after the other, each once the answer before has been taken', async () => {
    const { done, flow, finds, saids, next, hear } = bench();
    hear({ action: 'subscribe', instruments: ['A'], mode: 'full' });
    hear({ action: 'unsubscribe', instruments: ['A'] });
    hear({ action: 'wrong' });
    await drain();
    expect([done, flow]).toEqual([['find A'], ['pause']]);
    await next(finds);
    expect(done.splice(0)).toEqual(['find A', 'subscribe full']);
    await next(saids);
    expect(done.splice(0)).toEqual(['find A']);
    await next(finds);
    await next(saids);
    await next(saids);
    expect([done, flow]).toEqual([
      ['unsubscribe', 'refuse'],
      ['pause', 'resume'],
    ]);
  });
});
