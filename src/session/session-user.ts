import type { BrokerId } from '../domain/broker.ts';

/** Who may hold a session with a broker. */
export interface SessionUser {
  readonly broker: BrokerId;
  /** The setting that names the user, for messages. */
  readonly setting: string;
  /** With no user configured, whoever holds the account may log in. */
  isOtherUser(userId: string): boolean;
}

export function createSessionUser(
  broker: BrokerId,
  { userId, userSetting }: { readonly userId: string | null; readonly userSetting: string },
): SessionUser {
  return {
    broker,
    setting: userSetting,
    isOtherUser: (found) => userId !== null && found.toUpperCase() !== userId.trim().toUpperCase(),
  };
}
