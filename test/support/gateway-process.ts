import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ADMIN_KEY, type Stage } from './served.ts';
import { createSocketClient, type SocketClient } from './socket-client.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A gateway in a process of its own, as a user starts it. */
export interface GatewayProcess extends AsyncDisposable {
  readonly pid: number;
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly client: SocketClient;
  /** What it has written to its error output. */
  errors(): string;
  /** What it has written to its log, as JSON lines. */
  log(): string;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): void;
  /** Resolves when it is gone. */
  readonly exited: Promise<Exit>;
}

/** A start that came to nothing. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
  readonly exit: Exit;
  readonly errors: string;

  constructor(exit: Exit, errors: string) {
    super(`the gateway ended before it listened (${exit.code ?? exit.signal}): ${errors}`);
    this.exit = exit;
    this.errors = errors;
  }
}

/**
 * Resolves once it listens; rejects with StartFailed when it ends before. `within` is a command that runs
 * the one that follows it, such as `nsenter` with its options.
 */
export async function startGateway(
  stage: Stage,
  more: Readonly<Record<string, string>> = {},
  within: readonly string[] = [],
): Promise<GatewayProcess> {
  const [command = process.execPath, ...args] = [
    ...within,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    MAIN,
  ];
  const child = spawn(command, args, {
    // No .env of anybody's is read from here.
    cwd: stage.dataDirectory,
    env: { ...stage.environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  let log = '';
  const listening = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const address = /"address":"([^"]+)","msg":"listening"/.exec(log)?.[1];
      if (address) resolve(address);
    });
  });
  const first = await Promise.race([listening, exited]);
  if (typeof first !== 'string') throw new StartFailed(first, errors);
  return {
    pid: child.pid!,
    url: first,
    client: createSocketClient(first, ADMIN_KEY),
    errors: () => errors,
    log: () => log,
    kill: (signal) => void child.kill(signal),
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
