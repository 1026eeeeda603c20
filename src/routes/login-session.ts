import type { Session } from '../session/session.ts';

/** What the HTTP face needs of a session. */
export type LoginSession = Pick<Session, 'current' | 'check' | 'begin' | 'complete' | 'end'>;
