import { z } from 'zod';
import { istIso, readableTime } from '../domain/ist.ts';
import { GatewayProblem, type ProblemFields } from '../domain/problem.ts';
import type { Session } from '../session/session.ts';
import {
  defineRoute,
  enveloped,
  html,
  json,
  type Reply,
  type Route,
  success,
  time,
  type WantedType,
} from './define-route.ts';
import { escapeHtml, htmlPage } from './html-page.ts';
import { problemOf } from './problems.ts';
import type { EpochMs } from '../units/branded.ts';
import { LOGGING_IN } from './declared-problems.ts';

/** Holds the one-time state of a login in progress, for the browser that started it. */
export const LOGIN_COOKIE = 'altbroker_login';
const COOKIE_SECONDS = 600;

/** A token or a state from the broker: it is sent to the exchange, or compared. */
const token = z.string().regex(/^[\x21-\x7e]{1,512}$/, 'takes 1 to 512 printable characters');

export interface LoginParts {
  readonly session: LoginSession | null;
  /** The answer when there is no session to log in to. */
  readonly noLogin: ProblemFields;
  /** The address at which browsers reach the gateway; https makes the cookie Secure. */
  readonly publicUrl: string | null;
}

export function loginRoutes({ session, noLogin, publicUrl }: LoginParts): readonly Route[] {
  const cookie = (value: string, seconds: number): string =>
    [
      `${LOGIN_COOKIE}=${value}`,
      'Path=/api/altbroker',
      `Max-Age=${seconds}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(publicUrl?.startsWith('https:') ? ['Secure'] : []),
    ].join('; ');

  return [
    defineRoute({
      method: 'GET',
      path: '/api/altbroker/login',
      only: 'navigation',
      pages: true,
      scope: 'none',
      operationId: 'logIn',
      tag: 'Session',
      summary: "Sends the browser to the alternative broker's login page",
      problems: ['no_broker', 'not_supported'],
      replies: {
        302: {
          description: 'Redirects to the login page, with a one-time state',
          headers: ['Location', 'Set-Cookie'],
        },
      },
      handler: ({ wants }) => {
        if (!session) return notLoggedIn(new GatewayProblem(noLogin), wants);
        const { url, state } = session.begin();
        const headers = { Location: url, 'Set-Cookie': cookie(state, COOKIE_SECONDS) };
        return { status: 302, headers, content: { kind: 'empty' } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/altbroker/callback',
      only: 'get',
      pages: true,
      scope: 'none',
      operationId: 'completeLogin',
      tag: 'Session',
      summary: 'Completes the login; the login page sends the browser here',
      // The broker adds its own parameters, so unknown ones are ignored.
      query: z.looseObject({
        request_token: token.optional().meta({ description: 'Is exchanged for the access token' }),
        status: token.optional().meta({ description: 'Must be `success`' }),
        state: token.optional().meta({ description: 'The one-time state of the login' }),
      }),
      problems: LOGGING_IN,
      replies: {
        200: {
          headers: ['Set-Cookie'],
          description: 'Logged in. An HTML page, or this with Accept: application/json',
          schema: enveloped(
            z.object({ userId: z.string().nullable(), expiresAt: time }).meta({ id: 'Login' }),
          ),
        },
      },
      handler: async ({ query, cookie: cookieNamed, wants }) => {
        try {
          if (!session) throw new GatewayProblem(noLogin);
          const done = await complete(session, {
            requestToken: query.request_token ?? null,
            status: query.status ?? null,
            state: query.state ?? null,
            cookieState: cookieNamed(LOGIN_COOKIE),
          });
          const { userId, expiresAt } = done;
          const reply =
            wants === 'json'
              ? json(200, success({ userId, expiresAt: istIso(expiresAt) }))
              : welcome(userId, expiresAt);
          return { ...reply, headers: { 'Set-Cookie': cookie('', 0) } };
        } catch (error) {
          return notLoggedIn(error, wants);
        }
      },
    }),
  ];
}

async function complete(session: LoginSession, callback: Parameters<LoginSession['complete']>[0]) {
  const refuse = (detail: string): GatewayProblem =>
    new GatewayProblem({ code: 'invalid_request', detail });
  if (callback.status === null) throw refuse('query.status: is required');
  if (callback.status !== 'success') {
    throw refuse('query.status: the broker did not report a successful login.');
  }
  if (callback.requestToken === null) throw refuse('query.request_token: is required');
  return session.complete(callback);
}

function welcome(userId: string | null, expiresAt: EpochMs): Reply {
  const who = userId === null ? '' : ` as <strong>${escapeHtml(userId)}</strong>`;
  const body =
    `<p>The gateway is logged in${who} until ${readableTime(expiresAt)}.</p>\n` +
    '<p>This page can be closed.</p>';
  return html(200, (nonce) => htmlPage('Logged in', body, nonce));
}

/**
 * A person gets the problem as a page with a link to try again; a program gets the problem
 * document.
 */
function notLoggedIn(error: unknown, wants: WantedType): Reply {
  if (wants !== 'html' || !(error instanceof GatewayProblem)) throw error;
  const { status, code, detail } = problemOf(error.fields, { requestId: '', method: 'GET' });
  const again =
    '<p><a href="/api/altbroker/login">Log in again</a>, under the same address as the ' +
    "redirect address in the broker's developer console.</p>";
  const body = `<p>${escapeHtml(detail)}</p>\n${code === 'no_broker' || code === 'not_supported' ? '' : again}`;
  return html(status, (nonce) => htmlPage('Not logged in', body, nonce));
}

/** What the HTTP routes need from a session. */
export type LoginSession = Pick<
  Session,
  'broker' | 'current' | 'check' | 'begin' | 'complete' | 'end'
>;
