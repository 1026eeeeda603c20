import { digestsOf, playForLog } from './play.ts';
import type { RecordedSeed } from './recorded.ts';

/** What is recorded of a seed. */
export const PARTS = ['requests', 'orders'] as const;

/** What of a seed is not as recorded: nothing, `requests`, `orders` or both. */
export async function differencesOf(recorded: RecordedSeed): Promise<string[]> {
  const now = digestsOf(await playForLog(recorded.kind, String(recorded.seed)));
  return PARTS.filter((part) => now[part] !== recorded[part]);
}

/**
 * The first line in which two logs differ, with the lines before it; null when they are equal.
 * `recorded` is marked `-`, `now` is marked `+`.
 */
export function firstDifference(
  recorded: readonly string[],
  now: readonly string[],
): string | null {
  const at = Array.from({ length: Math.max(recorded.length, now.length) }).findIndex(
    (_, index) => recorded[index] !== now[index],
  );
  if (at === -1) return null;
  return [
    `line ${at + 1}:`,
    ...recorded.slice(Math.max(0, at - 3), at).map((line) => `  ${line}`),
    `- ${recorded[at] ?? '(the log ends here)'}`,
    `+ ${now[at] ?? '(the log ends here)'}`,
  ].join('\n');
}
