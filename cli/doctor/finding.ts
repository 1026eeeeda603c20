/** What was looked at, and what was found. */
export interface Finding {
  readonly what: string;
  /** `wrong`: it does not work. `look`: it works, and may not be as you mean it. `skipped`: it could not be looked at. */
  readonly state: 'well' | 'look' | 'wrong' | 'skipped';
  /** What is found, and what to do about it. */
  readonly detail: string;
}

export const well = (what: string, detail: string): Finding => ({ what, state: 'well', detail });
export const look = (what: string, detail: string): Finding => ({ what, state: 'look', detail });
export const wrong = (what: string, detail: string): Finding => ({ what, state: 'wrong', detail });
export const skipped = (what: string, why: string): Finding => ({
  what,
  state: 'skipped',
  detail: why,
});

const MARKS = { well: 'ok  ', look: 'LOOK', wrong: 'FAIL', skipped: '-   ' } as const;

export const findingLine = ({ what, state, detail }: Finding): string =>
  `${MARKS[state]}  ${what.padEnd(16)}  ${detail}`;
