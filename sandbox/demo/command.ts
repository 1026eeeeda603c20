import { z } from 'zod';
import { EXIT, type ExitCode } from '../../cli/exit-codes.ts';
import type { Fetch } from './naive-script.ts';
import { type RunName, type RunRecord, runRecord, type TimelineLine } from './run-record.ts';

/** The words of the command line that ask a demo in another terminal for something. */
const ASKED: Readonly<Record<string, RunName>> = {
  buy: 'buy',
  'break hang_after': 'hang_after',
  'break kill': 'kill',
};
const LIST = Object.keys(ASKED).join(', ');

/** Whether the words are for a demo that runs, and not settings of one that is to start. */
export const isForRunningDemo = (words: readonly string[]): boolean =>
  words.includes('buy') || words.includes('break');

export interface CommandParts {
  /** Where the controls of the demo are. */
  readonly origin: string;
  readonly fetch: Fetch;
  readonly wait: (ms: number) => Promise<void>;
  /** A line of the result. */
  readonly out: (line: string) => void;
  /** A line beside it: what is wrong. */
  readonly tell: (line: string) => void;
}

const LOOK_EVERY_MS = 200;

/**
 * Begins a run in the demo, prints its timeline as it happens, and returns what the process is to end with. With
 * `--json` among the words it prints the whole run at its end, or `{"error": …}`.
 */
export async function runDemoCommand(
  words: readonly string[],
  parts: CommandParts,
): Promise<ExitCode> {
  const isJson = words.includes('--json');
  const { wait } = parts;
  const out = (line: string): void => {
    if (!isJson) parts.out(line);
  };
  const failed = (why: string, code: ExitCode): ExitCode => {
    if (isJson) parts.out(JSON.stringify({ error: why }, null, 2));
    parts.tell(`demo: ${why}`);
    return code;
  };
  const asked = words.filter((word) => word !== '--json').join(' ');
  const name = ASKED[asked];
  if (name === undefined)
    return failed(`"${asked}" is nothing that the demo can do: use one of ${LIST}`, EXIT.usage);
  try {
    let run = await begin(name, parts);
    if (typeof run === 'string') return failed(run, EXIT.notDone);
    out(run.title);
    for (let told = 0; ; run = await newest(run, parts)) {
      for (const line of run.lines.slice(told)) out(textOf(line));
      told = run.lines.length;
      if (run.state !== 'running') break;
      await wait(LOOK_EVERY_MS);
    }
    if (run.state === 'failed') {
      const lost = 'another run has begun, and this one is not known any more';
      return failed(run.result ?? lost, EXIT.notDone);
    }
    if (isJson) parts.out(JSON.stringify({ data: run }, null, 2));
    else out(run.result ?? '');
    if (run.state === 'true') return EXIT.done;
    parts.tell(
      'demo: this is not what the gateway promises: keep the lines above, and report them',
    );
    return EXIT.notDone;
  } catch (error) {
    // Only fetch fails in this way.
    if (!(error instanceof TypeError)) throw error;
    const start = 'start one in another terminal with `npx altbroker-gateway demo`';
    return failed(`no demo answers at ${parts.origin}: ${start}`, EXIT.unreachable);
  }
}

const begun = z.object({ run: runRecord });
const refused = z.object({ message: z.string() });
const state = z.object({ run: runRecord.nullable() });

/** The run that has begun, or a sentence that says why none has. */
async function begin(name: RunName, { origin, fetch }: CommandParts): Promise<RunRecord | string> {
  const reply = await fetch(`${origin}/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ run: name }),
  });
  const answer: unknown = await reply.json();
  return reply.status === 202 ? begun.parse(answer).run : refused.parse(answer).message;
}

/** The same run as it stands now. */
async function newest(before: RunRecord, { origin, fetch }: CommandParts): Promise<RunRecord> {
  const { run } = state.parse(await (await fetch(`${origin}/demo`)).json());
  return run?.id === before.id ? run : { ...before, state: 'failed', result: null };
}

const SIDES = { script: 'naive script', gateway: 'through the gateway', demo: '' } as const;

function textOf({ at, side, kind, text }: TimelineLine): string {
  const time = at.slice(11, 23);
  return side === 'demo'
    ? `${time}  ${text}`
    : `${time}  ${SIDES[side].padEnd(19)}  ${kind.padEnd(10)}  ${text}`;
}
