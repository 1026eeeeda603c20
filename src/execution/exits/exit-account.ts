import type { BrokerId } from '../../domain/broker.ts';
import type { Trading } from '../../domain/ports.ts';
import { isSameAccount } from '../journal/records.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';

/**
 * The code of a problem where it could not be read what an account holds: without a session only a login helps, and
 * otherwise the same request may succeed later.
 */
export const unreadCode = (trading: Trading | undefined): 'token_absent' | 'broker_unavailable' =>
  trading?.blocked()?.cause === 'token' ? 'token_absent' : 'broker_unavailable';

/** The account of the session at a broker; null where it is not known. */
export const accountNow = async (trading: Trading | undefined): Promise<string | null> =>
  (await trading?.account?.()) ?? null;

/**
 * Why an exit, or a closing, that began for one account does nothing now; null where it may go on. Another
 * user of the broker may have logged in since: that account's positions say nothing of it, and are not its to
 * close.
 */
export async function otherAccountNow(
  parts: { readonly poller: (broker: BrokerId) => BookPoller | null },
  { broker, account = null }: { readonly broker: BrokerId; readonly account?: string | null },
): Promise<string | null> {
  if (account === null) return null;
  const now = await accountNow(parts.poller(broker)?.trading);
  if (now === null || isSameAccount(now, account)) return null;
  return `the session at ${broker} is of ${now}, and this began for ${account}: log in as ${account}`;
}
