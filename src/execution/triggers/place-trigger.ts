import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import { notSent } from '../../domain/outcome.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { sha256 } from '../../platform/secret.ts';
import { callerKey } from '../journal/records.ts';
import { closingProblem, notSentProblem } from '../submit/place-command.ts';
import { conflict } from '../submit/request-identity.ts';
import { prepareTrigger } from './prepare-trigger.ts';
import { createSendTrigger, type Keyed } from './send-trigger.ts';
import type { TriggerCommand, TriggerParts, TriggerResult } from './trigger-parts.ts';
import type { TriggerRecord } from './trigger.ts';

/** With the instrument as the caller wrote it. */
type Asked = Pick<TriggerCommand, 'caller' | 'idempotencyKey' | 'request' | 'lastPrice'>;

export interface PlaceTrigger {
  place(command: TriggerCommand): Promise<TriggerResult>;
  /**
   * The trigger that a key has made, for the same request; null for a key that has made none. Throws
   * `idempotency_conflict` for another request.
   */
  repeated(
    asked: Asked,
    resolve: (written: string) => Promise<Instrument>,
  ): Promise<TriggerResult | null>;
}

/**
 * Places triggers: one request for each key, on disk before its first byte leaves, and never sent again
 * (docs/triggers.md). Rejects with a GatewayProblem for everything that was refused before that.
 */
export function createPlaceTrigger(parts: TriggerParts): PlaceTrigger {
  const { writer, journal, clock, ids } = parts;
  const { state } = writer;
  const sendTrigger = createSendTrigger(parts);
  const underWay = new Map<string, { hash: string; result: Promise<TriggerResult> }>();

  async function place(command: TriggerCommand): Promise<TriggerResult> {
    const idempotencyKey = command.idempotencyKey ?? ids.uuid7(clock.now());
    const name = callerKey(command.caller, idempotencyKey);
    const hash = hashOf(command);
    const ahead = underWay.get(name);
    if (ahead) {
      // Whether the other request has left is not known here.
      if (ahead.hash !== hash) throw conflict(idempotencyKey, null);
      return { ...(await ahead.result), repeated: true };
    }
    const result = placeNew({ ...command, idempotencyKey }, hash);
    underWay.set(name, { hash, result });
    try {
      return await result;
    } finally {
      underWay.delete(name);
    }
  }

  async function repeated(
    { caller, idempotencyKey, request, lastPrice }: Asked,
    resolve: (written: string) => Promise<Instrument>,
  ): Promise<TriggerResult | null> {
    if (idempotencyKey === null || underWay.has(callerKey(caller, idempotencyKey))) return null;
    const known = await journal.triggerUnderKey(caller, idempotencyKey);
    if (known === null) return null;
    const { instrument } = known.terms;
    const isAsWritten = request.instrument.toUpperCase() === instrument;
    // What is known stays known without any instrument list, where the name is spelled as it is.
    const name = isAsWritten ? instrument : await nameFor(known, request.instrument, resolve);
    const hash = hashOf({ request: { ...request, instrument: name }, lastPrice });
    return repeatOf(state.triggers.get(known.id) ?? known, hash);
  }

  async function placeNew(command: Keyed, hash: string): Promise<TriggerResult> {
    const known = await journal.triggerUnderKey(command.caller, command.idempotencyKey);
    if (known) return repeatOf(state.triggers.get(known.id) ?? known, hash);
    if (parts.closing()) throw closingProblem();
    const watch = parts.watches.get(command.broker);
    if (!watch) throw notSentProblem(notSent('not_open', `${command.broker} takes no triggers`));
    const ready = await prepareTrigger(parts, watch, command);
    const { trigger, isKnown } = await sendTrigger(watch, { command, hash, ready });
    if (isKnown) return repeatOf(trigger, hash);
    return { trigger, idempotencyKey: command.idempotencyKey, repeated: false };
  }

  return { place, repeated };
}

function hashOf({ request, lastPrice }: Pick<TriggerCommand, 'request' | 'lastPrice'>): string {
  const { instrument, legs, broker, mode } = request;
  const all = legs.map(({ triggerPrice, side, quantity, product, price }) => [
    ...[triggerPrice, side, quantity, product, price],
  ]);
  return sha256(JSON.stringify([instrument, all, broker, mode, lastPrice]));
}

/** The trigger that a key has made, for the request that made it; throws `conflict` for another. */
function repeatOf(trigger: TriggerRecord, hash: string): TriggerResult {
  const { idempotencyKey, requestHash, id, state } = trigger;
  if (requestHash === hash) return { trigger, idempotencyKey, repeated: true };
  throw new GatewayProblem({
    code: 'idempotency_conflict',
    detail: `the key ${idempotencyKey} was used for another request: it has made trigger ${id}`,
    mayHaveExecuted: mayBeThere(state),
  });
}

const mayBeThere = ({ kind }: TriggerRecord['state']): boolean =>
  kind !== 'refused' && kind !== 'not_sent' && kind !== 'absent';

/** What an instrument is called that a used key comes with; where that cannot be told, the problem says what the key has made. */
async function nameFor(
  { id, idempotencyKey, terms, state }: TriggerRecord,
  written: string,
  resolve: (written: string) => Promise<Instrument>,
): Promise<InstrumentName> {
  try {
    return (await resolve(written)).name;
  } catch (error) {
    if (!(error instanceof GatewayProblem)) throw error;
    const detail =
      `the key ${idempotencyKey} has made trigger ${id} for ${terms.instrument}, and whether ${written} is the same cannot be ` +
      `told now (${error.fields.detail}): read that trigger, or send the request again later under the same key`;
    throw new GatewayProblem(
      { code: 'no_broker', detail, mayHaveExecuted: mayBeThere(state) },
      error,
    );
  }
}
