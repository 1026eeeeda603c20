import type { BrokerId } from '../domain/broker.ts';
import type { Funds, Holding, Position, Profile, UnreadPortfolioRow } from '../domain/portfolio.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Account } from '../domain/ports.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import { createSharedRead, type Read } from './shared-read.ts';

export type { Read } from './shared-read.ts';

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
  /** Positions and holdings with the rows of both that cannot be read, for who can tell what those may be. */
  readable(maxAgeMs: number): Promise<Read<ReadablePortfolio>>;
  /** An order of the account has moved: everything but the profile is read again for the next caller. */
  orderMoved(): void;
}

export interface ReadablePortfolio {
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
  readonly unread: readonly UnreadPortfolioRow[];
}

export function createPortfolio(
  account: Account,
  parts: { readonly clock: Clock; readonly scheduler: Scheduler },
): Portfolio {
  const ofDay = account.dayPositions?.bind(account);
  const shared = <T>(read: () => Promise<T>) => createSharedRead(read, parts);
  const positions = shared(async () => whole(account, await account.positions('caller')));
  const dayPositions = ofDay ? shared(async () => whole(account, await ofDay())) : null;
  const holdings = shared(async () => whole(account, await account.holdings('caller')));
  const readable = shared(async () => {
    const [rows, held] = await Promise.all([
      account.positions('caller'),
      account.holdings('caller'),
    ]);
    const unread = [rows, held].flatMap((list) => account.unread?.(list) ?? []);
    return { positions: rows, holdings: held, unread };
  });
  const funds = shared(() => account.funds());
  return {
    broker: account.broker,
    positions: positions.read,
    dayPositions: dayPositions && dayPositions.read,
    holdings: holdings.read,
    readable: readable.read,
    funds: funds.read,
    profile: shared(() => account.profile()).read,
    orderMoved() {
      for (const each of [positions, dayPositions, holdings, readable, funds]) each?.outdate();
    },
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
