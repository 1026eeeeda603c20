import type { Log } from '../../platform/log.ts';
import type { ChangeStore } from '../../platform/single-writer.ts';
import type { Change } from './records.ts';

/** Puts alerts into the log as well, once they are on disk: not everybody reads events. */
export function announcing(store: ChangeStore<Change>, log: Log): ChangeStore<Change> {
  return {
    async commit(units) {
      const result = await store.commit(units);
      for (const change of units.slice(0, result.committed).flat()) announce(change, log);
      return result;
    },
  };
}

function announce(change: Change, log: Log): void {
  if (change.table !== 'events' || change.row?.type !== 'alert') return;
  const { orderId, data } = change.row;
  const fields = orderId === null ? {} : { orderId };
  log[data.level === 'critical' ? 'error' : 'warn'](String(data.message), fields);
}
