import type { Readable, Writable } from 'node:stream';

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
