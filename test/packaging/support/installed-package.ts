import { execFile, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

export const ROOT = join(import.meta.dirname, '../../..');
const NODE_FOLDER = dirname(process.execPath);

/** A program in a directory of its own, in which the packed package is installed as any other. */
export interface InstalledPackage extends Disposable {
  readonly directory: string;
  /** The paths in the package. */
  readonly files: readonly string[];
  readonly bytes: number;
  write(path: string, text: string): void;
  /** Runs a program there. Rejects where it fails, with what it wrote. */
  run(
    command: string,
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<Ran>;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

const packed = z
  .array(
    z.object({
      filename: z.string(),
      size: z.number(),
      files: z.array(z.object({ path: z.string() })),
    }),
  )
  .length(1);

/** Packs this repository, which builds it first, and installs the package from the usual registry. */
export async function installPackage(): Promise<InstalledPackage> {
  const directory = mkdtempSync(join(tmpdir(), 'abg-installed-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const out = await runIn(ROOT, 'npm', ['pack', '--json', '--pack-destination', directory]);
    mustSucceed(out, 'npm pack');
    const [pack] = packed.parse(JSON.parse(out.stdout.slice(out.stdout.indexOf('[\n'))));
    if (pack === undefined) throw new Error('npm pack tells of no package');
    writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }\n');
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    mustSucceed(
      await runIn(directory, 'npm', ['install', ...flags, `./${pack.filename}`]),
      'npm install',
    );
    return {
      directory,
      files: pack.files.map(({ path }) => path),
      bytes: pack.size,
      write: (path, text) => writeFileSync(join(directory, path), text),
      run: (command, args, environment) => runIn(directory, command, args, environment),
      [Symbol.dispose]: remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

export function mustSucceed({ code, stdout, stderr }: Ran, what: string): void {
  if (code !== 0) throw new Error(`${what} has ended with ${code}: ${stderr}${stdout}`);
}

export async function runIn(
  cwd: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = {
    ...process.env,
    // The Node that runs the tests, before that of the machine.
    PATH: [NODE_FOLDER, process.env.PATH ?? ''].join(delimiter),
    ...environment,
  };
  const ran = promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1_024 * 1_024 });
  return ran.then(
    (done) => ({ ...done, code: 0 }),
    (error: { code?: unknown; stdout?: string; stderr?: string }) => ({
      ...{ stdout: error.stdout ?? '', stderr: error.stderr ?? String(error) },
      code: typeof error.code === 'number' ? error.code : 1,
    }),
  );
}

/** The first program of this name on PATH for which `isFit` holds; null when there is none. */
function findOnPath(name: string, isFit: (path: string) => boolean): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
    } catch {
      continue;
    }
    if (isFit(path)) return path;
  }
  return null;
}

/** A Node 20 to 23 of the machine, which runs the client and not the gateway; null when there is none. */
export function findOlderNode(): string | null {
  return findOnPath('node', (path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)\./.exec(stdout)?.[1]);
    return major >= 20 && major < 24;
  });
}

/** A Python 3 that has the package requests; null when there is none. */
export function findPython(): string | null {
  return findOnPath('python3', (path) => {
    return spawnSync(path, ['-c', 'import requests'], { stdio: 'ignore' }).status === 0;
  });
}
