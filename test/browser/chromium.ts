import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const VARIABLE = 'CHROMIUM_PATH';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Where the browser is: the path in CHROMIUM_PATH, or the first of the usual names on PATH.
 * Throws when there is none: a test that is left out silently has shown nothing.
 */
export function findChromium(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const named = environment[VARIABLE];
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`${VARIABLE} is "${named}", which is no program`);
  }
  for (const directory of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const found = NAMES.map((name) => join(directory, name)).find(isProgram);
    if (found) return found;
  }
  throw new Error(
    'no Chromium on this machine: install it (Debian, Ubuntu: apt-get install chromium), ' +
      `or name one in ${VARIABLE}`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Headless, and quiet: it asks nobody on the network for anything. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
