import type { Answer } from '../domain/answer.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { RoutedAnswer } from '../market-data/market-data-route.ts';
import type { Dated } from '../market-data/quote-cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Found } from './gateway.ts';
import type { BrokerView } from './policy.ts';
import type { ElapsedMs, EpochMs } from '../units/branded.ts';

type AnsweringBroker = Pick<BrokerView, 'broker' | 'mode'>;

/** Instruments by the caller's own names, and an error for each that could not be resolved. */
export interface Resolved {
  readonly byText: ReadonlyMap<string, Instrument>;
  readonly errors: Map<string, string>;
}

export function resolveAll(texts: readonly string[], directory: InstrumentDirectory): Resolved {
  const byText = new Map<string, Instrument>();
  const errors = new Map<string, string>();
  for (const text of texts) {
    const instrument = directory.resolve(text);
    if (instrument) byText.set(text, instrument);
    else errors.set(text, unknownInstrument(text, directory));
  }
  return { byText, errors };
}

/** GET /api/v1/brokers gives the reason of each broker. */
export const NO_LISTS = 'no instrument list could be loaded yet: GET /api/v1/brokers says why';

export function unknownInstrument(text: string, directory: InstrumentDirectory): string {
  if (directory.size() === 0) return NO_LISTS;
  const listings = directory.listings(text);
  if (listings.length > 0) return ambiguousSymbol(text, listings);
  const missing = directory
    .lists()
    .flatMap(({ broker, lists }) =>
      lists
        .filter((list) => list.count === 0 && list.problem !== null)
        .map(({ name }) => `${broker} ${name}`),
    );
  const perhaps =
    missing.length === 0
      ? ''
      : `; it may be in a list that could not be read (${missing.join(', ')}), see /api/v1/brokers`;
  return `no instrument is named ${text}; names read NSE:INFY, NSE_1594 or INFY${perhaps}`;
}

/** What a symbol stands for where it is not one instrument's, or where a missing list could have another one. */
function ambiguousSymbol(text: string, listings: readonly Instrument[]): string {
  const [first, ...others] = listings.map(({ name, displayName }) => `${name} (${displayName})`);
  const choices = [first, ...others].join(' and of ');
  const [only] = listings;
  return others.length > 0
    ? `${text.toUpperCase()} is the symbol of ${choices}: write the one that is meant, with its exchange`
    : `${text.toUpperCase()} is the symbol of ${choices}, and the list that could have it at another exchange ` +
        `could not be read: write ${only?.name} where that is meant`;
}

/** Answers by the caller's own names, each with its time; the oldest one dates the whole answer. */
export function foundAnswer<T extends Quote | LastPrice>(
  { byText, errors }: Resolved,
  routed: RoutedAnswer<T>,
  { broker, mode }: AnsweringBroker,
  clock: Clock,
): Answer<Found<T>> {
  const found = new Map<string, T>();
  let oldest: Dated<T> | null = null;
  for (const [text, instrument] of byText) {
    const dated: Dated<T> | undefined = routed.values.get(instrument.name);
    if (!dated) {
      errors.set(text, `${broker} has no price for ${instrument.name}`);
      continue;
    }
    found.set(text, dated.value);
    if (!oldest || dated.asked < oldest.asked) oldest = dated;
  }
  const meta = {
    broker,
    mode,
    asOf: oldest?.askedAt ?? clock.now(),
    ageMs: oldest ? Math.max(0, Math.round(clock.elapsed() - oldest.asked)) : 0,
  };
  return { data: { found, errors }, meta };
}

export function accountAnswer<T>(
  { broker, mode }: AnsweringBroker,
  read: { readonly data: T; readonly askedAt: EpochMs; readonly asked: ElapsedMs },
  clock: Clock,
): Answer<T> {
  const ageMs = Math.max(0, Math.round(clock.elapsed() - read.asked));
  return { data: read.data, meta: { broker, mode, asOf: read.askedAt, ageMs } };
}

/** A part that a configured broker does not offer, at any time and for any key. */
export function notSupported(broker: BrokerId, what: string): GatewayProblem {
  return new GatewayProblem({
    code: 'not_supported',
    detail: `${broker} does not offer ${what}: name a broker that does`,
    broker,
    mayHaveExecuted: false,
  });
}

/** Why a broker that a request names does not serve a part: it has no settings, or it never offers the part. */
export function notServed({ broker, notSetUp }: BrokerView, what: string): GatewayProblem {
  if (notSetUp === undefined) return notSupported(broker, what);
  return new GatewayProblem({
    code: 'no_broker',
    detail: notSetUp,
    broker,
    mayHaveExecuted: false,
  });
}

/** Throws `wrong_mode` where a named broker is not of the mode that an order must have; null takes any. */
export function mustBeOfMode(view: BrokerView, mode: Mode | null): void {
  if (mode === null || view.mode === mode) return;
  const detail = `broker ${view.broker} is not ${mode}: name another broker, or leave out mode`;
  throw new GatewayProblem({ code: 'wrong_mode', detail, field: 'broker' });
}

export function noBroker(detail: string): GatewayProblem {
  return new GatewayProblem({ code: 'no_broker', detail });
}
