import { spawn } from 'node:child_process';
import { runIn, type Ran } from '../../packaging/support/installed-package.ts';
import type { ExampleLanguage, RunningExample } from './example-language.ts';

/** How a language starts one of its examples. */
export interface ExampleCommand {
  readonly cwd: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A language of the examples, by the command that starts one of them. */
export function exampleLanguage(
  language: string,
  directory: () => string,
  commandOf: (
    name: string,
    options: Readonly<Record<string, string>>,
    words: readonly string[],
  ) => ExampleCommand,
): ExampleLanguage {
  return {
    ...{ language, directory },
    run(name, options, words, environment) {
      const { cwd, command, args } = commandOf(name, options, words);
      return runIn(cwd, command, args, environment);
    },
    start(name, options, words, environment) {
      return startExample(commandOf(name, options, words), environment);
    },
  };
}

function startExample(
  { cwd, command, args }: ExampleCommand,
  environment: Readonly<Record<string, string>>,
): RunningExample {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...environment } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout, stderr, code: code ?? 1 }));
  });
  let ran: Ran | null = null;
  // A command that is not there is told by `end`.
  void ended.then(
    (done) => (ran = done),
    () => undefined,
  );
  return {
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    get ran() {
      return ran;
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
