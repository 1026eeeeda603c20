import { z } from 'zod';
import { NOT_SENT_REASONS } from '../../domain/outcome.ts';
import { REJECTION_CLASSES } from '../../domain/rejection.ts';
import { epochMs } from '../../units/branded.ts';
import { ofExternal } from './external-changes.ts';

/** What a row of the table of attempts has to be, and one of the changes of orders placed elsewhere. */

const text = z.string();
const number = z.number();
const maybeNumber = number.nullable();
const instant = z.number().int().transform(epochMs);
const flag = z.boolean();
const broker = z.string();
const orderType = z.enum(['MARKET', 'LIMIT', 'SL', 'SL-M']);
const validity = z.enum(['DAY', 'IOC']);
const rejection = z.enum(REJECTION_CLASSES);

const settled = { settledAt: instant, reason: text };
const attemptState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sending') }),
  z.object({
    kind: z.literal('acknowledged'),
    ...{ settledAt: instant, brokerOrderId: text, brokerAt: instant.exactOptional() },
  }),
  z.object({
    kind: z.literal('refused'),
    ...settled,
    rejection: rejection.exactOptional(),
    toldAt: instant.exactOptional(),
  }),
  z.object({
    kind: z.literal('not_sent'),
    ...settled,
    cause: z.enum(NOT_SENT_REASONS).exactOptional(),
  }),
  z.object({ kind: z.literal('uncertain'), ...settled }),
]);
const placeState = z.union([attemptState, z.object({ kind: z.literal('absent'), ...settled })]);

const times = z.object({
  ...{ receivedAt: instant, committedMs: number, sentMs: maybeNumber, answeredMs: number },
});

const attemptIdentity = { id: text, orderId: text, broker, day: text, sentAt: instant };
const changeIdentity = { ...attemptIdentity, by: text.exactOptional() };

const cancelAttempt = { ...changeIdentity, kind: z.literal('cancel'), state: attemptState };
const modifyAttempt = {
  ...changeIdentity,
  kind: z.literal('modify'),
  changes: z.object({
    quantity: maybeNumber,
    price: maybeNumber,
    triggerPrice: maybeNumber,
    orderType: orderType.nullable(),
    validity: validity.nullable(),
  }),
  state: attemptState,
};

export const attemptRow = z.discriminatedUnion('kind', [
  z.object({
    ...attemptIdentity,
    kind: z.literal('place'),
    tag: text,
    tagSent: flag,
    fingerprint: text,
    baseline: z.array(text).nullable(),
    ...{ sentUnwatched: z.literal(true).exactOptional(), account: text.exactOptional() },
    ...{ sentAfter: number.exactOptional(), namedId: text.exactOptional() },
    brokerAt: instant.exactOptional(),
    marks: z
      .object({ algoId: text.exactOptional(), marketProtection: number.exactOptional() })
      .exactOptional(),
    times: times.exactOptional(),
    state: placeState,
  }),
  z.object(cancelAttempt),
  z.object(modifyAttempt),
]);

export const externalChangeRow = z.discriminatedUnion('kind', [
  z.object({ ...cancelAttempt, ...ofExternal }),
  z.object({ ...modifyAttempt, ...ofExternal }),
]);
