import type { Reader, TriggerPort, Triggers } from '../../domain/ports.ts';
import type {
  BrokerTrigger,
  TriggerList,
  TriggerStatus,
  UnreadTrigger,
} from '../../domain/trigger.ts';
import { fieldOf } from '../../platform/values.ts';
import { readEach } from '../kit/unread-rows.ts';
import type { GuardedCalls } from './calls.ts';
import type { KiteClient } from './client.ts';
import { toGtt } from './gtt.ts';
import { restOfRow } from './mapping.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { isOrderId } from './request.ts';
import { anyRows, parseAs, triggerRow } from './schemas.ts';

export interface TriggersParts {
  readonly client: KiteClient;
  readonly reads: GuardedCalls;
  readonly queues: RateLimitQueues;
  readonly calls: TriggerPort;
}

/** GTTs as triggers (docs/triggers.md). */
export function createAltTriggers({ client, reads, queues, calls }: TriggersParts): Triggers {
  const queueOf = (reader: Reader = 'watch') =>
    reader === 'caller' ? queues.asked : queues.account;
  return {
    broker: 'alt',
    inBook: false,
    list: (reader) => reads.read(queueOf(reader), client.triggers, readList),
    calls,
  };
}

function readList(data: unknown): TriggerList {
  const { rows, unread } = readEach(parseAs(anyRows, data), toTrigger, restOfTrigger);
  return { triggers: rows, unread };
}

const DISABLED = 'disabled';

/** Kite Connect's words (docs/spec/kite-gtt.md). A disabled one is not watched until a person enables it. */
const STATUSES: ReadonlyMap<string, TriggerStatus> = new Map([
  ['active', 'waiting'],
  ['triggered', 'triggered'],
  [DISABLED, 'ended'],
  ['expired', 'ended'],
  ['cancelled', 'ended'],
  ['rejected', 'ended'],
  ['deleted', 'ended'],
]);

/** Throws on a row that is no whole trigger. */
function toTrigger(row: unknown): BrokerTrigger {
  const { id, instrument, status, legs, ...times } = toGtt(parseAs(triggerRow, row));
  if (legs.length === 0) throw new Error(`trigger ${id} has no order`);
  const word = status.trim().toLowerCase();
  return {
    triggerId: id,
    instrument,
    status: STATUSES.get(word) ?? 'unrecognised',
    ...(word === DISABLED ? { mayReturn: true } : {}),
    rawStatus: status,
    legs: legs.map(({ trigger, ...leg }) => ({ triggerPrice: trigger, ...leg })),
    createdAt: times.createdAt,
    updatedAt: times.updatedAt,
    expiresAt: times.expiresAt,
  };
}

/** What can be read of a row that is no whole trigger. */
function restOfTrigger(row: unknown): Omit<UnreadTrigger, 'reason'> {
  const id = fieldOf(row, 'id');
  return {
    triggerId: typeof id === 'string' && isOrderId(id) ? id : null,
    instrument: restOfRow(fieldOf(row, 'condition')).instrument,
  };
}
