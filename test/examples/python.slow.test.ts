import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { findPython, ROOT } from '../packaging/support/installed-package.ts';
import { describeExamples } from './support/describe-examples.ts';
import { describeNeverPolls } from './support/describe-never-polls.ts';
import { describePriceAlarm } from './support/describe-price-alarm.ts';
import { describeStoppedStrategy } from './support/describe-stopped-strategy.ts';
import { exampleLanguage } from './support/start-example.ts';

const PYTHON = findPython();

/** Where the machine has no Python 3 with the package requests, these are skipped: nothing else of the project needs it. */
describe.skipIf(PYTHON === null)('where the machine has python3 with requests', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'abg-python-'));
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));
  const python = exampleLanguage(
    'Python',
    () => cwd,
    (name, { price, ...options }, words) => {
      const file = name === 'place-and-watch' ? 'place_order' : name.replaceAll('-', '_');
      const program = join(ROOT, 'examples/python', `${file}.py`);
      const given = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
      const all = [program, ...words, ...(price === undefined ? [] : [price]), ...given];
      return { cwd, command: PYTHON ?? '', args: ['-B', ...all] };
    },
  );
  describeExamples(python);
  describeNeverPolls(python);
  describeStoppedStrategy(python);
  describePriceAlarm(python);
});
