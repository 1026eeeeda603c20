import { z } from 'zod';
import { SCOPE } from './key-schemas.ts';
import { SCOPES } from '../callers/caller.ts';
import type { NewSignIn, SignIns } from '../callers/sign-ins.ts';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { pageTokenOf, signInCookie } from './access.ts';
import {
  answeringBroker,
  defineRoute,
  enveloped,
  isoOrNull,
  json,
  type Route,
  success,
  time,
} from './define-route.ts';

/** The path of an address with a link; what is after `#` reaches no server, and so no log. */
export const linkPath = (token: string): string => `/#sign-in=${token}`;

const linkSchema = z
  .object({
    path: z.string().meta({
      description: 'Put the address of the gateway before it, and open it in a browser, once',
    }),
    until: time.meta({ description: 'When the link ends, used or not' }),
  })
  .meta({ id: 'SignInLink' });

const whoSchema = z.object({
  id: z.string().meta({ description: 'The id of the key' }),
  name: z.string().meta({ description: 'What people call the key' }),
  scope: z.enum(SCOPES).meta({ description: SCOPE }),
  broker: answeringBroker.nullable().meta({
    description: 'The only broker for its orders and portfolio; null for all',
  }),
  mode: z.enum(MODES).nullable().meta({
    description: 'The only mode of its orders, `live` or `paper`; null for both',
  }),
});
const whoShown = whoSchema.meta({ description: 'The key with which the person has signed in' });

const newSignInSchema = z
  .object({
    token: z.string().meta({
      description: 'The page sends it as Authorization: Bearer; without the cookie it is no use',
    }),
    until: time.meta({ description: 'When the sign-in ends' }),
    key: whoShown,
  })
  .meta({ id: 'NewSignIn' });

const signInSchema = z
  .object({
    key: whoShown,
    until: time.nullable().meta({ description: 'Null for a request with a key' }),
  })
  .meta({ id: 'SignIn' });

const signInBody = z.strictObject({
  link: z
    .string()
    .regex(/^abl_[0-9a-f]{64}$/, 'takes the token of a link, abl_ and 64 digits')
    .meta({
      description: 'What is after `#sign-in=` in the link',
      example: `abl_${'0a'.repeat(32)}`,
    }),
});

/** How a browser signs in to the dashboard, and out (docs/dashboard.md). */
export function signInRoutes(signIns: SignIns): readonly Route[] {
  const common = { tag: 'Dashboard', scope: 'read', problems: [] } as const;
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/v1/sign-in-links',
      operationId: 'createSignInLink',
      summary: 'A link that signs one browser in to the dashboard, as the key of this request',
      replies: {
        201: {
          description: 'The link, used once within ten minutes',
          schema: enveloped(linkSchema),
        },
      },
      handler: ({ caller }) => {
        const { token, until } = signIns.issueLink(caller);
        return json(201, success({ path: linkPath(token.reveal()), until: istIso(until) }));
      },
    }),
    defineRoute({
      ...common,
      scope: 'none',
      method: 'POST',
      path: '/api/v1/sign-ins',
      operationId: 'signIn',
      summary: 'Signs a browser in with a link; the page does so',
      problems: ['sign_in_link_used'],
      body: signInBody,
      replies: {
        201: {
          ...{ description: 'The browser is signed in', schema: enveloped(newSignInSchema) },
          headers: ['Set-Cookie'],
        },
      },
      handler: ({ body, host }) => {
        const made = signIns.redeem(body.link);
        if (made === null) throw linkUsed();
        return json(201, success(newSignInView(made)), { 'Set-Cookie': cookieText(host, made) });
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/api/v1/sign-in',
      operationId: 'getSignIn',
      summary: 'As whom this page, or this key, is known',
      replies: { 200: { description: 'Who asks', schema: enveloped(signInSchema) } },
      handler: ({ caller, authorization, host, cookie }) => {
        const token = pageTokenOf(authorization);
        const found = token === null ? null : signIns.find(token, cookie(signInCookie(host)));
        return json(200, success({ key: { ...caller }, until: isoOrNull(found?.until ?? null) }));
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/api/v1/sign-in',
      operationId: 'signOut',
      summary: 'Signs this browser out; a key stays as it is',
      replies: {
        200: {
          description: 'It is signed out',
          schema: enveloped(
            z.object({
              signedOut: z.boolean().meta({ description: 'Whether there was a sign-in to end' }),
            }),
          ),
          headers: ['Set-Cookie'],
        },
      },
      handler: ({ authorization, host }) => {
        const token = pageTokenOf(authorization);
        if (token !== null) signIns.end(token);
        const gone = `${signInCookie(host)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`;
        return json(200, success({ signedOut: token !== null }), { 'Set-Cookie': gone });
      },
    }),
  ];
}

const MS_OF_SECOND = 1_000;

function cookieText(host: string | undefined, { cookie, lastsMs }: NewSignIn): string {
  const seconds = Math.floor(lastsMs / MS_OF_SECOND);
  const value = `${signInCookie(host)}=${cookie.reveal()}`;
  return `${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
}

function newSignInView({ token, caller, until }: NewSignIn): z.output<typeof newSignInSchema> {
  return { token: token.reveal(), until: istIso(until), key: { ...caller } };
}

function linkUsed(): GatewayProblem {
  return new GatewayProblem({
    code: 'sign_in_link_used',
    detail:
      'The link was used already, is older than ten minutes, or its key no longer works: get another one ' +
      'by `npx altbroker-gateway open`.',
  });
}
