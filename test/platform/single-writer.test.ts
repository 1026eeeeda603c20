import { describe, expect, it } from 'vitest';
import {
  CommitError,
  createSingleWriter,
  type ChangeStore,
} from '../../src/platform/single-writer.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** Gives a name a value; null removes it. */
interface Put {
  readonly name: string;
  readonly value: number | null;
}
type State = Map<string, number>;
type Units = readonly (readonly Put[])[];

const put = (name: string, value: number | null): Put => ({ name, value });

/**
 * A store that accepts as many units of each batch as the test says, and records what it was given.
 */
class FakeStore implements ChangeStore<Put> {
  readonly batches: Units[] = [];
  readonly written: Put[] = [];
  /** How many units of the next batches it accepts; all of them when the list is empty. */
  readonly takes: number[] = [];
  /** Delays the answer until the returned function is called. */
  release: (() => void) | null = null;
  hold = false;

  async commit(units: Units): Promise<{ committed: number; error: unknown }> {
    this.batches.push(units);
    if (this.hold) await new Promise<void>((resolve) => (this.release = resolve));
    const committed = Math.min(this.takes.shift() ?? units.length, units.length);
    this.written.push(...units.slice(0, committed).flat());
    return { committed, error: committed < units.length ? new Error('disk full') : null };
  }
}

function bench() {
  const time = new VirtualTime(0);
  const store = new FakeStore();
  const state: State = new Map();
  const applied: Put[] = [];
  const writer = createSingleWriter<State, Put>({
    state,
    store,
    scheduler: time,
    apply(current, change) {
      applied.push(change);
      const before = current.get(change.name) ?? null;
      if (change.value === null) current.delete(change.name);
      else current.set(change.name, change.value);
      return [put(change.name, before)];
    },
  });
  /** Sets a value, and replies with the former one. */
  const set = (name: string, value: number) =>
    writer.submit((current) => ({
      changes: [put(name, value)],
      reply: current.get(name) ?? null,
    }));
  return { time, store, state, writer, set, applied };
}

/** The result of each call. */
async function settled(time: VirtualTime, promises: readonly Promise<unknown>[]) {
  const all = await time.settle(Promise.allSettled(promises));
  return all.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)));
}

describe('decisions of one turn', () => {
  it('are committed together, each seeing the results of those before it', async () => {
    const { time, store, set } = bench();
    expect(await settled(time, [set('a', 1), set('a', 2), set('b', 3)])).toEqual([null, 1, null]);
    expect(store.batches).toEqual([[[put('a', 1)], [put('a', 2)], [put('b', 3)]]]);
  });

  it('are not made before the turn is over', () => {
    const { set, applied, store } = bench();
    void set('a', 1);
    expect([applied, store.batches]).toEqual([[], []]);
  });

  it('are answered only once they are durable', async () => {
    const { time, store, set } = bench();
    store.hold = true;
    let answered = false;
    const first = set('a', 1).then(() => (answered = true));
    await time.advance(1_000);
    expect(answered).toBe(false);
    store.release!();
    await time.settle(first);
    expect(answered).toBe(true);
  });

  it('are written one batch after the other: the next waits for the disk', async () => {
    const { time, store, set } = bench();
    store.hold = true;
    const first = set('a', 1);
    await time.advance(1);
    const others = [set('a', 2), set('a', 3)];
    await time.advance(1);
    expect(store.batches).toHaveLength(1);
    store.hold = false;
    store.release!();
    expect(await settled(time, [first, ...others])).toEqual([null, 1, 2]);
    expect(store.batches).toHaveLength(2);
  });
});

describe('a decision that throws', () => {
  it('gives the error to its own caller only, and changes nothing', async () => {
    const { time, state, set, writer } = bench();
    const bad = writer.submit(() => {
      throw new Error('cannot be');
    });
    expect(await settled(time, [set('a', 1), bad, set('a', 2)])).toEqual([
      null,
      'Error: cannot be',
      1,
    ]);
    expect([...state]).toEqual([['a', 2]]);
  });

  it('does not call the store when it is alone in its turn', async () => {
    const { time, store, writer, set } = bench();
    const bad = writer.submit(() => {
      throw new Error('cannot be');
    });
    expect(await settled(time, [bad])).toEqual(['Error: cannot be']);
    expect(store.batches).toEqual([]);
    expect(await settled(time, [set('a', 1)])).toEqual([null]);
  });
});

describe('a decision that changes nothing', () => {
  it('is answered without a commit', async () => {
    const { time, store, writer } = bench();
    const looked = writer.submit((current) => ({ changes: [], reply: current.size }));
    expect(await settled(time, [looked])).toEqual([0]);
    expect(store.batches).toEqual([]);
  });

  it('is answered once the decisions of its turn that it has seen are durable', async () => {
    const { time, store, set, writer } = bench();
    const look = () => writer.submit((current) => ({ changes: [], reply: current.get('a') }));
    expect(await settled(time, [set('a', 1), look()])).toEqual([null, 1]);
    expect(store.batches).toEqual([[[put('a', 1)]]]);
  });
});

describe('a unit that the store refuses', () => {
  it('rejects its caller, keeps the units before it, and repeats the decisions after it', async () => {
    const { time, store, state, set } = bench();
    store.takes.push(1);
    const results = await settled(time, [set('a', 1), set('a', 2), set('a', 3)]);
    // The third sees the first, and not the second, which was refused.
    expect(results).toEqual([null, 'CommitError: the journal did not take the change', 1]);
    expect([...state]).toEqual([['a', 3]]);
    expect(store.written).toEqual([put('a', 1), put('a', 3)]);
  });

  it('changes nothing when it is the first', async () => {
    const { time, store, state, set } = bench();
    store.takes.push(0);
    const [first, second] = await settled(time, [set('a', 1), set('b', 2)]);
    expect([first, second]).toEqual(['CommitError: the journal did not take the change', null]);
    expect([...state]).toEqual([['b', 2]]);
  });

  it('gives its caller the reason', async () => {
    const { time, store, set } = bench();
    store.takes.push(0);
    const failed = set('a', 1);
    await expect(time.settle(failed)).rejects.toBeInstanceOf(CommitError);
    await expect(failed).rejects.toMatchObject({ cause: new Error('disk full') });
  });

  it('repeats also the decisions that saw it and changed nothing', async () => {
    const { time, store, set, writer } = bench();
    store.takes.push(0);
    const look = () =>
      writer.submit((current) => ({ changes: [], reply: current.get('a') ?? 'none' }));
    expect((await settled(time, [set('a', 1), look()]))[1]).toBe('none');
  });

  it('of several changes is undone whole, the last change first', async () => {
    const { time, store, state, writer, applied, set } = bench();
    await settled(time, [set('a', 1)]);
    applied.length = 0;
    store.takes.push(0);
    const changes = [put('a', 2), put('b', 5), put('a', 3)];
    await settled(time, [writer.submit(() => ({ changes, reply: null }))]);
    expect([...state]).toEqual([['a', 1]]);
    expect(applied.slice(3)).toEqual([put('a', 2), put('b', null), put('a', 1)]);
  });

  it('is repeated before decisions that were requested while it was being written', async () => {
    const { time, store, set } = bench();
    store.hold = true;
    store.takes.push(0);
    const first = [set('a', 1), set('a', 2)];
    await time.advance(1);
    const later = set('a', 3);
    store.hold = false;
    store.release!();
    expect(await settled(time, [...first, later])).toEqual([
      'CommitError: the journal did not take the change',
      null,
      2,
    ]);
  });
});

describe('a store that refuses everything', () => {
  it('leaves the state as it was, and every caller gets the error', async () => {
    const { time, store, state, set } = bench();
    store.takes.push(0, 0, 0);
    const results = await settled(time, [set('a', 1), set('a', 2), set('b', 3)]);
    expect(new Set(results)).toEqual(new Set(['CommitError: the journal did not take the change']));
    expect([...state]).toEqual([]);
    expect(await settled(time, [set('a', 4)])).toEqual([null]);
  });
});

describe('being idle', () => {
  it('is immediate when there is nothing to write', async () => {
    await expect(bench().writer.idle()).resolves.toBeUndefined();
  });

  it('is reached once every request has its answer', async () => {
    const { time, store, set, writer } = bench();
    store.hold = true;
    void set('a', 1);
    let idle = false;
    const waiting = writer.idle().then(() => (idle = true));
    await time.advance(1_000);
    expect(idle).toBe(false);
    store.hold = false;
    store.release!();
    await time.settle(waiting);
    expect(store.written).toEqual([put('a', 1)]);
  });
});
