import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isOpenCode, PROBLEM_CODES, type ProblemFields } from '../../src/domain/problem.ts';
import { problemOf } from '../../src/routes/problems.ts';

interface Row {
  readonly status: number;
  readonly executed: string;
  readonly retry: string;
}

/** The rows of the tables of docs/problems.md, by code. */
function rowsOf(text: string): readonly (readonly [code: string, row: Row])[] {
  return text.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const code = /^`(\w+)`$/.exec(cells[1] ?? '')?.[1];
    if (code === undefined) return [];
    const [, , status, , executed = '', retry = ''] = cells;
    return [[code, { status: Number(status), executed, retry }] as const];
  });
}

const page = readFileSync(new URL('../../docs/problems.md', import.meta.url), 'utf8');
const rows = rowsOf(page);
const statusOf = (code: (typeof PROBLEM_CODES)[number]): number =>
  problemOf({ code, detail: '' } as ProblemFields, { requestId: 'r', method: 'POST' }).status;

describe('docs/problems.md', () => {
  it('has a row for each code, once, and for nothing else', () => {
    expect(rows.map(([code]) => code).sort()).toEqual([...PROBLEM_CODES].sort());
  });

  it.each(PROBLEM_CODES)('says of %s its status, and whether it may have executed', (code) => {
    const row = rows.find(([each]) => each === code)?.[1];
    expect(row).toEqual({
      status: statusOf(code),
      executed: isOpenCode(code) ? 'perhaps' : 'no',
      retry: isOpenCode(code) ? 'if `mayHaveExecuted` is false' : 'yes',
    });
  });

  it('has what to do in each row', () => {
    const short = page
      .split('\n')
      .filter((line) => /^\| `\w+`/.test(line))
      .filter((line) => (line.split('|')[6]?.trim() ?? '').length < 6);
    expect(short).toEqual([]);
  });
});
