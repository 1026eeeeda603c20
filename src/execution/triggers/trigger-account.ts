import { sleep } from '../../platform/clock.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import { hasTerms } from './match-trigger.ts';
import { termsAtBroker } from './terms-at-broker.ts';
import type { TriggerParts } from './trigger-parts.ts';
import { triggerBindingOf, type TriggerRecord } from './trigger.ts';
import type { TriggerWatch } from './trigger-watch.ts';

/** How long the list may take that is read where the names of two accounts differ; a deletion is a way out. */
const READ_MS = 3_000;

/**
 * Why the present session cannot change a trigger: it is another account's (docs/triggers.md). Null where it can. A
 * name alone holds back nothing that the session's own list shows: brokers may call one account by several names.
 */
export async function foreignReason(
  { clock, scheduler }: Pick<TriggerParts, 'clock' | 'scheduler'>,
  watch: Pick<TriggerWatch, 'of' | 'read'>,
  trigger: TriggerRecord,
): Promise<string | null> {
  const { trading } = watch.of;
  const account = (await trading.account?.()) ?? null;
  if (!isOfOtherAccount(trigger, account)) return null;
  const over = new AbortController();
  const late = sleep(scheduler, READ_MS, over.signal).then(() => null);
  const read = await Promise.race([watch.read(clock.elapsed()).catch(() => null), late]);
  over.abort();
  const bound = triggerBindingOf(trigger)?.triggerId;
  const isShown = read?.list.triggers.some(
    (row) => row.triggerId === bound && hasTerms(row, termsAtBroker(trigger)),
  );
  if (isShown === true) return null;
  const owner = trigger.account ?? '';
  return (
    `trigger ${trigger.id} is of account ${owner}, and the session at ${trigger.broker} is of ${account ?? ''}, ` +
    `whose list does not show it: log in as ${owner} to change it, or change it in the broker's own app`
  );
}
