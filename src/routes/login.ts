import { z } from 'zod';
import { at, word } from './answer-parts.ts';
import { istIso } from '../domain/ist.ts';
import { GatewayProblem, type ProblemFields } from '../domain/problem.ts';
import type { Session, SessionState } from '../session/session.ts';
import {
  defineRoute,
  enveloped,
  html,
  json,
  type ProblemPage,
  type Route,
  success,
} from './define-route.ts';
import { loginProblemPage, sessionPage } from './login-pages.ts';
import { LOGGING_IN } from './declared-problems.ts';

/** Holds the one-time state of a login in progress, for the browser that started it. */
export const LOGIN_COOKIE = 'altbroker_login';
const COOKIE_SECONDS = 600;
/** The page after a login. It has an address of its own, so that loading it again begins nothing. */
const DONE = '/api/altbroker/done';

/** A token or a state from the broker: it is sent to the exchange, or compared. */
const token = z.string().regex(/^[\x21-\x7e]{1,512}$/, 'takes 1 to 512 printable characters');

const loginSchema = z
  .object({
    userId: word('The user at the broker who has logged in; null where it is not known'),
    expiresAt: at('When the access token ends'),
  })
  .meta({ id: 'Login' });

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

  const state = (): SessionState => session?.current() ?? { state: 'absent' };
  const pages: ProblemPage = (fields) => loginProblemPage(fields, state());

  return [
    defineRoute({
      method: 'GET',
      path: '/api/altbroker/login',
      only: 'navigation',
      pages,
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
      handler: () => {
        if (!session) throw new GatewayProblem(noLogin);
        const { url, state: issued } = session.begin();
        const headers = { Location: url, 'Set-Cookie': cookie(issued, COOKIE_SECONDS) };
        return { status: 302, headers, content: { kind: 'empty' } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/altbroker/callback',
      only: 'get',
      pages,
      scope: 'none',
      operationId: 'completeLogin',
      tag: 'Session',
      summary: 'Completes the login; the login page sends the browser here',
      // The broker adds its own parameters, so unknown ones are ignored.
      query: z.looseObject({
        request_token: token.optional().meta({ description: 'Is exchanged for the access token' }),
        status: token.optional().meta({ description: 'Must be `success`', example: 'success' }),
        state: token.optional().meta({ description: 'The one-time state of the login' }),
      }),
      problems: LOGGING_IN,
      replies: {
        200: {
          headers: ['Set-Cookie'],
          description: 'Logged in, for a program: Accept names application/json',
          schema: enveloped(loginSchema),
        },
        303: {
          description: 'Logged in: a browser is sent to the page after the login',
          headers: ['Location', 'Set-Cookie'],
        },
      },
      handler: async ({ query, cookie: cookieNamed, wants }) => {
        if (!session) throw new GatewayProblem(noLogin);
        const { userId, expiresAt } = await complete(session, {
          requestToken: query.request_token ?? null,
          status: query.status ?? null,
          state: query.state ?? null,
          cookieState: cookieNamed(LOGIN_COOKIE),
        });
        const headers = { 'Set-Cookie': cookie('', 0) };
        if (wants === 'json') {
          return { ...json(200, success({ userId, expiresAt: istIso(expiresAt) })), headers };
        }
        return { status: 303, headers: { ...headers, Location: DONE }, content: { kind: 'empty' } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: DONE,
      scope: 'none',
      operationId: 'getLoginPage',
      tag: 'Session',
      summary: 'The page after a login: whose session there is, and until when',
      problems: [],
      replies: { 200: { description: 'A page', schema: z.string(), contentType: 'text/html' } },
      handler: () => html(200, sessionPage(state())),
    }),
  ];
}

async function complete(session: LoginSession, callback: Parameters<LoginSession['complete']>[0]) {
  const refuse = (detail: string): GatewayProblem =>
    new GatewayProblem({ code: 'invalid_request', detail });
  if (callback.status === null) {
    throw refuse(
      'This address is where the broker’s page sends the browser after a login, and it was opened without ' +
        'the result of one: log in.',
    );
  }
  if (callback.status !== 'success') {
    throw refuse(
      'The login was refused or cancelled at the broker’s page, and nothing has changed: log in ' +
        'again to trade at the broker.',
    );
  }
  if (callback.requestToken === null) {
    throw refuse('The broker’s page sent the browser back without a request token: log in again.');
  }
  return session.complete(callback);
}

/** What the HTTP routes need from a session. */
export type LoginSession = Pick<
  Session,
  'broker' | 'current' | 'check' | 'begin' | 'complete' | 'end'
>;
