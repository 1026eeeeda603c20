import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { findPython, ROOT, runIn } from '../packaging/support/installed-package.ts';
import { describeExamples } from './support/describe-examples.ts';

const PYTHON = findPython();

/** Where the machine has no Python 3 with the package requests, these are skipped: nothing else of the project needs it. */
describe.skipIf(PYTHON === null)('where the machine has python3 with requests', () => {
  const directory = mkdtempSync(join(tmpdir(), 'abg-python-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  describeExamples({
    language: 'Python',
    directory: () => directory,
    run(name, { price, ...options }, words, environment) {
      const file = name === 'place-and-watch' ? 'place_order' : name.replaceAll('-', '_');
      const program = join(ROOT, 'examples/python', `${file}.py`);
      const given = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
      const all = [program, ...words, ...(price === undefined ? [] : [price]), ...given];
      return runIn(directory, PYTHON ?? '', ['-B', ...all], environment);
    },
  });
});
