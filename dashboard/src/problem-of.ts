import { NoAnswerError, ProblemError } from '../../client/index.ts';
import { isSignedOut } from './follow-events.ts';

/** In words for people. Throws what is no answer of the gateway, and a sign-in that has ended. */
export function problemOf(error: unknown): string {
  if (isSignedOut(error)) throw error;
  if (error instanceof ProblemError) return error.problem.detail;
  if (error instanceof NoAnswerError) return 'the gateway did not answer';
  throw error;
}
