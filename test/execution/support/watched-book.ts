import type { Trading } from '../../../src/domain/ports.ts';
import { applyChange, type MutableState } from '../../../src/execution/journal/state.ts';
import { createBookPoller } from '../../../src/execution/reconcile/book-poller.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { createSingleWriter } from '../../../src/platform/single-writer.ts';
import type { VirtualTime } from '../../support/virtual-time.ts';
import { listed } from './lying-broker.ts';

/** A gateway that watches the book of one broker, which a test writes, and keeps its journal in memory. */
export function watchedBook(time: VirtualTime, state: MutableState, trading: Trading) {
  const alerts: string[] = [];
  const writer = createSingleWriter({
    state,
    apply: applyChange,
    scheduler: time,
    store: {
      commit(units) {
        for (const change of units.flat()) {
          if (change.table !== 'events' || change.row?.type !== 'alert') continue;
          alerts.push(String(change.row.data['message']));
        }
        return Promise.resolve({ committed: units.length, error: null });
      },
    },
  });
  return {
    writer,
    /** The messages of the alerts that were raised. */
    alerts,
    /** Each call is another process on the same journal. */
    poll: () =>
      createBookPoller({
        trading,
        instruments: { byName: listed },
        writer,
        clock: time,
        scheduler: time,
        log: silentLog,
        settings: {
          pollMs: 1_000,
          tagMark: 'Mark',
          absentAfterMs: 180_000,
          unrecognisedMs: 60_000,
          marketHours: 'exchange',
        },
        sendKeptCancel: () => undefined,
        beforeRead: () => Promise.resolve(),
        onRead: () => undefined,
        readAccount: () => Promise.resolve(null),
      }),
  };
}
