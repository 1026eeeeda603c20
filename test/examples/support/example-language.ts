import type { Ran } from '../../packaging/support/installed-package.ts';

/** An example that runs until it is stopped. */
export interface RunningExample extends AsyncDisposable {
  /** What it has written so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** How it has ended; null while it goes on. */
  readonly ran: Ran | null;
  /** Ends it as Ctrl-C does (SIGINT), or as a crash does (SIGKILL), and tells how it ended. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<Ran>;
}

/** The examples of one language. */
export interface ExampleLanguage {
  readonly language: string;
  /** Where the programs run; they write there. */
  directory(): string;
  /** Runs the program of this name: `place-and-watch` stands for it in each language. */
  run(
    name: string,
    args: Readonly<Record<string, string>>,
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<Ran>;
  /** Starts one that goes on until it is ended. */
  start(
    name: string,
    args: Readonly<Record<string, string>>,
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): RunningExample;
}
