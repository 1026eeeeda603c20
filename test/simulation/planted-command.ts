import { parseArgs } from 'node:util';
import { playPlanted } from './plant.ts';
import { FOUND } from './planted-found.ts';
import { PLANTED_BUGS } from './planted.ts';
import { whole } from './terminal.ts';

/**
 * `npm run simulate -- --planted`: plays planted bugs and prints the first seed that finds each. With
 * `--seeds` and `--from` it plays those seeds instead of the known ones, `--bug TEXT` chooses by name.
 * Answers the exit code: 1 where one was not found.
 */
export async function runPlanted(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const options = { planted: { type: 'boolean' }, bug: text, seeds: text, from: text } as const;
  const { values } = parseArgs({ args, options });
  const from = whole('from', values.from, 1);
  const given =
    values.seeds === undefined
      ? null
      : Array.from({ length: whole('seeds', values.seeds, 1) }, (_, index) => from + index);
  let missed = 0;
  for (const bug of PLANTED_BUGS.filter(({ name }) => name.includes(values.bug ?? ''))) {
    const known = FOUND.get(bug.name);
    const seeds = given ?? known?.seeds ?? null;
    if (seeds === null) {
      process.stdout.write(`not shown to be found: ${bug.name}\n`);
      continue;
    }
    const run = await playPlanted(bug, known?.properties ?? [], seeds);
    // Without known properties, all that is broken is printed: a person says what the bug broke.
    const lines = known ? run.found : run.all;
    if (known && run.seed === null) missed += 1;
    const what = run.failure ?? lines[0] ?? 'nothing is broken';
    process.stdout.write(`${run.seed === null && known ? 'MISSED ' : ''}${bug.name}: ${what}\n`);
  }
  return missed === 0 ? 0 : 1;
}
