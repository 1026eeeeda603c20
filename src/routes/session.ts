import { z } from 'zod';
import { at, atOrNull, text, word } from './answer-parts.ts';
import type { BrokerId } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { GatewayProblem, type ProblemFields } from '../domain/problem.ts';
import { TOKEN_SOURCES, type SessionState } from '../session/session.ts';
import {
  defineRoute,
  enveloped,
  isoOrNull,
  json,
  problem,
  type Reply,
  type Route,
  success,
  time,
} from './define-route.ts';
import type { LoginSession } from './login.ts';

/** Holds no secret: anyone who reaches the gateway may read it. */
const statusSchema = z
  .object({
    state: z
      .enum(['absent', 'valid', 'expired'])
      .meta({ description: 'Whether there is an access token, and whether it still holds' }),
    userId: word('The user at the broker who has logged in; null where it is not known'),
    obtainedAt: atOrNull('When the token was obtained; null without one'),
    expiresAt: atOrNull('When the token ends; null without one'),
    source: z
      .enum(TOKEN_SOURCES)
      .nullable()
      .meta({ description: 'Where the gateway has the token from; null without one' }),
    verifiedAt: time.nullable().meta({ description: 'When the broker last accepted the token' }),
  })
  .meta({ id: 'SessionStatus' });

const tokenSchema = z
  .object({
    accessToken: text('The token as the broker takes it: it trades in your name until it ends'),
    userId: word('The user at the broker whose token it is; null where it is not known'),
    expiresAt: at('When the token ends'),
  })
  .meta({ id: 'AccessToken' });

const endSchema = z
  .object({
    ended: z.literal(true).meta({ description: 'The gateway does not use the token any more' }),
    persisted: z.boolean().meta({
      description:
        'False when the file could not be written: a restart may find the ' + 'token again',
    }),
    endedAtBroker: z.boolean().meta({
      description:
        'False when the broker could not be reached: it accepts the token until ' + '06:00 IST',
    }),
  })
  .meta({ id: 'SessionEnd' });

export function sessionRoutes(
  session: LoginSession | null,
  noLogin: ProblemFields,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/altbroker/status',
      scope: 'none',
      operationId: 'getSession',
      tag: 'Session',
      summary: 'Whether the gateway is logged in; tries the token at most once a minute',
      problems: [],
      replies: { 200: { description: 'The login', schema: enveloped(statusSchema) } },
      handler: async () => {
        // Whoever asks wants to know whether live orders can be placed; without a broker they cannot.
        const state: SessionState = session ? await session.check() : { state: 'absent' };
        return json(200, success(statusView(state)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/altbroker/token',
      scope: 'admin',
      operationId: 'getToken',
      tag: 'Session',
      summary: 'The access token in use: a secret',
      problems: ['no_token'],
      replies: { 200: { description: 'The token', schema: enveloped(tokenSchema) } },
      handler: () =>
        tokenReply(session?.current() ?? { state: 'absent' }, session?.broker ?? noLogin.broker),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/altbroker/token',
      scope: 'admin',
      operationId: 'endSession',
      tag: 'Session',
      summary: 'Ends the session at the broker and forgets the token everywhere',
      problems: ['no_broker', 'not_supported'],
      replies: {
        200: {
          description: 'The session has ended in the gateway; the fields say what else succeeded',
          schema: enveloped(endSchema),
        },
      },
      handler: async () => {
        if (!session) throw new GatewayProblem(noLogin);
        return json(200, success({ ended: true, ...(await session.end()) }));
      },
    }),
  ];
}

function statusView(state: SessionState): z.output<typeof statusSchema> {
  const none = { userId: null, obtainedAt: null, expiresAt: null, source: null, verifiedAt: null };
  switch (state.state) {
    case 'absent':
      return { ...none, state: 'absent' };
    case 'expired':
      return {
        ...none,
        state: 'expired',
        userId: state.userId,
        expiresAt: istIso(state.expiredAt),
      };
    case 'valid':
      return {
        state: 'valid',
        userId: state.userId,
        obtainedAt: isoOrNull(state.obtainedAt),
        expiresAt: istIso(state.expiresAt),
        source: state.source,
        verifiedAt: isoOrNull(state.verifiedAt),
      };
  }
}

function tokenReply(state: SessionState, broker: BrokerId | undefined): Reply {
  if (state.state !== 'valid') {
    const detail = `The token is ${state.state}: log in at /api/altbroker/login.`;
    return problem(404, {
      code: 'no_token',
      detail,
      ...(broker === undefined ? {} : { broker }),
    });
  }
  const { accessToken, userId, expiresAt } = state;
  return json(200, success({ accessToken, userId, expiresAt: istIso(expiresAt) }));
}
