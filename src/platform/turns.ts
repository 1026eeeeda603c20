/**
 * Runs work of one name one after the other, in the order in which it was asked for; work of different names runs at the
 * same time. What fails ends its turn like anything else.
 */
export type InTurn = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();

  return async function inTurn(name, work) {
    const ahead = last.get(name) ?? Promise.resolve();
    const mine = ahead.then(work, work);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
