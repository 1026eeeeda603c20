import type { Ports } from '../../src/compose.ts';
import { openDatabase, type Database, type DatabaseOpener } from '../../src/platform/database.ts';
import { createDataLock, type DataLock } from '../../src/platform/data-lock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import type { HttpTransport } from '../../src/platform/http.ts';
import type { Scheduler } from '../../src/platform/clock.ts';

export interface Life {
  readonly ports: Pick<Ports, 'scheduler' | 'transport' | 'openDatabase' | 'lockData'>;
  /**
   * The process is gone, as after SIGKILL: no timer fires any more, no reply arrives, nothing is
   * written, and the kernel lets go of its files. Whatever it waited for never settles.
   */
  kill(): void;
}

export interface LifeParts {
  readonly scheduler: Scheduler;
  readonly transport: HttpTransport;
  readonly openDatabase?: DatabaseOpener | undefined;
}

/** The ports of one process, which all go silent at once. */
export function createLife(parts: LifeParts): Life {
  const { scheduler, transport, openDatabase: open = openDatabase } = parts;
  const lock = createDataLock(systemFiles);
  const databases: Database[] = [];
  const locks: ReturnType<DataLock>[] = [];
  let alive = true;

  const whileAlive = (run: () => void) => (): void => {
    if (alive) run();
  };

  return {
    ports: {
      scheduler: {
        after: (ms, run) => scheduler.after(ms, whileAlive(run)),
        endOfTurn: (run) => scheduler.endOfTurn(whileAlive(run)),
      },
      transport: {
        send: (request) =>
          new Promise((resolve) => {
            if (!alive) return;
            void transport.send(request).then((reply) => {
              if (alive) resolve(reply);
            });
          }),
        connectAhead: (target) => transport.connectAhead(target),
        close: () => transport.close(),
      },
      openDatabase(path, room) {
        const database = open(path, room);
        databases.push(database);
        return database;
      },
      lockData(directory) {
        const held = lock(directory);
        locks.push(held);
        return held;
      },
    },
    kill() {
      alive = false;
      for (const database of databases) {
        database.rollback();
        database.close();
      }
      for (const held of locks) held.release();
    },
  };
}
