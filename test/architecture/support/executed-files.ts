import { Session, type Profiler } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './cruise.ts';

/** Reports, by V8's precise coverage, which source files execute while a function runs. */
export interface ExecutedFiles extends Disposable {
  /**
   * The files of `src/` of which at least one function was called while `run` ran, by path. The
   * statements that V8 runs when it loads a file count as no function.
   */
  during(run: () => Promise<void>): Promise<string[]>;
}

export async function watchExecutedFiles(): Promise<ExecutedFiles> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async during(run) {
      // Taking the counts sets them to 0.
      await session.post('Profiler.takePreciseCoverage');
      await run();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return result.flatMap(executedFile).sort();
    },
    [Symbol.dispose]: () => session.disconnect(),
  };
}

function executedFile({ url, functions }: Profiler.ScriptCoverage): string[] {
  if (!url.startsWith('file:')) return [];
  const path = relative(root, fileURLToPath(url));
  if (!path.startsWith('src/')) return [];
  const called = functions.some(
    ({ functionName, ranges: [whole] }) =>
      whole !== undefined && whole.count > 0 && (functionName !== '' || whole.startOffset > 0),
  );
  return called ? [path] : [];
}
