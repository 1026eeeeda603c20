/** The clock of the sandbox. Passed in, so that a simulation can control it. */
export interface SandboxClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `run` once, `ms` milliseconds from now. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

export interface SandboxRandom {
  /** A number in [0, 1). */
  next(): number;
}

/** A 32-bit hash of a text, mixed so that similar seeds give different streams. */
export function hashText(text: string): number {
  let hash = 1779033703 ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 3432918353);
    hash = (hash << 13) | (hash >>> 19);
  }
  return mix(hash);
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 2246822507);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 3266489909);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * A number in [0, 1) that depends only on the seed and the coordinates, so that the price of any
 * second can be computed without the seconds before it.
 */
export function hashUnit(seed: number, first: number, second: number, third = 0): number {
  let hash = mix(seed ^ Math.imul(first | 0, 0x9e3779b1));
  hash = mix(hash ^ Math.imul(second | 0, 0x85ebca6b));
  hash = mix(hash ^ Math.imul(third | 0, 0xc2b2ae35));
  return hash / 4294967296;
}

/** A small seeded generator (sfc32). Reproducible, and not for secrets. */
export function seededRandom(seed: number | string): SandboxRandom {
  const text = String(seed);
  let a = hashText(`${text}:a`) | 0;
  let b = hashText(`${text}:b`) | 0;
  let c = hashText(`${text}:c`) | 0;
  let d = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let warmUp = 0; warmUp < 12; warmUp += 1) next();
  return { next };
}

/** A separate stream, so that one part that draws more does not change what another part draws. */
export function forkRandom(random: SandboxRandom, label: string): SandboxRandom {
  return seededRandom(`${label}:${random.next()}`);
}

/** An integer in [low, high]. */
export function drawBetween(random: SandboxRandom, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}
