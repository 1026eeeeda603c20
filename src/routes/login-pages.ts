import { readableTime } from '../domain/ist.ts';
import type { ProblemFields } from '../domain/problem.ts';
import type { SessionState } from '../session/session.ts';
import { escapeHtml, htmlPage } from './html-page.ts';

/**
 * The pages of the login (docs/spec/login.md, "The pages"): each says in one sentence what happened and what
 * to do, and has one button.
 */

type Page = (nonce: string) => string;

interface Button {
  readonly text: string;
  readonly href: string;
}

const LOG_IN: Button = { text: 'Log in', href: '/api/altbroker/login' };
const LOG_IN_AGAIN: Button = { ...LOG_IN, text: 'Log in again' };
const DASHBOARD: Button = { text: 'Open the dashboard', href: '/' };

/** What follows a login: the session as it is now, so that loading the page again changes nothing. */
export function sessionPage(state: SessionState): Page {
  if (state.state === 'valid') {
    return pageOf('Logged in', `The gateway is ${loggedIn(state)}.`, DASHBOARD);
  }
  const happened =
    state.state === 'expired'
      ? `The session ended at ${readableTime(state.expiredAt)}: log in again to trade at the broker.`
      : 'The gateway has no session: log in to trade at the broker.';
  return pageOf('Not logged in', escapeHtml(happened), LOG_IN);
}

/** Why there was no login, and what to do. A session that is still valid is told of as well. */
export function loginProblemPage(fields: ProblemFields, state: SessionState): Page {
  const { code } = fields;
  // Without a broker that has a login there is nothing to log in to.
  const button = code === 'no_broker' || code === 'not_supported' ? DASHBOARD : LOG_IN_AGAIN;
  const happened = escapeHtml(textOf(fields));
  if (state.state !== 'valid') return pageOf('Not logged in', happened, button);
  // Nothing is missing where an old address of a login is opened again, as a browser does that restores its tabs.
  const isOldAddress = fields.extra?.refusal === 'state';
  const still = `The gateway is still ${loggedIn(state)}.`;
  return pageOf(
    isOldAddress ? 'Already logged in' : 'This login did not succeed',
    `${happened}</p>\n<p>${still}`,
    isOldAddress ? DASHBOARD : button,
  );
}

/** What the address of the callback lacks is a matter of programs: a person is told how to go on. */
function textOf({ code, detail, errors }: ProblemFields): string {
  if (code === 'foreign_origin') {
    return 'A web page tried to begin a login by itself: begin it with the button.';
  }
  if (code === 'invalid_request' && errors !== undefined) {
    return 'The broker’s page sent the browser here with an unreadable answer: log in again.';
  }
  return detail;
}

/** HTML. */
function loggedIn({ userId, expiresAt }: Extract<SessionState, { state: 'valid' }>): string {
  const who = userId === null ? '' : ` as <strong>${escapeHtml(userId)}</strong>`;
  return `logged in${who} until ${readableTime(expiresAt)}`;
}

/** `happened` is HTML. */
function pageOf(title: string, happened: string, { text, href }: Button): Page {
  const body = `<p>${happened}</p>\n<p><a class="button" href="${href}">${text}</a></p>`;
  return (nonce) => htmlPage(title, body, nonce);
}
