import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply, WireRequest } from '../kernel/wire.ts';
import { createRealClock } from '../transport/real-clock.ts';
import { serveSandbox, type ServedSandbox } from '../transport/serve.ts';
import { demoControl } from './control.ts';
import { createGatewayCalls } from './gateway-calls.ts';
import { keepRunning, type KeptGateway } from './keep-running.ts';
import { launchGateway } from './launch-gateway.ts';
import { createRuns } from './runs.ts';
import { ADMIN_KEY, type DemoPorts, gatewayEnvironment, KITE, PRIMARY_TOKEN } from './settings.ts';

/** How long the callers of the demo wait for an answer. The gateway itself waits 8 s for Kite's. */
const TIMEOUT_MS = 3_000;

export interface DemoOptions {
  readonly ports: DemoPorts;
  /** Further settings of the gateway. */
  readonly further: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One line for the person at the terminal. */
  readonly tell: (line: string) => void;
}

/** The sandbox in this process, and the gateway in one of its own. Disposing it ends both, and deletes their data. */
export interface Demo extends AsyncDisposable {
  readonly gateway: KeptGateway;
  readonly served: ServedSandbox;
  /** Deleted at the end. */
  readonly dataDirectory: string;
}

/** Rejects where a port cannot be had or a setting is wrong. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { ports, further, environment, tell } = options;
  await using stack = new AsyncDisposableStack();
  // A new directory, deleted with the demo: never the one where real orders are kept.
  const dataDirectory = mkdtempSync(join(tmpdir(), 'altbroker-demo-'));
  stack.defer(() => rmSync(dataDirectory, { recursive: true, force: true }));
  let control: ((request: WireRequest) => Reply | null) | null = null;
  const sandbox = await serveSandbox({
    ports: { kite: ports.kite, primary: ports.primary, control: ports.control },
    control: (request) => control?.(request) ?? null,
    settings: {
      market: 'always-open',
      kite: {
        ...KITE,
        redirectUrl: `http://127.0.0.1:${ports.gateway}/api/altbroker/callback`,
        postbackUrl: `http://127.0.0.1:${ports.postback}/api/altbroker/postback`,
      },
      primary: { accessToken: PRIMARY_TOKEN, clientId: '1234567' },
    },
  });
  stack.defer(() => sandbox.close());
  const clock = createRealClock();
  stack.defer(() => clock.stop());
  const variables = gatewayEnvironment({
    ...{ ports, dataDirectory, sandbox, further, environment },
  });
  const gateway = await keepRunning({ launch: () => launchGateway(variables), clock, tell });
  stack.defer(() => gateway.stop());
  const calls = createGatewayCalls(gateway.url, ADMIN_KEY, fetch);
  const runs = createRuns({
    ...{ clock, fetch, sandbox: sandbox.sandbox, gateway: calls, process: gateway },
    kite: { origin: sandbox.kiteOrigin, apiKey: KITE.apiKey },
    timeoutMs: TIMEOUT_MS,
    newKey: () => `demo-${randomUUID().slice(0, 8)}`,
  });
  const isLoggedIn = (): boolean => sandbox.sandbox.kite.liveToken() !== null;
  control = (request) =>
    demoControl({ runs, process: gateway, isLoggedIn, loginUrl: calls.loginUrl }, request);
  const owned = stack.move();
  return {
    ...{ gateway, served: sandbox, dataDirectory },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
