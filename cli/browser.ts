import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Systems whose browsers need no display that a variable names. */
const OWN_DISPLAY: ReadonlySet<string> = new Set(['darwin', 'win32']);

/**
 * Whether a program may open a page without being asked: a person watches it in a terminal of this machine, and the
 * machine has a display.
 */
export function hasDisplay({
  isTerminal,
  platform,
  environment,
}: {
  readonly isTerminal: boolean;
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): boolean {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  // The browser would open at the other end of the connection, where nobody sits.
  if (!isTerminal || isSet('SSH_CONNECTION') || isSet('CI')) return false;
  return OWN_DISPLAY.has(platform) || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY');
}

/** The program of each system that opens an address; the others follow freedesktop.org. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the browser of the person; resolves to false where that cannot be begun. */
export function browse(url: string): Promise<boolean> {
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

/**
 * The same for an address that is a secret, since other users of the machine see the arguments of its programs: by a
 * file that only its owner can read, and that sends the browser on.
 */
export async function browseSecretly(url: string): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'altbroker-open-'));
  const path = join(directory, 'open.html');
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Open</a>`;
  writeFileSync(path, page, { mode: 0o600 });
  const isOpened = await browse(pathToFileURL(path).href);
  setTimeout(() => rmSync(directory, { recursive: true, force: true }), READ_WITHIN_MS);
  return isOpened;
}
