import type { BrokerId, Mode } from '../domain/broker.ts';
import type { DayBook, OfAccount } from '../execution/books/day-book.ts';

/** What the journal has of a day at one account. */
export interface AccountGroup
  extends NamedAccount, Pick<DayBook, 'orders' | 'trades' | 'inDoubt' | 'positions'> {}

/** An account of which a report tells, also where nothing was done there. */
export interface NamedAccount {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The user at the broker; null where it is not known. */
  readonly account: string | null;
}

/**
 * A day's book by account, those of `named` first. An order that names no user, because none was known when it was
 * sent, belongs to the only user of its broker where there is one.
 */
export function groupsOf(book: DayBook, named: readonly NamedAccount[]): readonly AccountGroup[] {
  const lines = (book.positions ?? []).map(({ line }) => line);
  const all = [...named, ...book.orders, ...book.trades, ...book.inDoubt, ...lines];
  const users = new Map<string, Set<string>>();
  for (const { broker, mode, account } of all) {
    const of = users.get(`${broker} ${mode}`) ?? new Set<string>();
    users.set(`${broker} ${mode}`, of);
    if (account !== null) of.add(spelled(account));
  }
  const nameOf = ({ broker, mode, account }: NamedAccount): NamedAccount => {
    const [only, ...others] = users.get(`${broker} ${mode}`) ?? [];
    const known = account === null ? null : spelled(account);
    return { broker, mode, account: known ?? (others.length === 0 ? (only ?? null) : null) };
  };
  const groups = new Map<string, NamedAccount>();
  for (const each of all) groups.set(keyOf(nameOf(each)), nameOf(each));
  return [...groups].map(([key, name]) => {
    const isOf = (each: NamedAccount): boolean => keyOf(nameOf(each)) === key;
    return { ...name, ...only(book, isOf) };
  });
}

const spelled = (account: string): string => account.trim().toUpperCase();

const keyOf = ({ broker, mode, account }: NamedAccount): string =>
  JSON.stringify([broker, mode, account]);

/** The same of one key alone. */
export const ofKey = (group: AccountGroup, key: string): AccountGroup => ({
  ...group,
  ...only(group, ({ caller }) => caller === key),
});

type Lists = Pick<AccountGroup, 'orders' | 'trades' | 'inDoubt' | 'positions'>;

const only = (
  { orders, trades, inDoubt, positions }: Lists,
  keep: (of: OfAccount) => boolean,
): Lists => ({
  orders: orders.filter(keep),
  trades: trades.filter(keep),
  inDoubt: inDoubt.filter(keep),
  positions: positions && positions.filter(({ line }) => keep(line)),
});

/** The keys that did something there, or hold something, the first first. */
export const callersOf = ({ orders, trades, inDoubt, positions }: Lists): readonly string[] => [
  ...new Set(
    [...orders, ...trades, ...inDoubt, ...(positions ?? []).map(({ line }) => line)].map(
      ({ caller }) => caller,
    ),
  ),
];
