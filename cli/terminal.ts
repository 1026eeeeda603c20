import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';

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

/** The program of each system that opens an address; the others follow freedesktop.org. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function browse(url: string): Promise<boolean> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}

/** By then the browser has read the file. */
const READ_WITHIN_MS = 5_000;

/** By a file that only its owner can read, and that sends the browser on. */
async function browseSecretly(url: string): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'altbroker-open-'));
  const path = join(directory, 'open.html');
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Open</a>`;
  writeFileSync(path, page, { mode: 0o600 });
  const isOpened = await browse(pathToFileURL(path).href);
  setTimeout(() => rmSync(directory, { recursive: true, force: true }), READ_WITHIN_MS);
  return isOpened;
}
