import { createHash } from 'node:crypto';
import { istIso } from '../../src/domain/ist.ts';
import { epochMs } from '../../src/units/branded.ts';

/** What broker, gateway and caller each saw, in the order in which it happened. */
export interface Timeline {
  note(who: 'broker' | 'gateway' | 'caller' | 'world', text: string): void;
  lines(): readonly string[];
  /** The same for the same run: what shows that a seed is replayed exactly. */
  hash(): string;
}

export function createTimeline(now: () => number): Timeline {
  const notes: { at: number; who: string; text: string }[] = [];
  return {
    note: (who, text) => void notes.push({ at: now(), who, text }),
    lines: () =>
      notes.map(
        ({ at, who, text }) => `${istIso(epochMs(at)).slice(11, 23)}  ${who.padEnd(8)} ${text}`,
      ),
    hash() {
      const hash = createHash('sha256');
      for (const { at, who, text } of notes) hash.update(`${at} ${who} ${text}\n`);
      return hash.digest('hex');
    },
  };
}
