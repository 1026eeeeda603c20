import { z } from 'zod';
import { atOrNull, flag, text, word } from './answer-parts.ts';
import { allows, type Caller, type KeyRecord } from '../callers/caller.ts';
import type { Callers } from '../callers/callers.ts';
import { istIso } from '../domain/ist.ts';
import type { Gateway, KillSwitchState } from '../router/gateway.ts';
import { mustAllow } from './access.ts';
import { defineRoute, enveloped, isoOrNull, json, type Route, success } from './define-route.ts';
import { stopFields } from './key-schemas.ts';
import { NEVER } from './no-pattern.ts';

/** What answers tell of the kill switch, wherever they do. */
export const killSwitchFields = {
  engaged: flag('Whether orders that open a position are refused; ways out pass all the same'),
  reason: word('Why it was engaged or released last, for people; null where it never was'),
  changedAt: atOrNull('When that was; null where it never was'),
};

const killSwitchSchema = z
  .object({
    engaged: killSwitchFields.engaged,
    thrown: z.boolean().meta({ deprecated: true, description: 'Former name of `engaged`' }),
    reason: killSwitchFields.reason,
    changedAt: killSwitchFields.changedAt,
    onDisk: z.boolean().meta({
      description:
        'False while an engaged switch could not be written yet: it holds until a restart',
    }),
    changedBy: z.string().nullable().meta({
      description: 'Id of the key that changed it last; null for the gateway itself',
    }),
    stoppedKeys: z
      .array(
        z.object({
          id: text('The id of the key'),
          name: text('What people call the key'),
          ...stopFields,
        }),
      )
      .meta({
        description:
          'Keys whose own kill switch is engaged; for a key that is not an admin, itself alone',
      }),
  })
  .meta({ id: 'KillSwitch' });

/** Why a switch is engaged or released. */
// Ranges in place of a class: not every language that reads the document has classes of Unicode.
export const reason = z
  .string()
  .regex(/^[^\x00-\x1f\x7f-\x9f]{1,200}$/, 'takes 1 to 200 characters')
  .meta({ description: 'For people; like every text of a body, printable characters alone' });

/** `thrown` is the former name of `engaged`; one of them is required, and they must not differ. */
const changeSchema = z
  .strictObject({
    engaged: z.boolean().optional().meta({
      description:
        'True refuses orders that open a position from now on; false lets them pass, for an admin key',
    }),
    thrown: z.boolean().optional().meta({ deprecated: true, description: 'See `engaged`' }),
    reason,
  })
  .check((context) => {
    const { engaged, thrown } = context.value;
    const isMissing = engaged === undefined && thrown === undefined;
    if (!isMissing && (engaged ?? thrown) === (thrown ?? engaged)) return;
    const message = isMissing
      ? 'is required'
      : 'differs from thrown, its former name: send only engaged';
    context.issues.push({ code: 'custom', message, path: ['engaged'], input: context.value });
  })
  .meta({
    id: 'KillSwitchChange',
    description: '`engaged` is required; `thrown`, its former name, is taken in its place',
    example: { engaged: true, reason: 'The strategy misbehaves' },
    override: {
      oneOf: [
        { required: ['engaged'], properties: { thrown: NEVER } },
        { required: ['thrown'], properties: { engaged: NEVER } },
        ...[true, false].map((value) => ({
          required: ['engaged', 'thrown'],
          properties: { engaged: { const: value }, thrown: { const: value } },
        })),
      ],
    },
  });

const replies = {
  200: { description: 'The state of the kill switch', schema: enveloped(killSwitchSchema) },
};

export function killSwitchRoutes(gateway: Gateway, keys: Pick<Callers, 'list'>): readonly Route[] {
  const path = '/api/v1/kill-switch';
  return [
    defineRoute({
      method: 'GET',
      path,
      scope: 'read',
      operationId: 'getKillSwitch',
      tag: 'Safety',
      summary: 'Whether new orders are refused, and why',
      problems: [],
      replies,
      handler: ({ caller }) =>
        json(200, success(view(gateway.getKillSwitch(), keys.list(), caller))),
    }),
    defineRoute({
      method: 'POST',
      path,
      scope: 'trade',
      operationId: 'setKillSwitch',
      tag: 'Safety',
      summary:
        'Engages or, with an admin key, releases the kill switch; cancels and orders that only reduce a ' +
        'position always pass',
      body: changeSchema,
      problems: ['forbidden', 'journal_unavailable'],
      replies,
      handler: async ({ body, caller }) => {
        const context = { caller: caller.id, idempotencyKey: null };
        const engaged = body.engaged ?? body.thrown === true;
        // Whoever may trade can stop trading; only the owner lets it begin again.
        if (!engaged) mustAllow(caller, 'admin', 'releasing the kill switch');
        const state = await gateway.setKillSwitch(engaged, body.reason, context);
        return json(200, success(view(state, keys.list(), caller)));
      },
    }),
  ];
}

function view(
  state: KillSwitchState,
  keys: readonly KeyRecord[],
  caller: Caller,
): z.output<typeof killSwitchSchema> {
  const stoppedKeys = keys.flatMap(({ id, name, stopped, revokedAt }) =>
    stopped !== null && revokedAt === null && (allows(caller.scope, 'admin') || id === caller.id)
      ? [{ id, name, reason: stopped.reason, at: istIso(stopped.at), by: stopped.by }]
      : [],
  );
  return {
    engaged: state.engaged,
    thrown: state.engaged,
    reason: state.reason,
    changedAt: isoOrNull(state.changedAt),
    changedBy: state.changedBy,
    onDisk: state.onDisk,
    stoppedKeys,
  };
}
