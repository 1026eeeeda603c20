import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Configuration } from '../../src/config/settings.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { filesOf } from '../../src/platform/directories.ts';
import type { Environment } from '../../src/platform/environment.ts';
import { type Files, modeOpenToOthers } from '../../src/platform/files.ts';
import { fieldOf, messageOf } from '../../src/platform/values.ts';
import { type Finding, look, skipped, well, wrong } from './finding.ts';

/** The settings, as the gateway would read them; null where it would not start with them. */
export function checkSettings(
  environment: Environment,
  files: Files,
): { readonly configuration: Configuration | null; readonly findings: readonly Finding[] } {
  try {
    const configuration = loadConfiguration({ environment, files, clock: systemClock });
    const warnings = configuration.warnings.map((warning) => look('settings', warning));
    return {
      configuration,
      findings: warnings.length === 0 ? [well('settings', 'can be read')] : warnings,
    };
  } catch (error) {
    if (!String(fieldOf(error, 'name')).startsWith('ConfigurationError')) throw error;
    return { configuration: null, findings: [wrong('settings', messageOf(error))] };
  }
}

/** The files that hold secrets: `.env`, and those of the data directory. */
export function checkFileModes(dataDirectory: string): readonly Finding[] {
  const paths = [
    ...(existsSync('.env') ? ['.env'] : []),
    ...(existsSync(dataDirectory) ? [dataDirectory] : []),
    ...(filesOf(dataDirectory) ?? [])
      // Git keeps the directory by it; it holds nothing.
      .filter(({ name }) => name !== '.gitkeep')
      .map(({ name }) => join(dataDirectory, name)),
  ];
  const open = paths.flatMap((path) => {
    const mode = modeOpenToOthers(path);
    const make = path === dataDirectory ? 'chmod 700' : 'chmod 600';
    return mode === null ? [] : [`${path} is open to others (mode ${mode}): ${make} ${path}`];
  });
  // Git makes the directory of a clone open; a start makes it private before it writes anything into it.
  if (
    open.length === 1 &&
    open[0]?.startsWith(`${dataDirectory} is open`) &&
    isEmpty(dataDirectory)
  ) {
    return [
      look(
        'file modes',
        `${dataDirectory} is open to others, and empty: the gateway makes it private when it starts`,
      ),
    ];
  }
  if (open.length > 0) return open.map((detail) => wrong('file modes', detail));
  return [well('file modes', 'settings and data can be read by you alone')];
}

/** Whether it holds nothing but the file by which Git keeps it. */
const isEmpty = (directory: string): boolean =>
  readdirSync(directory).every((name) => name === '.gitkeep');

/** Below this, the gateway takes cancels and exits alone (docs/orders.md). */
const LEAST_FREE = 256 * 1024 * 1024;

export function checkDataDirectory(path: string): Finding {
  const what = 'data directory';
  if (!existsSync(path)) return look(what, `${path} is not there yet: the first start makes it`);
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return wrong(what, `${path} cannot be written: ${messageOf(error)}`);
  }
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const size = `${Math.round(free / 1024 / 1024).toLocaleString('en-IN')} MB free`;
  if (free < LEAST_FREE) return look(what, `${path}, only ${size}: free some space`);
  const key = existsSync(join(path, 'admin-key'))
    ? '; admin-key is still in it: write the key down, and delete the file'
    : '';
  return key === '' ? well(what, `${path}, ${size}`) : look(what, `${path}, ${size}${key}`);
}

/** Whether a gateway could listen there; only asked while none does. */
export async function checkPort(host: string, port: number | null, name: string): Promise<Finding> {
  const what = 'port';
  if (port === null) return skipped(what, `${name} is not set`);
  if (port === 0) return well(what, `${name}: any free one`);
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return well(what, `${port} of ${name} is free`);
  } catch (error) {
    const why =
      fieldOf(error, 'code') === 'EADDRINUSE' ? 'another program has it' : messageOf(error);
    return wrong(what, `${name} ${port}: ${why}: end that program, or set another port`);
  } finally {
    server.close();
  }
}
