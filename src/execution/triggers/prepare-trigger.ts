import type { Instrument } from '../../domain/instrument.ts';
import { notSent } from '../../domain/outcome.ts';
import { orderOfLeg } from '../../domain/trigger.ts';
import { sleep } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import { type ElapsedMs, plus, type TriggerId } from '../../units/branded.ts';
import { guardExit } from '../submit/guards.ts';
import { notSentProblem } from '../submit/place-command.ts';
import { brokerDayOf, type LegsOf } from './check-legs.ts';
import { checkAround, checkTrigger } from './check-trigger.ts';
import type { TriggerCommand, TriggerParts } from './trigger-parts.ts';
import type { TriggerWatch } from './trigger-watch.ts';

/** How long a caller waits, all in all, for what has to be there before a trigger may be sent. */
export const PREPARING_MS = 5_000;
/** How long the list may take that is read before it. */
const BASELINE_MS = 3_000;

/** What a trigger needs before it may be decided. */
export interface Ready {
  readonly id: TriggerId;
  readonly lastPrice: number;
  readonly legsOf: LegsOf;
  readonly deadline: ElapsedMs;
}

/** Checks a trigger, and gathers what it needs. Rejects with a GatewayProblem where it may not go out. */
export async function prepareTrigger(
  parts: TriggerParts,
  { of: { trading } }: TriggerWatch,
  command: TriggerCommand,
): Promise<Ready> {
  const { clock } = parts;
  const { instrument, request, caller, forcedBy } = command;
  const { legs } = request;
  const terms = { instrument: instrument.name, legs };
  const day = brokerDayOf(parts, trading);
  checkTrigger(terms, instrument, { told: parts.freezeQuantities, day });
  parts.lookAtDisk();
  const deadline = plus(clock.elapsed(), PREPARING_MS);
  const id = `trg_${parts.ids.uuid7(clock.now())}`;
  const lastPrice = await lastPriceOf(parts, instrument, command.lastPrice);
  checkAround(terms, lastPrice);
  const guard = { ...parts, state: parts.writer.state };
  for (const leg of legs) {
    const order = orderOfLeg(instrument.name, leg);
    await guardExit(guard, trading, order, command, { orderId: `${id}`, deadline });
  }
  return { id, lastPrice, deadline, legsOf: { id, caller, forcedBy, trading, instrument, legs } };
}

/** The present price, as told or as the market has it: a broker tells by it from which side a price is reached. */
export async function lastPriceOf(
  { quoteOf, lastPrice }: Pick<TriggerParts, 'quoteOf' | 'lastPrice'>,
  instrument: Instrument,
  told: number | null,
): Promise<number> {
  const known = told ?? (await quoteOf(instrument))?.lastPrice ?? (await lastPrice(instrument));
  if (known !== null) return known;
  const why =
    `no price of ${instrument.name} is known, and the broker takes a trigger with the present price alone: ` +
    'send it with lastPrice';
  throw notSentProblem(notSent('baseline', why));
}

/**
 * The ids of the whole list before a request, and whose it is. One that only reduces a position does not wait
 * for a list that cannot be read: without it, a person has to say which trigger it is if its answer is lost.
 */
export async function baselineOf(
  { clock, scheduler }: TriggerParts,
  watch: TriggerWatch,
  wayOut: boolean,
): Promise<{ readonly baseline: readonly string[] | null; readonly account: string | null }> {
  const over = new AbortController();
  const late = sleep(scheduler, BASELINE_MS, over.signal).then(() => 'it took too long');
  try {
    const read = await Promise.race([watch.read(clock.elapsed()).catch(messageOf), late]);
    const why = typeof read === 'string' ? read : unreadIn(read.list.unread);
    if (typeof read !== 'string' && why === null) {
      const rows = [...read.list.triggers, ...read.list.unread];
      const baseline = rows.flatMap(({ triggerId }) => triggerId ?? []);
      return { baseline, account: read.account };
    }
    if (wayOut) {
      return { baseline: null, account: (await watch.of.trading.account?.()) ?? null };
    }
    const reason = `the triggers of ${watch.of.trading.broker} could not be read whole (${why ?? ''})`;
    throw notSentProblem(notSent('baseline', reason));
  } finally {
    over.abort();
  }
}

const unreadIn = (rows: readonly { readonly triggerId: string | null }[]): string | null =>
  rows.some(({ triggerId }) => triggerId === null) ? 'a row has no readable id' : null;
