import { describe, expect, it } from 'vitest';
import { createTurns } from '../../src/platform/turns.ts';

const deferred = () => Promise.withResolvers<string>();

describe('turns', () => {
  it('run work of one name one after the other, and other work beside it', async () => {
    const inTurn = createTurns();
    const [first, other] = [deferred(), deferred()];
    const begun: string[] = [];
    const begin = (what: string, result: Promise<string>) => () => {
      begun.push(what);
      return result;
    };
    const one = inTurn('a', begin('one', first.promise));
    const two = inTurn('a', begin('two', Promise.resolve('second')));
    const beside = inTurn('b', begin('beside', other.promise));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['one', 'beside']);
    first.resolve('first');
    expect([await one, await two]).toEqual(['first', 'second']);
    expect(begun).toEqual(['one', 'beside', 'two']);
    other.resolve('other');
    expect(await beside).toBe('other');
  });

  it('go on after work that failed', async () => {
    const inTurn = createTurns();
    const failed = inTurn('a', () => Promise.reject(new Error('no')));
    const next = inTurn('a', () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});

describe('turns of several names', () => {
  it('wait for whatever has one of the names, in whichever order it names them', async () => {
    const inTurn = createTurns();
    const ended: string[] = [];
    const first = deferred();
    const both = inTurn(['b', 'a', 'b'], async () => {
      ended.push(`both ${await first.promise}`);
    });
    const note = (text: string) => () => Promise.resolve(void ended.push(text));
    const reverse = inTurn(['c', 'b'], note('next 2'));
    const other = inTurn(['d'], note('other 3'));
    await other;
    expect(ended).toEqual(['other 3']);
    first.resolve('1');
    await Promise.all([both, reverse]);
    expect(ended).toEqual(['other 3', 'both 1', 'next 2']);
  });

  it('run work without any at once', async () => {
    expect(await createTurns()([], () => Promise.resolve('done'))).toBe('done');
  });
});
