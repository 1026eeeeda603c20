import type { Session } from '../session/session.ts';

/** What the HTTP routes need from a session. */
export type LoginSession = Pick<
  Session,
  'broker' | 'current' | 'check' | 'begin' | 'complete' | 'end'
>;
