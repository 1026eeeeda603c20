import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { BrokerOrderId, EpochMs, OrderId, TriggerId } from '../../units/branded.ts';

/** An order placed elsewhere that a request to cancel many is about. */
export interface ExternalOfRun {
  readonly broker: BrokerId;
  readonly brokerOrderId: BrokerOrderId;
  /** `sent` is on disk before the cancel leaves, and goes back to `wanted` where it did not leave. */
  readonly state: 'wanted' | 'sent';
}

/** A trigger placed elsewhere that such a request is about. */
export interface ExternalTriggerOfRun {
  readonly broker: BrokerId;
  /** The broker's id. */
  readonly triggerId: string;
  readonly instrument: InstrumentName;
  /** As that of an order placed elsewhere. */
  readonly state: 'wanted' | 'sent';
}

/** The triggers that a request is about. */
export interface RunTriggers {
  /** Those of the gateway. */
  readonly ids: readonly TriggerId[];
  readonly external: readonly ExternalTriggerOfRun[];
  /** Brokers whose list has not been read whole for it. */
  readonly toRead: readonly BrokerId[];
}

/**
 * A request to cancel many orders, as the journal has it: the orders that it is about do not change, so that
 * a repeat under its key reaches no order that was placed since.
 */
export interface CancelRunRecord {
  readonly id: string;
  readonly caller: string;
  /** The caller's; the id where there was none. */
  readonly idempotencyKey: string;
  /** SHA-256 of the request: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  /** Orders of the gateway; of a sliced one the whole order. */
  readonly orderIds: readonly OrderId[];
  readonly external: readonly ExternalOfRun[];
  /** Brokers whose book has not been read whole for it. */
  readonly toRead: readonly BrokerId[];
  /** Absent where triggers were not asked for. */
  readonly triggers?: RunTriggers;
  /** Epoch ms. */
  readonly at: EpochMs;
}
