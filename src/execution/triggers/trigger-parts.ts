import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/quote.ts';
import type { TriggerLegChange, TriggerRequest } from '../../domain/trigger.ts';
import type { Moment } from '../../platform/clock.ts';
import type { TriggerId } from '../../units/branded.ts';
import type { SubmitParts } from '../submit/place-command.ts';
import type { TriggerChangeRecord, TriggerRecord } from './trigger.ts';
import type { TriggerWatches } from './trigger-watch.ts';

/** What triggers use of execution. */
export interface TriggerParts extends Pick<
  SubmitParts,
  | 'writer'
  | 'journal'
  | 'commitRetry'
  | 'clock'
  | 'scheduler'
  | 'ids'
  | 'log'
  | 'changed'
  | 'accounts'
  | 'pollerOf'
  | 'lookAtDisk'
  | 'limits'
  | 'lastPrice'
  | 'freezeQuantities'
  | 'closing'
> {
  /** A quote at most a few seconds old; null where no broker has one. Never rejects. */
  readonly quoteOf: (instrument: Instrument) => Promise<Quote | null>;
  readonly watches: TriggerWatches;
  readonly instrumentOf: (name: string) => Instrument | null;
}

/** What a caller asks for. */
export interface TriggerCommand {
  /** When the gateway read the request. */
  readonly arrived: Moment;
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  /** With the instrument's name. */
  readonly request: TriggerRequest;
  readonly instrument: Instrument;
  /** The account that it goes to. */
  readonly broker: BrokerId;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  /** Rupees; null lets the gateway ask for it. */
  readonly lastPrice: number | null;
  /** An admin who lets it pass a brake where its account cannot be read; null without one. */
  readonly forcedBy: string | null;
}

export interface TriggerResult {
  readonly trigger: TriggerRecord;
  readonly idempotencyKey: string;
  /** The key had been used: this is the trigger that it made. */
  readonly repeated: boolean;
}

export interface ChangeCommand {
  readonly id: TriggerId;
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  /** One for each leg; null deletes. */
  readonly changes: readonly TriggerLegChange[] | null;
  /** Rupees; null lets the gateway ask for it. */
  readonly lastPrice: number | null;
  readonly forcedBy: string | null;
}

export interface ChangeResult extends TriggerResult {
  /** What has become of the change; null where nothing had to be asked of the broker. */
  readonly change: TriggerChangeRecord | null;
  /** False for a deletion that was sent, or is kept, although the disk did not take it. */
  readonly onDisk?: false;
}
