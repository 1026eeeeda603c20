import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../../..');

/** One import, or one module (then `to` is `from`), that a rule of .dependency-cruiser.js forbids. */
export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Rule {
  readonly name: string;
  readonly comment?: string;
}

export interface Cruised {
  readonly rules: readonly Rule[];
  readonly violations: readonly Violation[];
  /** Every file that was checked, with what it imports. Paths are relative to the directory. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

interface Report {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
  readonly summary: {
    readonly violations: readonly { rule: { name: string }; from: string; to: string }[];
    readonly ruleSetUsed: { readonly forbidden: readonly Rule[] };
  };
}

/** Checks the imports of a directory by the rules of this repository. Rejects when it cannot. */
export async function cruise(directory: string, folders: readonly string[]): Promise<Cruised> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', join(root, '.dependency-cruiser.js'), '--output-type', 'json'],
      ...folders,
    ],
    { cwd: directory, maxBuffer: 256 * 1024 * 1024 },
  );
  const { modules, summary } = JSON.parse(stdout) as Report;
  return {
    rules: summary.ruleSetUsed.forbidden,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    imports: new Map(
      modules.map(({ source, dependencies }) => [source, dependencies.map((to) => to.resolved)]),
    ),
  };
}
