import { z } from 'zod';
import type { Answer, AnswerMeta } from '../domain/answer.ts';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { time } from './time.ts';

/**
 * A broker in an answer. Any name is let through, since an order outlives the instance that it was
 * placed with; the document lists the configured ones (`createDocument`).
 */
export const answeringBroker = z.string().meta({ description: 'A configured broker' });
export const answeringMode = z.enum(MODES);

/** Which account an answer about an order speaks of. */
export const accountSchema = z
  .object({ broker: answeringBroker, mode: answeringMode })
  .meta({ id: 'Account' });

/** Where an answer came from and how old it is. */
export const metaSchema = z
  .object({
    broker: answeringBroker,
    mode: answeringMode,
    source: z.string().meta({ description: 'What gave the answer: the broker, by its part' }),
    asOf: time,
    ageMs: z.number(),
  })
  .meta({ id: 'Meta' });

export function enveloped<T extends z.ZodType>(data: T) {
  return z.object({ status: z.literal('success'), data });
}

/** Of an answer that a broker gave. */
export function answered<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: metaSchema });
}

/** Of one page of a list. */
export function paged<T extends z.ZodType>(data: T) {
  const nextCursor = z.string().nullable().meta({
    description: 'The cursor of the next page; null when this is the last one',
  });
  return enveloped(data).extend({ meta: metaSchema.extend({ nextCursor }) });
}

/** Of an answer about an order. */
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
