import { z } from 'zod';
import { at, figure, instrumentShown, number, text, word } from './answer-parts.ts';
import { istIso } from '../domain/ist.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Gateway } from '../router/gateway.ts';
import { mustAllow } from './access.ts';
import {
  answerBody,
  answered,
  answeringBroker,
  answeringMode,
  type BrokerInputs,
  defineRoute,
  enveloped,
  json,
  type Route,
  success,
} from './define-route.ts';
import { ACCOUNT_READS } from './declared-problems.ts';
import { keyParams, type KeyRegistry } from './keys.ts';
import { productShown } from './order-fields.ts';
import { positionSchema } from './portfolio-schemas.ts';
import { positionView } from './portfolio-views.ts';

const account = z
  .string()
  .nullable()
  .meta({ description: 'The user at the broker; null where it is not known', example: 'AB1234' });
const day = z.iso.date().meta({ description: 'The trading day, from 06:00 IST to 06:00' });
export const uncertainOrders = z.array(z.string()).meta({
  description:
    'Orders and triggers of which it is not known how much they have filled: the positions may lack that',
  example: [],
});

const keyAccountSchema = z
  .object({
    key: z.string().meta({ description: 'The id of the key' }),
    day,
    positions: z
      .array(positionSchema.extend({ broker: answeringBroker, mode: answeringMode, account }))
      .meta({
        description:
          "What the key's orders have bought and sold, by account, instrument and product",
      }),
    realisedPnl: figure('Rupees, of what was closed today; null where a price of it is not known'),
    unrealisedPnl: figure(
      'Rupees, of what is open, since it was opened; null where a price of it is not known',
    ),
    pnl: figure('The sum of both; null where one is. Charges are in none of the figures'),
    prices: z
      .object({ asOf: at('When it was read'), ageMs: number('How long ago that was, in ms') })
      .nullable()
      .meta({ description: 'The oldest of the last prices; null where none is used' }),
    uncertainOrders,
  })
  .meta({ id: 'KeyAccount' });

const whole = z.int();
const comparisonSchema = z
  .object({
    day,
    account,
    positions: z
      .array(
        z
          .object({
            instrument: instrumentShown,
            product: productShown,
            keys: z
              .array(
                z.object({
                  key: text('The id of the key'),
                  name: word('The name of the key; null where there is no such key now'),
                  quantity: whole.meta({ description: 'Shares or units, negative when short' }),
                }),
              )
              .meta({ description: 'What each key holds of it by its own orders' }),
            ofKeys: whole.meta({ description: 'The sum of the keys' }),
            elsewhereToday: whole.nullable().meta({
              description: 'Bought less sold today by orders placed elsewhere; null: not told',
            }),
            elsewhereBefore: z.number().nullable().meta({
              description: 'Carried over from earlier days and of no key; null: cannot be told',
            }),
            broker: z.number().nullable().meta({
              description:
                "The broker's position, with the holdings for delivery; null where a row that cannot be read may be of it",
            }),
            difference: z.number().nullable().meta({
              description: 'What the broker has more than all of these; null: cannot be told',
              example: 0,
            }),
          })
          .meta({ id: 'ComparedPosition' }),
      )
      .meta({ description: 'Each instrument and product that a key or the account holds' }),
    uncertainOrders,
    unread: z
      .array(
        z
          .object({
            list: z
              .enum(['orders', 'positions', 'holdings'])
              .meta({ description: 'Which list of the broker has the row' }),
            instrument: word('The instrument of the row, where it can be read'),
            product: word('The product of the row, where it can be read'),
            reason: text('What is wrong with the row, for people'),
          })
          .meta({ id: 'ComparedUnread' }),
      )
      .meta({
        description:
          'Rows of the account that cannot be read: figures that they may change are null',
      }),
  })
  .meta({ id: 'PositionComparison' });

/** What each key holds, and whether that is all that the broker has (docs/keys.md). */
export function keyPositionRoutes(
  gateway: Gateway,
  keys: Pick<KeyRegistry, 'list'>,
  { readQuery }: BrokerInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/keys/{id}/positions',
      scope: 'read',
      operationId: 'getKeyPositions',
      tag: 'Keys',
      summary: 'Positions and profit of one key, for admins; `me` for the key of the request',
      params: keyParams,
      problems: ['forbidden', 'unknown_key'],
      replies: {
        200: { description: 'Positions and profit', schema: enveloped(keyAccountSchema) },
      },
      handler: async ({ params: { id }, caller }) => {
        const key = id === 'me' ? caller.id : id;
        if (key !== caller.id) mustAllow(caller, 'admin', 'another key');
        if (!keys.list().some((each) => each.id === key)) {
          throw new GatewayProblem({ code: 'unknown_key', detail: `no key has the id ${key}` });
        }
        const {
          positions,
          prices,
          uncertainOrders: doubts,
          ...rest
        } = await gateway.getKeyAccount(key);
        return json(
          200,
          success({
            ...rest,
            positions: positions.map(({ position, ...of }) => ({
              ...of,
              ...positionView(position),
            })),
            prices: prices && { ...prices, asOf: istIso(prices.asOf) },
            uncertainOrders: [...doubts],
          }),
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/positions/by-key',
      scope: 'admin',
      operationId: 'comparePositions',
      tag: 'Keys',
      summary:
        "What all keys hold at one account, what is of none, and what differs from the broker's positions",
      query: readQuery.omit({ maxAgeMs: true }),
      problems: ACCOUNT_READS,
      replies: {
        200: { description: 'Each instrument and product', schema: answered(comparisonSchema) },
      },
      handler: async ({ query }) => {
        const names = new Map(keys.list().map(({ id, name }) => [id, name]));
        return json(
          200,
          answerBody(await gateway.comparePositions(query), (found) => ({
            ...found,
            positions: found.positions.map((position) => ({
              ...position,
              keys: position.keys.map(({ caller, quantity }) => ({
                ...{ key: caller, name: names.get(caller) ?? null, quantity },
              })),
            })),
            uncertainOrders: [...found.uncertainOrders],
            unread: [...found.unread],
          })),
        );
      },
    }),
  ];
}
