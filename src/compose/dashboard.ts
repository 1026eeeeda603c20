import { join } from 'node:path';
import { createSignIns, type SignIns } from '../callers/sign-ins.ts';
import type { Callers } from '../callers/callers.ts';
import { ADMIN_ID } from '../callers/caller.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { must } from '../platform/values.ts';
import type { DashboardFiles } from '../routes/dashboard.ts';
import { linkPath } from '../routes/sign-ins.ts';
import type { Ports } from './ports.ts';
import type { Streams } from './streams.ts';

/** Beside `src`, in a clone as in the package: packaging/build-dashboard.ts writes it there. */
const BUILT = join(import.meta.dirname, '../../dashboard/dist');

export interface DashboardParts {
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly callers: Callers;
  readonly streams: Pick<Streams, 'recheck'>;
}

export interface Dashboard {
  readonly signIns: SignIns;
  readonly dashboard: DashboardFiles;
  /** The path of a link that signs a browser in as the admin. */
  readonly adminLink: () => string;
}

/** The page, and who is signed in to it. */
export function composeDashboard(
  parts: DashboardParts,
  files: Pick<Files, 'read'>,
  change: (built: DashboardFiles) => DashboardFiles = (built) => built,
): Dashboard {
  const { ports, dataDirectory, log, callers, streams } = parts;
  const signIns = createSignIns({
    ...{ ...ports, log, callers, path: join(dataDirectory, 'sign-ins.json') },
    ended: () => streams.recheck(),
  });
  return {
    signIns,
    dashboard: change((name) => files.read(join(BUILT, name))),
    adminLink() {
      const admin = must(callers.current(ADMIN_ID), 'a gateway has an admin key');
      return linkPath(signIns.issueLink(admin.caller).token.reveal());
    },
  };
}
