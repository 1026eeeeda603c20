const PATIENCE_MS = 15_000;
const BETWEEN_MS = 20;

/**
 * For tests over real sockets: asks until there is an answer (not null, not false), and gives it.
 * How long that takes is not tested; when it takes for ever, the error says what was waited for.
 */
export async function until<T>(
  what: string,
  ask: () => T | null | false | Promise<T | null | false>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}
