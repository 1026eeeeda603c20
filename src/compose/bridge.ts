import { readBridgeSettings } from '../config/bridge-settings.ts';
import { runStdioBridge } from '../mcp/stdio-bridge.ts';
import { systemScheduler } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import type { Files } from '../platform/files.ts';
import type { HttpTransport } from '../platform/http.ts';
import { createHttpTransport } from '../platform/http-transport.ts';
import type { StandardStreams } from '../platform/standard-streams.ts';

export interface BridgeParts {
  readonly environment: Environment;
  readonly files: Files;
  readonly streams: StandardStreams;
  /** The real one when absent. */
  readonly transport?: HttpTransport;
}

/**
 * The bridge between an assistant and the gateway that runs. It opens no data directory and no broker. Throws
 * what a wrong setting throws.
 */
export async function composeBridge({ environment, files, streams, ...given }: BridgeParts) {
  const settings = readBridgeSettings(environment, files);
  const transport = given.transport ?? createHttpTransport(systemScheduler);
  try {
    await runStdioBridge({ ...settings, transport, streams });
  } finally {
    await transport.close();
  }
}
