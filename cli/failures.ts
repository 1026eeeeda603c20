import { NoAnswerError, ProblemError } from '../client/index.ts';
import { CommandFailed } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** How a command that did not end well is told. */
export interface Failure {
  readonly text: string;
  readonly json: unknown;
  readonly code: ExitCode;
}

/** Null for an error that nobody foresaw. */
export function failureOf(error: unknown, url: string): Failure | null {
  if (error instanceof ProblemError) return problemFailure(error, url);
  if (error instanceof NoAnswerError) return noAnswerFailure(error, url);
  if (!(error instanceof CommandFailed)) return null;
  return { text: error.message, json: { error: error.message }, code: error.code };
}

function problemFailure(error: ProblemError, url: string): Failure {
  const { problem, code, mayHaveExecuted, key } = error;
  const json = { problem };
  if (code === 'unauthorized') {
    const text = `${url} does not accept the key: ${problem.detail} (docs/command-line.md)`;
    return { text, json, code: EXIT.unreachable };
  }
  if (!mayHaveExecuted) return { text: `${problem.detail} (${code})`, json, code: EXIT.notDone };
  const again =
    key === null ? 'look before you do it again' : `to find out, do the same with --key '${key}'`;
  const text = `It is not known whether it was done: ${problem.detail} (${code}); ${again}`;
  return { text, json, code: EXIT.notKnown };
}

function noAnswerFailure({ reason, mayHaveExecuted, key }: NoAnswerError, url: string): Failure {
  const json = { error: { reason, mayHaveExecuted, key } };
  const why = {
    connection: `no gateway answers at ${url}`,
    timeout: `the gateway at ${url} did not answer in time`,
    unreadable: `what answers at ${url} is not this gateway`,
    aborted: 'it was interrupted',
  }[reason];
  if (!mayHaveExecuted) {
    const start = reason === 'connection' ? ': start it, or set APP_CLI_URL' : '';
    return { text: `${why}${start}`, json, code: EXIT.unreachable };
  }
  const again =
    key === null ? 'look before you do it again' : `to find out, do the same with --key '${key}'`;
  const text = `It is not known whether it was done, since ${why}: ${again}`;
  return { text, json, code: EXIT.notKnown };
}
