import { setTimeout as wait } from 'node:timers/promises';
import { isLocalCommand } from './local-commands.ts';

/** The command `altbroker-gateway`: docs/command-line.md. Only what a command needs is loaded. */
const [, , word] = process.argv;

if (word === 'demo') {
  process.argv.splice(2, 1);
  await import('../sandbox/demo/main.ts');
} else if (isLocalCommand(word)) {
  if (word === 'start') process.argv.splice(2, 1);
  await import('../src/main.ts');
} else {
  const { runCommandLine } = await import('./program.ts');
  const { systemTerminal: terminal } = await import('./terminal.ts');
  const { systemEnvironment: environment, loadEnvironmentFile } =
    await import('../src/platform/environment.ts');
  const { checkEnvironmentFile } = await import('../src/config/environment-file.ts');
  const { systemFiles: files } = await import('../src/platform/files.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    ...{ terminal, environment, files },
    loadEnvironmentFile: () =>
      loadEnvironmentFile('.env', (text) => checkEnvironmentFile('.env', text)),
    wait: (ms) => wait(ms),
    outside: { fetch: (input, init) => fetch(input, init), now: () => Date.now() },
  });
}
