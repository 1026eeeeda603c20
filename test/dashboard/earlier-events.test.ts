import { describe, expect, it } from 'vitest';
import type { StreamedEvent } from '../../client/index.ts';
import { type AskEvents, readEarlier, withEarlier } from '../../dashboard/src/earlier-events.ts';

const event = (sequence: number): StreamedEvent => ({ id: `abc-${sequence}` }) as StreamedEvent;

/** A gateway whose present start began after the event `first`. */
function gateway(first: number, last: number, refusal = 410) {
  const asked: string[] = [];
  const ask: AskEvents = (cursor, limit) => {
    asked.push(cursor);
    const after = Number(/-(\d+)$/.exec(cursor)?.[1]);
    if (after <= first) return Promise.resolve({ status: refusal, data: [] });
    const all = Array.from({ length: last - after }, (_, each) => event(after + each + 1));
    return Promise.resolve({ status: 200, data: all.slice(0, limit) });
  };
  return { asked, ask };
}

const idsOf = async ({ ask }: Pick<ReturnType<typeof gateway>, 'ask'>, cursor: string) =>
  (await readEarlier(ask, cursor)).map(({ id }) => id);

describe('the events before a page was opened', () => {
  it('are the last 300 up to its cursor, newest first', async () => {
    const ids = await idsOf(gateway(0, 1_000), 'abc-1000');
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([300, 'abc-1000', 'abc-701']);
  });

  it('are fewer where the gateway started since, and none where nothing happened', async () => {
    const started = gateway(980, 1_000);
    expect(await idsOf(started, 'abc-1000')).toEqual(
      Array.from({ length: 18 }, (_, each) => `abc-${1_000 - each}`),
    );
    expect(await idsOf(gateway(1_000, 1_000), 'abc-1000')).toEqual([]);
    expect(await idsOf(gateway(0, 0), 'abc-0')).toEqual([]);
  });

  it('are left out where they cannot be read, and not asked for again', async () => {
    const refusing = gateway(2_000, 1_000, 503);
    expect(await idsOf(refusing, 'abc-1000')).toEqual([]);
    expect(refusing.asked).toHaveLength(1);
    const ask: AskEvents = () => Promise.reject(new TypeError('no connection'));
    expect(await idsOf({ ask }, 'abc-1000')).toEqual([]);
  });

  it('come after those that came since, each once', () => {
    const ids = withEarlier([event(5), event(4)], [event(4), event(3)]).map(({ id }) => id);
    expect(ids).toEqual(['abc-5', 'abc-4', 'abc-3']);
  });
});
