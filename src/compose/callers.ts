import { join } from 'node:path';
import { createCallers, type Callers } from '../callers/callers.ts';
import type { Configuration } from '../config/settings.ts';
import type { Execution } from '../execution/execution.ts';
import type { Log } from '../platform/log.ts';
import { keyBrakes } from './key-brakes.ts';
import type { Ports } from './ports.ts';
import type { Streams } from './streams.ts';
import { tellingKeyChanges } from './tell-changes.ts';

export interface CallersParts {
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly execution: Execution;
  readonly streams: Pick<Streams, 'recheck'>;
}

/** The keys of the data directory, and what follows from a change of one. */
export function composeCallers(parts: CallersParts): Callers {
  const { configuration, ports, dataDirectory, log, execution, streams } = parts;
  const callers = createCallers({
    ...ports,
    log,
    path: join(dataDirectory, 'callers.json'),
    adminKeyPath: join(dataDirectory, 'admin-key'),
    adminKey: configuration.secrets.adminKey,
    changed(keys) {
      execution.setKeyBrakes(keyBrakes(keys));
      streams.recheck();
    },
  });
  return tellingKeyChanges(callers, parts);
}
