import { GatewayProblem } from '../domain/problem.ts';

/** How many may read something for long at once, together and of one key. */
export interface ReaderPlaces {
  /** Returns what frees the place. Throws `too_many_requests` where there is none. */
  take(caller: string): () => void;
}

export interface ReaderPlacesParts {
  /** What they are, in the plural: `readers of events`. */
  readonly what: string;
  readonly most: number;
  readonly mostOfKey: number;
}

const RETRY_AFTER_MS = 5_000;

export function createReaderPlaces(parts: ReaderPlacesParts): ReaderPlaces {
  const { what, most, mostOfKey } = parts;
  const places = new Map<string, number>();
  let total = 0;

  function tooMany(isOfKey: boolean): GatewayProblem {
    const [whose, count] = isOfKey ? ['this key', mostOfKey] : ['all keys together', most];
    return new GatewayProblem({
      code: 'too_many_requests',
      detail: `${count} ${what} of ${whose} are open already: end one of them.`,
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  return {
    take(caller) {
      const own = places.get(caller) ?? 0;
      if (total >= most || own >= mostOfKey) throw tooMany(own >= mostOfKey);
      total += 1;
      places.set(caller, own + 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        total -= 1;
        const left = (places.get(caller) ?? 1) - 1;
        if (left > 0) places.set(caller, left);
        else places.delete(caller);
      };
    },
  };
}
