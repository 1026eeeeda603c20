import { z } from 'zod';
import type { Answer, AnswerMeta } from '../domain/answer.ts';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import type { EpochMs } from '../units/branded.ts';

/** What answers of several routes have, each field described once. */

/** Every time in a reply: ISO 8601 with +05:30. */
export const time = z.iso.datetime({ offset: true }).meta({
  id: 'Time',
  description: 'ISO 8601 with +05:30',
  example: '2026-11-23T09:15:00.000+05:30',
});

export function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : istIso(at);
}

/**
 * A broker in an answer. The schema allows any name, since an order outlives the instance that
 * placed it; the OpenAPI document has the configured names as examples (`createDocument`).
 */
export const brokerComponent = z
  .string()
  .meta({ id: 'Broker', description: 'A broker of the settings, or of earlier ones' });
export const answeringBroker = brokerComponent.meta({
  description: 'The broker at whose account it is: a name of the settings, or of earlier ones',
});
export const answeringMode = z.enum(MODES).meta({
  description:
    '`live`: an account with real money; `paper`: the account of the gateway itself, without',
});

/** A field that is always there, and one that may be null: with what it says, and what null means. */
export const text = (description: string) => z.string().meta({ description });
export const word = (description: string) => z.string().nullable().meta({ description });
export const words = (description: string) => z.array(z.string()).meta({ description });
export const number = (description: string) => z.number().meta({ description });
export const figure = (description: string) => z.number().nullable().meta({ description });
export const count = (description: string) => z.int().nonnegative().meta({ description });
export const flag = (description: string) => z.boolean().meta({ description });
export const at = (description: string) => time.meta({ description });
export const atOrNull = (description: string) => time.nullable().meta({ description });

export const instrumentShown = text(
  'The name of the instrument, exchange and symbol as in NSE:INFY',
);

/** The account of an order in an answer. */
export const accountSchema = z
  .object({ broker: answeringBroker, mode: answeringMode })
  .meta({ id: 'Account' });

/** Where an answer came from and how old it is. */
export const metaSchema = z
  .object({
    broker: answeringBroker,
    mode: answeringMode,
    source: z.string().meta({ description: 'The part of the broker that gave the answer' }),
    asOf: at('When the broker was asked for what the answer has'),
    ageMs: number('How long ago that was when the answer was written, in ms'),
  })
  .meta({ id: 'Meta' });

const DATA = 'What was asked for, or what the request has come to';

export function enveloped<T extends z.ZodType>(data: T, description = DATA) {
  const status = z
    .literal('success')
    .meta({ description: 'The same in each answer but a problem' });
  return z.object({ status, data: data.meta({ description }) });
}

export const ABOUT_ANSWER = { description: 'Where the answer comes from, and how old it is' };
export const ABOUT_PAGE = { description: 'Where the list goes on, and where it comes from' };
/** Of what was sent for want of a disk that takes it: `what` is a cancel, or a deletion. */
export const sentUnwritten = (what: string) =>
  z
    .literal(false)
    .optional()
    .meta({
      description:
        `False for ${what} that was sent although it could not be written to disk: after a restart ` +
        'the gateway does not know of it',
    });

export const ABOUT_ORDER = { description: 'The account that the answer is about' };

/** The envelope of a broker's answer. */
export function answered<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: metaSchema.meta(ABOUT_ANSWER) });
}

const nextCursor = z.string().nullable().meta({
  description: 'The cursor of the next page; null when this is the last one',
});

/** The envelope of one page of a list that no broker answers. */
export function pagedAlone<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: z.object({ nextCursor }).meta(ABOUT_PAGE) });
}

/** The envelope of one page of a list that a broker answers. */
export function paged<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: metaSchema.extend({ nextCursor }).meta(ABOUT_PAGE) });
}

/** The envelope of an answer about an order. */
export function accounted<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: accountSchema.meta(ABOUT_ORDER) });
}

/** The same, with how old what the gateway knows of the order is. */
export function datedOrder<T extends z.ZodType>(data: T) {
  const asOf = time.meta({
    description: "When the broker's order book was last read, or the order last changed, if later",
  });
  const ageMs = z.number().meta({ description: 'How long ago that was, in ms' });
  const meta = accountSchema.extend({ asOf, ageMs });
  return enveloped(data).extend({ meta: meta.meta(ABOUT_ANSWER) });
}

/** One page of a list about an order, with the same. */
export function pagedOfOrder<T extends z.ZodType>(data: T) {
  const { shape } = datedOrder(data);
  return enveloped(data).extend({ meta: shape.meta.extend({ nextCursor }).meta(ABOUT_PAGE) });
}

export function success(data: unknown, rest: Readonly<Record<string, unknown>> = {}) {
  return { status: 'success', data, ...rest };
}

export function answerBody<T>(answer: Answer<T>, view: (data: T) => unknown) {
  return success(view(answer.data), { meta: metaView(answer.meta) });
}

export function metaView(meta: AnswerMeta) {
  return {
    broker: meta.broker,
    mode: meta.mode,
    source: meta.broker,
    asOf: istIso(meta.asOf),
    ageMs: meta.ageMs,
  };
}
