import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type InstalledPackage, ROOT } from '../../packaging/support/installed-package.ts';
import type { ExampleLanguage } from './describe-examples.ts';

/** The examples in TypeScript, where the package is installed: they import it as other programs do. */
export function typescriptExamples(installed: () => InstalledPackage): ExampleLanguage {
  return {
    language: 'TypeScript',
    directory: () => installed().directory,
    run(name, options, words, environment) {
      const { directory, run } = installed();
      cpSync(join(ROOT, 'examples/typescript'), join(directory, 'examples'), { recursive: true });
      const given = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
      return run(process.execPath, [`examples/${name}.ts`, ...words, ...given], environment);
    },
  };
}
