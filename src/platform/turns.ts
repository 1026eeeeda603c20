/**
 * Runs work of one name one after the other, in the order in which it was asked for; work of different names runs at the
 * same time. Work of several names waits for what was asked for before it under any of them. What fails ends its turn like
 * anything else.
 */
export type InTurn = <Result>(
  name: string | readonly string[],
  work: () => Promise<Result>,
) => Promise<Result>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();

  return async function inTurn(name, work) {
    const names = typeof name === 'string' ? [name] : name;
    // All names are taken at once: no two can wait for each other.
    const ahead = Promise.allSettled(names.map((each) => last.get(each)));
    const mine = ahead.then(work);
    for (const each of names) last.set(each, mine);
    try {
      return await mine;
    } finally {
      for (const each of names) if (last.get(each) === mine) last.delete(each);
    }
  };
}
