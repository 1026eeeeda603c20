/** What the commands of the simulation share: reading numbers, and a progress bar. */

/** A whole number above 0 from an option; throws with the option's name when it is none. */
export function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} is "${text}": it takes a whole number above 0`);
}

/** A line that is written over itself; nothing where nobody looks on. */
export function createBar(total: number): {
  show(done: number, failed: number): void;
  clear(): void;
} {
  const shown = process.stdout.isTTY === true;
  return {
    show(done, failed) {
      if (!shown) return;
      const width = 40;
      const filled = Math.round((done / total) * width);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
      process.stdout.write(`\r${bar} ${done}/${total} days, ${failed} broken`);
    },
    clear() {
      if (shown) process.stdout.write('\r\x1b[2K');
    },
  };
}
