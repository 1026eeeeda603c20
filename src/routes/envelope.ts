import { z } from 'zod';
import type { Answer, AnswerMeta } from '../domain/answer.ts';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { time } from './time.ts';

/**
 * A broker in an answer. The schema allows any name, since an order outlives the instance that
 * placed it; the OpenAPI document lists the configured names (`createDocument`).
 */
export const answeringBroker = z.string().meta({ description: 'A configured broker' });
export const answeringMode = z.enum(MODES);

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
    asOf: time,
    ageMs: z.number(),
  })
  .meta({ id: 'Meta' });

export function enveloped<T extends z.ZodType>(data: T) {
  return z.object({ status: z.literal('success'), data });
}

/** The envelope of a broker's answer. */
export function answered<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: metaSchema });
}

/** The envelope of one page of a list. */
export function paged<T extends z.ZodType>(data: T) {
  const nextCursor = z.string().nullable().meta({
    description: 'The cursor of the next page; null when this is the last one',
  });
  return enveloped(data).extend({ meta: metaSchema.extend({ nextCursor }) });
}

/** The envelope of an answer about an order. */
export function accounted<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: accountSchema });
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
