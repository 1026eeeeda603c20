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
export const isForRunningDemo = ([first]: readonly string[]): boolean =>
  first === 'buy' || first === 'break';

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

/** Begins a run in the demo, prints its timeline as it happens, and returns what the process is to end with. */
export async function runDemoCommand(
  words: readonly string[],
  parts: CommandParts,
): Promise<ExitCode> {
  const { out, tell, wait } = parts;
  const name = ASKED[words.join(' ')];
  if (name === undefined) {
    tell(`demo: "${words.join(' ')}" is nothing that the demo can do: use one of ${LIST}`);
    return EXIT.usage;
  }
  try {
    let run = await begin(name, parts);
    if (typeof run === 'string') {
      tell(`demo: ${run}`);
      return EXIT.notDone;
    }
    out(run.title);
    for (let told = 0; ; await wait(LOOK_EVERY_MS)) {
      for (const line of run.lines.slice(told)) out(textOf(line));
      told = run.lines.length;
      if (run.state !== 'running') return end(run, parts);
      run = await newest(run, parts);
    }
  } catch (error) {
    // Only fetch fails in this way.
    if (!(error instanceof TypeError)) throw error;
    tell(
      `demo: no demo answers at ${parts.origin}: start one in another terminal with \`npx altbroker-gateway demo\``,
    );
    return EXIT.unreachable;
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

function end({ state, result }: RunRecord, { out, tell }: CommandParts): ExitCode {
  if (state === 'failed') {
    tell(`demo: ${result ?? 'another run has begun, and this one is not known any more'}`);
    return EXIT.notDone;
  }
  out(result ?? '');
  if (state === 'true') return EXIT.done;
  tell('demo: this is not what the gateway promises: keep the lines above, and report them');
  return EXIT.notDone;
}
