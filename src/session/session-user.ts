import type { BrokerId } from '../domain/broker.ts';

/** Who may hold a session with a broker. */
export interface SessionUser {
  readonly broker: BrokerId;
  /** The setting that names the user, for messages. */
  readonly setting: string;
  /** With no user configured, whoever holds the account may log in. */
  isOtherUser(userId: string): boolean;
  /**
   * The account whose open orders a session of `userId` could neither show nor change; null where there
   * are none, and for the configured user: naming one in the settings says that it is meant.
   */
  otherInUse(userId: string): string | null;
}

export function createSessionUser(
  broker: BrokerId,
  parts: {
    readonly userId: string | null;
    readonly userSetting: string;
    /** Accounts at the broker that have open orders. */
    readonly accountsInUse?: () => readonly string[];
  },
): SessionUser {
  const { userId, userSetting, accountsInUse = () => [] } = parts;
  const isSame = (one: string, other: string): boolean =>
    one.trim().toUpperCase() === other.trim().toUpperCase();
  return {
    broker,
    setting: userSetting,
    isOtherUser: (found) => userId !== null && !isSame(found, userId),
    otherInUse(found) {
      if (userId !== null) return null;
      const inUse = accountsInUse();
      return inUse.some((account) => isSame(account, found)) ? null : (inUse[0] ?? null);
    },
  };
}
