/**
 * Items that wait for a turn, each for one owner or several. Owners take turns, and each owner's items go in
 * the order in which they were served last. So an owner with few items is served as often as if it were alone
 * among its equals, however many items another owner has.
 *
 * With k owners, each owner with n items has every item served within ceil(n / floor(most / k)) rounds.
 */
export interface FairQueues<T> {
  /** Behind the owner's other items; an item that waits keeps its place. */
  add(owner: string, item: T): void;
  remove(owner: string, item: T): void;
  /** At most `most` items, which then go behind all others of their owners. */
  choose(most: number): readonly T[];
  /** Whether nothing waits. */
  isEmpty(): boolean;
}

export function createFairQueues<T>(ownersOf: (item: T) => Iterable<string>): FairQueues<T> {
  /** Owners with the one served longest ago first; items of each likewise. */
  const queues = new Map<string, Set<T>>();

  function serve(item: T): void {
    for (const owner of ownersOf(item)) {
      const queue = queues.get(owner);
      if (queue?.delete(item)) queue.add(item);
    }
  }

  return {
    isEmpty: () => queues.size === 0,
    add(owner, item) {
      const queue = queues.get(owner) ?? new Set();
      queues.set(owner, queue.add(item));
    },
    remove(owner, item) {
      const queue = queues.get(owner);
      if (queue?.delete(item) && queue.size === 0) queues.delete(owner);
    },
    choose(most) {
      const chosen = new Set<T>();
      const waiting = [...queues];
      for (let turn = 0; turn < waiting.length && chosen.size < most; turn += 1) {
        const [owner, queue] = waiting[turn] ?? [];
        const [item] = queue ?? [];
        // The first of a queue is a chosen one where all of the queue are chosen.
        if (owner === undefined || queue === undefined) continue;
        if (item === undefined || chosen.has(item)) continue;
        chosen.add(item);
        serve(item);
        queues.delete(owner);
        queues.set(owner, queue);
        waiting.push([owner, queue]);
      }
      return [...chosen];
    },
  };
}
