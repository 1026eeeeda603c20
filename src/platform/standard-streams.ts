import type { Readable, Writable } from 'node:stream';
import { systemEnvironment } from './environment.ts';

/** What a program that another one has started talks to it by. */
export interface StandardStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** One line for people, beside the output. */
  tell(line: string): void;
}

export const systemStreams: StandardStreams = {
  get input() {
    return process.stdin;
  },
  get output() {
    return process.stdout;
  },
  tell: (line) => void process.stderr.write(`altbroker-gateway: ${line}\n`),
};

/** The output of a program that a person may watch. */
export interface Screen {
  /** Whether a person reads the output: it is a terminal. */
  readonly isTerminal: boolean;
  /** Whether it may have colours (https://no-color.org). */
  readonly hasColours: boolean;
  write(text: string): void;
}

export const systemScreen: Screen = {
  get isTerminal() {
    return process.stdout.isTTY;
  },
  get hasColours() {
    const isPlain = (systemEnvironment.get('NO_COLOR') ?? '') !== '';
    return process.stdout.isTTY && !isPlain && systemEnvironment.get('TERM') !== 'dumb';
  },
  write: (text) => void process.stdout.write(text),
};

/**
 * For a process that must go on whatever becomes of its outputs: a full disk under a file that they go to, or a
 * terminal that was closed, would end it.
 */
export function outliveOutputs(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}
