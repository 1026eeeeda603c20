import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type InstalledPackage, ROOT } from '../../packaging/support/installed-package.ts';
import type { ExampleLanguage } from './example-language.ts';
import { exampleLanguage } from './start-example.ts';

/** The examples in TypeScript, where the package is installed: they import it as other programs do. */
export function typescriptExamples(installed: () => InstalledPackage): ExampleLanguage {
  const directory = () => installed().directory;
  return exampleLanguage('TypeScript', directory, (name, options, words) => {
    const cwd = directory();
    cpSync(join(ROOT, 'examples/typescript'), join(cwd, 'examples'), { recursive: true });
    const given = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
    const args = [`examples/${name}.ts`, ...words, ...given];
    return { cwd, command: process.execPath, args };
  });
}
