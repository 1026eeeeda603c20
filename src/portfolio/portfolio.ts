import type { BrokerId } from '../domain/broker.ts';
import type { Funds, Holding, Position, Profile, UnreadPortfolioRow } from '../domain/portfolio.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Account } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { ElapsedMs, EpochMs } from '../units/branded.ts';

export interface Read<T> {
  readonly data: T;
  /** Wall and elapsed ms at which the broker was asked. */
  readonly askedAt: EpochMs;
  readonly asked: ElapsedMs;
}

/**
 * The reads of one account, shared: callers who ask the same at the same time share one call. A list of
 * which a row cannot be read is not given without it: such a read rejects, and says which row it is.
 */
export interface Portfolio {
  readonly broker: BrokerId;
  positions(maxAgeMs: number): Promise<Read<readonly Position[]>>;
  /** What was traded today alone; null where the broker keeps no such list. */
  readonly dayPositions: ((maxAgeMs: number) => Promise<Read<readonly Position[]>>) | null;
  holdings(maxAgeMs: number): Promise<Read<readonly Holding[]>>;
  funds(maxAgeMs: number): Promise<Read<Funds>>;
  profile(maxAgeMs: number): Promise<Read<Profile>>;
}

export function createPortfolio(account: Account, clock: Clock): Portfolio {
  const dayPositions = account.dayPositions?.bind(account);
  return {
    broker: account.broker,
    positions: shared(async () => whole(account, await account.positions('caller')), clock),
    dayPositions: dayPositions
      ? shared(async () => whole(account, await dayPositions()), clock)
      : null,
    holdings: shared(async () => whole(account, await account.holdings('caller')), clock),
    funds: shared(() => account.funds(), clock),
    profile: shared(() => account.profile(), clock),
  };
}

/** A list without a row that is there would say that there is no such position. */
function whole<List extends readonly Position[] | readonly Holding[]>(
  { broker, unread }: Account,
  list: List,
): List {
  const [row, ...others] = unread?.(list) ?? [];
  if (row === undefined) return list;
  throw new BrokerError(broker, { kind: 'bad_payload', message: describeUnread(row, others) });
}

function describeUnread(row: UnreadPortfolioRow, others: readonly UnreadPortfolioRow[]): string {
  const what = row.instrument ?? 'one without a readable instrument';
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `a row of the ${row.list} cannot be read: ${what}${more} (${row.reason})`;
}

/** A failed read is not kept: the next caller reads again. */
function shared<T>(read: () => Promise<T>, clock: Clock): (maxAgeMs: number) => Promise<Read<T>> {
  let last: Read<T> | null = null;
  let underWay: { asked: ElapsedMs; result: Promise<Read<T>> } | null = null;
  return (maxAgeMs) => {
    const oldest = clock.elapsed() - maxAgeMs;
    if (last && last.asked > oldest) return Promise.resolve(last);
    if (underWay && underWay.asked > oldest) return underWay.result;
    const askedAt = clock.now();
    const asked = clock.elapsed();
    const mine = {
      asked,
      result: read().then((data) => {
        const answer = { data, askedAt, asked };
        // A slow, older read does not replace a newer one.
        if (!last || last.asked <= asked) last = answer;
        return answer;
      }),
    };
    underWay = mine;
    const done = (): void => {
      if (underWay === mine) underWay = null;
    };
    mine.result.then(done, done);
    return mine.result;
  };
}
