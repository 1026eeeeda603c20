import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProblemError, type StreamedEvent } from '../../client/index.ts';
import { follow, type FollowParts } from '../../dashboard/src/follow-events.ts';
import { repeatWhileSeen, type Sight } from '../../dashboard/src/sight.ts';
import { type Connection, connectionAfter, resumedWords } from '../../dashboard/src/pure/state.ts';

const first: Connection = { is: 'connecting', since: 0, resumed: null, gapAt: null };
const at = (second: number): number => Date.parse('2026-11-23T10:00:00+05:30') + second * 1_000;

describe('the connection', () => {
  it('says when it was lost and came back', () => {
    const live = connectionAfter(first, 'live', 1);
    expect(live).toEqual({ is: 'live', since: 1, resumed: null, gapAt: null });
    const lost = connectionAfter(live, 'lost', 5);
    expect(connectionAfter(lost, 'lost', 9)).toBe(lost);
    expect(connectionAfter(lost, 'live', 12)).toEqual({
      ...{ is: 'live', since: 12, gapAt: null },
      resumed: { lostAt: 5, at: 12, events: 0 },
    });
  });

  const resumed = { lostAt: at(5), at: at(12), events: 3 };
  const live: Connection = { is: 'live', since: at(12), resumed, gapAt: null };

  it('says that nothing was missed where it went on after the last event', () => {
    expect(resumedWords(live, at(20))).toEqual({
      isWhole: true,
      words:
        'Connected again at 10:00:12 IST, after a loss at 10:00:05 IST. Nothing was missed: 3 events came since.',
    });
    // The gap was before this loss.
    expect(resumedWords({ ...live, gapAt: at(1) }, at(20))?.isWhole).toBe(true);
  });

  it('says that events were missed where the gateway does not have them any more', () => {
    const words = resumedWords({ ...live, gapAt: at(11) }, at(20));
    expect(words?.isWhole).toBe(false);
    expect(words?.words).toContain('Events were missed: at 10:00:11 IST');
    expect(words?.words).not.toContain('Nothing was missed');
    expect(resumedWords({ ...live, resumed: null, gapAt: at(11) }, at(20))?.isWhole).toBe(false);
  });

  it('says nothing before a loss, and while it is lost', () => {
    expect(resumedWords({ ...live, resumed: null }, at(20))).toBeNull();
    expect(resumedWords({ ...live, is: 'lost', gapAt: at(11) }, at(20))).toBeNull();
  });
});

/** A page that is seen, until the test says otherwise. */
function sightOf(): Sight & { set(isSeen: boolean): void } {
  const listeners = new Set<() => void>();
  let isSeen = true;
  return {
    isSeen: () => isSeen,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(now) {
      isSeen = now;
      for (const listener of [...listeners]) listener();
    },
  };
}

describe('the stream of events', () => {
  afterEach(() => void vi.useRealTimers());

  it('tells that events are missed where its cursor has expired, and goes on from now', async () => {
    vi.useFakeTimers();
    const stopping = new AbortController();
    const from: unknown[] = [];
    let cursor = 0;
    async function* events({ after }: { readonly after?: string }) {
      from.push(after);
      if (from.length === 1) {
        const problem = { code: 'cursor_expired', detail: 'it is gone' } as ProblemError['problem'];
        const facts = { operation: 'getEvents', key: null, attempts: 1 };
        throw new ProblemError(problem, { ...facts, httpStatus: 410, retryAfterMs: null });
      }
      yield await Promise.resolve({ id: 'b-8' });
      stopping.abort();
    }
    const getOrders = () => Promise.resolve({ meta: { eventsCursor: `b-${(cursor += 1)}` } });
    const taken: StreamedEvent[] = [];
    let missed = 0;
    const done = follow({
      client: { events, getOrders } as unknown as FollowParts['client'],
      ...{ signal: stopping.signal, sight: sightOf() },
      recall: () => undefined,
      take: (event) => taken.push(event),
      miss: () => (missed += 1),
      onEnd: () => undefined,
    });
    await vi.runAllTimersAsync();
    await done;
    expect([missed, from, taken.map(({ id }) => id)]).toEqual([1, ['b-1', 'b-2'], ['b-8']]);
  });

  it('is not held open by a page that nobody sees, and goes on after its last event once it is seen', async () => {
    const stopping = new AbortController();
    const sight = sightOf();
    const open = new Set<string>();
    let next = 7;
    async function* events({ after = '', signal }: { after?: string; signal?: AbortSignal }) {
      open.add(after);
      yield await Promise.resolve({ id: `b-${(next += 1)}` });
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      open.delete(after);
    }
    const getOrders = () => Promise.resolve({ meta: { eventsCursor: 'b-7' } });
    const taken: string[] = [];
    const done = follow({
      client: { events, getOrders } as unknown as FollowParts['client'],
      ...{ signal: stopping.signal, sight, recall: () => undefined },
      take: ({ id }) => void taken.push(id),
      miss: () => expect.unreachable(),
      onEnd: () => expect.unreachable(),
    });
    await vi.waitFor(() => expect([[...open], taken]).toEqual([['b-7'], ['b-8']]));
    sight.set(false);
    await vi.waitFor(() => expect(open.size).toBe(0));
    // A tab that is opened behind another one waits in the same way.
    await new Promise((resolve) => setImmediate(resolve));
    expect([open.size, taken]).toEqual([0, ['b-8']]);
    sight.set(true);
    await vi.waitFor(() => expect([[...open], taken]).toEqual([['b-8'], ['b-8', 'b-9']]));
    stopping.abort();
    await done;
    expect(open.size).toBe(0);
  });
});

describe('what the page reads now and then', () => {
  afterEach(() => void vi.useRealTimers());

  it('is read while somebody sees the page, and at once when it is seen again', () => {
    vi.useFakeTimers();
    const sight = sightOf();
    let reads = 0;
    const stop = repeatWhileSeen(sight, 30_000, () => (reads += 1));
    expect(reads).toBe(1);
    vi.advanceTimersByTime(30_000);
    expect(reads).toBe(2);
    sight.set(false);
    vi.advanceTimersByTime(300_000);
    expect(reads).toBe(2);
    sight.set(true);
    expect(reads).toBe(3);
    vi.advanceTimersByTime(29_000);
    expect(reads).toBe(3);
    vi.advanceTimersByTime(1_000);
    expect(reads).toBe(4);
    stop();
    sight.set(false);
    sight.set(true);
    vi.advanceTimersByTime(60_000);
    expect([reads, vi.getTimerCount()]).toEqual([4, 0]);
  });
});
