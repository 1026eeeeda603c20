/**
 * Numbers with a brand: types of their own, so that the compiler refuses one where another belongs. A
 * brand exists for the compiler alone; at run time the value is a plain number
 * (docs/decisions/0016-branded-types.md).
 */
declare const brand: unique symbol;

export interface Branded<Name extends string> {
  readonly [brand]: Name;
}

/**
 * A text that names one kind of thing. The compiler refuses the name of one kind where another's
 * belongs; a plain text fits everywhere, since names are read from brokers, callers and rows.
 */
export type Named<Kind extends string> = string & { readonly [brand]?: Kind };

/** The broker's day, `YYYY-MM-DD`: 06:00 to 06:00 IST (`tradingDay`, domain/ist.ts). */
export type TradingDay = Named<'TradingDay'>;
/** A day of the calendar in India, `YYYY-MM-DD`: 00:00 to 24:00 IST (`istDay`, domain/ist.ts). */
export type CalendarDay = Named<'CalendarDay'>;
/** Our id of an order; one order has the same id for life. */
export type OrderId = Named<'OrderId'>;
/** Our id of a way out of a position. */
export type ExitId = Named<'ExitId'>;
/** Our id of a closing of many positions. */
export type ClosingId = Named<'ClosingId'>;
/** Our id of a trigger that the gateway was asked for. */
export type TriggerId = Named<'TriggerId'>;
/** Our id of one request to a broker. */
export type AttemptId = Named<'AttemptId'>;
/** The broker's id of an order, without which it can be neither cancelled nor changed. */
export type BrokerOrderId = Named<'BrokerOrderId'>;

/** An instant of the wall clock: milliseconds since 1970, UTC. May step backwards (platform/clock.ts). */
export type EpochMs = number & Branded<'EpochMs'>;

/** Milliseconds since an arbitrary start; never steps. Says nothing about the time of day. */
export type ElapsedMs = number & Branded<'ElapsedMs'>;

/** For what is read from outside: a broker's time, a row of the journal, a token file. */
export const epochMs = (ms: number): EpochMs => ms as EpochMs;
export const elapsedMs = (ms: number): ElapsedMs => ms as ElapsedMs;

/** An instant `ms` later than another, on the same clock; earlier where `ms` is negative. */
export function plus<Instant extends EpochMs | ElapsedMs>(at: Instant, ms: number): Instant {
  return (at + ms) as Instant;
}

/** The earlier of two instants of one clock. */
export function earlier<Instant extends EpochMs | ElapsedMs>(
  one: Instant,
  other: Instant,
): Instant {
  return one < other ? one : other;
}

/** The later of two instants of one clock. */
export function later<Instant extends EpochMs | ElapsedMs>(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}

/** Before and after every reading of the clock of elapsed time. */
export const LONG_AGO = elapsedMs(-Infinity);
export const NEVER = elapsedMs(Infinity);
