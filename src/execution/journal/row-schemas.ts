import { z } from 'zod';
import { MODES } from '../../domain/broker.ts';
import { ORDER_STATUSES } from '../../domain/order.ts';
import { REJECTION_CLASSES } from '../../domain/rejection.ts';
import type { EventType } from '../../events/event-log.ts';
import { epochMs } from '../../units/branded.ts';
import { attemptRow, externalChangeRow } from './attempt-schema.ts';
import { closingRow, exitRow } from './exit-schema.ts';
import { killSwitchRow } from './kill-switch-schema.ts';
import { amendmentRow, cancelRunRow } from './cancel-run-schema.ts';
import { portfolioRows } from './portfolio-schemas.ts';
import { signalRow } from './signal-table.ts';
import { triggerChangeRow, triggerRecordRow } from './trigger-schema.ts';
import type { TableName, Tables } from './records.ts';

/** What a row of each table has to be. A row that is anything else is not used. */

const text = z.string();
/** Names of brokers that are configured no more stay valid: their orders are history. */
const broker = z.string();
const maybeText = text.nullable();
const number = z.number();
const maybeNumber = number.nullable();
const instant = z.number().int().transform(epochMs);
/** As a broker's row had it: not always whole. */
const maybeTime = z.number().transform(epochMs).nullable();
const maybeInstant = instant.nullable();
const quantity = z.number().int().nonnegative();
const flag = z.boolean();
const mode = z.enum(MODES);
const boundBy = z.enum(['id', 'tag', 'fingerprint', 'person']);
const orderType = z.enum(['MARKET', 'LIMIT', 'SL', 'SL-M']);
const validity = z.enum(['DAY', 'IOC']);
const side = z.enum(['BUY', 'SELL']);
const rejection = z.enum(REJECTION_CLASSES);

const terms = z.object({
  instrument: text,
  side,
  quantity,
  orderType,
  product: z.enum(['CNC', 'INTRADAY', 'MARGIN']),
  validity,
  price: maybeNumber,
  triggerPrice: maybeNumber,
  amo: flag,
  ...{ algoId: text.exactOptional(), marketProtection: number.exactOptional() },
});

const icebergLeg = z.object({ leg: number, legs: number, total: number, later: number });

const bookRow = z.object({
  brokerOrderId: text,
  exchangeOrderId: maybeText,
  instrument: text,
  side,
  quantity: number,
  filledQuantity: maybeNumber,
  averagePrice: maybeNumber,
  orderType: text,
  product: text,
  validity: text,
  price: maybeNumber,
  triggerPrice: maybeNumber,
  status: z.enum(['working', 'filled', 'partial', 'cancelled', 'rejected', 'unrecognised']),
  rawStatus: text,
  reason: maybeText,
  rejection: rejection.exactOptional(),
  tags: z.array(text),
  childOf: text.exactOptional(),
  iceberg: icebergLeg.nullable().exactOptional(),
  createdAt: maybeTime,
  updatedAt: maybeTime,
});

const binding = z.object({
  brokerOrderId: text,
  by: boundBy,
  isForced: z.literal(true).exactOptional(),
  exchangeOrderId: maybeText,
  row: bookRow.nullable(),
});

const fill = z.object({
  filledQuantity: quantity.nullable(),
  atLeast: quantity.exactOptional(),
  averagePrice: maybeNumber,
  fillPriceSource: z.enum(['trades', 'order_row', 'trade_book', 'average', 'estimate']).nullable(),
});

const calledAbsent = z.object({
  by: z.enum(['close', 'person']),
  at: instant,
  after: z.number().int().exactOptional(),
  bookGone: z.literal(true).exactOptional(),
});
const cancelWanted = flag;
const keptCancel = { cancelWanted: z.literal(true).exactOptional() };

const orderState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), reason: maybeText, cancelWanted }),
  z.object({ kind: z.literal('sending'), cancelWanted }),
  z.object({
    kind: z.literal('working'),
    binding,
    fill,
    cancelWanted,
    cancelByGateway: z.literal(true).exactOptional(),
    unrecognisedSince: maybeInstant,
  }),
  z.object({ kind: z.literal('filled'), binding, fill }),
  z.object({
    kind: z.enum(['partial', 'cancelled', 'rejected']),
    binding,
    fill,
    reason: maybeText,
  }),
  z.object({ kind: z.literal('refused'), reason: text, ...keptCancel }),
  z.object({
    kind: z.literal('absent'),
    reason: text,
    calledAbsent,
    absentSince: maybeInstant,
    ...keptCancel,
  }),
  z.object({ kind: z.literal('not_sent'), reason: text, ...keptCancel }),
  z.object({ kind: z.literal('uncertain'), reason: text, absentSince: maybeInstant, cancelWanted }),
  z.object({
    kind: z.literal('disputed'),
    cause: text,
    binding: binding.nullable(),
    fill,
    absentSince: maybeInstant,
    calledAbsent: calledAbsent.nullable(),
    cancelWanted,
    bookGone: z.literal(true).exactOptional(),
    othersRow: z.literal(true).exactOptional(),
    twin: z.object({ broker, brokerOrderId: text }).exactOptional(),
  }),
  z.object({
    kind: z.literal('sliced'),
    status: z.enum(ORDER_STATUSES),
    reason: maybeText,
    fill,
  }),
]);

type Schemas = { readonly [Name in TableName]: z.ZodType<Tables[Name]> };

const SCHEMAS = {
  orders: z.object({
    id: text,
    caller: text,
    idempotencyKey: text,
    requestHash: text,
    parentId: maybeText,
    day: text,
    terms,
    scripCode: maybeText,
    writtenAs: text.exactOptional(),
    segment: z.enum(['EQUITY', 'DERIVATIVE', 'INDEX']),
    callerTag: maybeText,
    broker,
    mode,
    state: orderState,
    createdAt: instant,
    updatedAt: instant,
  }),
  attempts: attemptRow,
  fills: z.object({
    key: text,
    orderId: text,
    broker,
    day: text,
    exchange: text,
    brokerOrderId: text,
    fillId: text,
    quantity: number,
    price: number,
    at: instant,
    joined: z.literal(true).exactOptional(),
  }),
  observed: z.object({
    broker,
    day: text,
    brokerOrderId: text,
    orderId: maybeText,
    movedFrom: text.exactOptional(),
    unconfirmed: z.literal(true).exactOptional(),
    shared: z.literal(true).exactOptional(),
    tradesDiffer: z.literal(true).exactOptional(),
    exchangeOrderId: text.exactOptional(),
    leaving: flag,
    account: text.exactOptional(),
    ...{ seenAt: instant, seenAfter: number.exactOptional() },
  }),
  postbacks: z.object({
    digest: text,
    broker,
    brokerOrderId: text,
    rawStatus: text,
    receivedAt: instant,
  }),
  portfolios: z.object({
    broker,
    mode,
    readAt: instant,
    account: text.exactOptional(),
    ...portfolioRows,
  }),
  killSwitch: killSwitchRow,
  echoes: z.object({ broker, day: text }),
  amendments: amendmentRow,
  exits: exitRow,
  closings: closingRow,
  cancelRuns: cancelRunRow,
  externalChanges: externalChangeRow,
  ...{ triggers: triggerRecordRow, triggerChanges: triggerChangeRow, signals: signalRow },
  events: z.object({
    sequence: z.number().int(),
    at: instant,
    // A later version may have added types: they are told as they are.
    type: z.custom<EventType>((value) => typeof value === 'string'),
    orderId: maybeText,
    data: z.record(text, z.unknown()),
    about: z
      .object({
        ...{ caller: text.exactOptional(), broker: broker.exactOptional() },
        instrument: text.exactOptional(),
      })
      .exactOptional(),
  }),
} satisfies Schemas;

export const ROW_SCHEMAS: Schemas = SCHEMAS;

/** What is left of a row when it is read: a field that no schema names is dropped without a word. */
export type RowAsRead<Name extends TableName> = z.output<(typeof SCHEMAS)[Name]>;

export type ReadRow<Row> =
  | { readonly kind: 'row'; readonly row: Row }
  /** Where and what does not fit, without the row's values: they may be anything. */
  | { readonly kind: 'unfit'; readonly reason: string };

/** A row's JSON as its table's schema has it. */
export function readRow<Name extends TableName>(
  table: Name,
  record: unknown,
): ReadRow<Tables[Name]> {
  const schema: z.ZodType<Tables[Name]> = ROW_SCHEMAS[table];
  const json = parseJson(record);
  if (json === undefined) return { kind: 'unfit', reason: 'the row is no JSON' };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { kind: 'row', row: parsed.data };
  const [first] = parsed.error.issues;
  const where = first?.path.map(String).join('.') || 'the row';
  return { kind: 'unfit', reason: `${where}: ${first?.message ?? 'it does not fit'}` };
}

/** Undefined for what is no JSON. */
export function parseJson(record: unknown): unknown {
  try {
    return JSON.parse(String(record));
  } catch {
    return undefined;
  }
}
