import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../../client/index.ts';
import { problemOf } from '../problem-of.ts';
import { repeatWhileSeen } from '../sight.ts';
import { systemSight } from '../system-sight.ts';
import { useStore } from '../use-store.ts';

/** What was read, or why it could not be; null until the first answer. */
export type Reading<T> = { readonly data: T } | { readonly problem: string } | null;

/** Reads when the page is opened, and each half minute after that while somebody sees it. `what` names it: another one is read anew. */
export function useRead<T>(what: string, ask: (client: Client) => Promise<T>): Reading<T> {
  const { client } = useStore();
  const [reading, setReading] = useState<Reading<T>>(null);
  useEffect(() => {
    let isLeft = false;
    const read = async (): Promise<void> => {
      try {
        const data = await ask(client);
        if (!isLeft) setReading({ data });
      } catch (error) {
        const problem = problemOf(error);
        if (!isLeft) setReading({ problem });
      }
    };
    const stop = repeatWhileSeen(systemSight, 30_000, () => void read());
    return () => {
      isLeft = true;
      stop();
    };
  }, [client, what]);
  return reading;
}
