import { createInterface } from 'node:readline/promises';
import { printableLines } from '../src/platform/printable.ts';
import { browse, browseSecretly } from './browser.ts';

/** Where a command reads and writes. Tests give their own. */
export interface Terminal {
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  /** One line of the result. */
  out(line: string): void;
  /** One line beside the result: progress, questions, errors. */
  tell(line: string): void;
  /** What the person answers; null at the end of the input. */
  ask(question: string): Promise<string | null>;
  /** Opens an address in the browser of the person; false where that cannot be begun. */
  browse(url: string): Promise<boolean>;
  /** The same for an address that is a secret: other users of the machine see the arguments of its programs. */
  browseSecretly(url: string): Promise<boolean>;
}

/** The same, but nothing that a broker or another program wrote moves the cursor of the person or turns text around. */
export const printing = (terminal: Terminal): Terminal => ({
  isInteractive: terminal.isInteractive,
  out: (line) => terminal.out(printableLines(line)),
  tell: (line) => terminal.tell(printableLines(line)),
  ask: (question) => terminal.ask(printableLines(question)),
  browse: (url) => terminal.browse(url),
  browseSecretly: (url) => terminal.browseSecretly(url),
});

export const systemTerminal: Terminal = {
  isInteractive: process.stdin.isTTY && process.stderr.isTTY,
  out: (line) => void process.stdout.write(`${line}\n`),
  tell: (line) => void process.stderr.write(`${line}\n`),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
    try {
      return await Promise.race([lines.question(question), ended]);
    } finally {
      lines.close();
    }
  },
  browse,
  browseSecretly,
};
