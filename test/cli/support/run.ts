import type { Runtime } from '../../../client/index.ts';
import type { Outside } from '../../../cli/doctor/outside.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { runCommandLine } from '../../../cli/program.ts';
import { memoryEnvironment } from '../../../src/platform/environment.ts';
import { systemFiles } from '../../../src/platform/files.ts';

/** What a command has printed, and what it ended with. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly told: string;
  /** What the person was asked. */
  readonly asked: readonly string[];
  /** Addresses that were opened in the browser. */
  readonly browsed: readonly string[];
}

export interface RunOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** What the person answers to each question; without it nobody can be asked. */
  readonly answers?: readonly (string | null)[];
  /** Called instead of waiting. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly runtime?: Partial<Runtime>;
  /** Nothing outside is reached when absent. */
  readonly outside?: Outside;
}

/** Runs a command in this process, as a person would type it. */
export async function runCommand(words: string, options: RunOptions): Promise<Ran> {
  const { environment, answers, runtime } = options;
  const [out, told, asked, browsed]: string[][] = [[], [], [], []];
  const left = [...(answers ?? [])];
  const terminal: Terminal = {
    isInteractive: answers !== undefined,
    out: (line) => void out?.push(line),
    tell: (line) => void told?.push(line),
    ask: async (question) => (asked?.push(question), left.shift() ?? null),
    browse: async (url) => (browsed?.push(url), true),
    browseSecretly: async (url) => (browsed?.push(url), true),
  };
  const code = await runCommandLine(words.split(' '), {
    ...{ terminal, files: systemFiles, environment: memoryEnvironment(environment) },
    loadEnvironmentFile: () => null,
    outside: options.outside ?? {
      fetch: () => Promise.reject(new Error('no network')),
      now: Date.now,
    },
    wait: options.wait ?? (() => new Promise((resolve) => setImmediate(resolve))),
    ...(runtime === undefined ? {} : { runtime }),
  });
  return {
    ...{ code, out: (out ?? []).join('\n'), told: (told ?? []).join('\n') },
    ...{ asked: asked ?? [], browsed: browsed ?? [] },
  };
}
