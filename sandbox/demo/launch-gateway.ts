import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromGateway } from './gateway-messages.ts';
import type { Life } from './keep-running.ts';

/** Beside this file, with its ending: TypeScript in a clone, JavaScript in the package. */
const ENTRY = fileURLToPath(new URL(`./gateway${extname(import.meta.url)}`, import.meta.url));

/** Starts the gateway in a process of its own. `environment` is all of that process's. */
export function launchGateway(environment: Readonly<Record<string, string>>): Life {
  const child = fork(ENTRY, {
    env: { ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const begun = new Promise<FromGateway>((resolve) => {
    child.on('message', (message) => {
      const read = messageOf(message);
      if (read !== null) resolve(read);
    });
    void ended.then((how) => resolve({ kind: 'failed', reason: `it ended by ${how}` }));
  });
  return {
    begun,
    ended,
    kill: () => void child.kill('SIGKILL'),
    stop: () => void (child.connected ? child.disconnect() : child.kill('SIGTERM')),
  };
}

function messageOf(message: unknown): FromGateway | null {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return null;
  const text = (name: string): string => String(Reflect.get(message, name));
  if (message.kind === 'listening') {
    return { kind: 'listening', url: text('url'), link: text('link') };
  }
  return message.kind === 'failed' ? { kind: 'failed', reason: text('reason') } : null;
}
