import { inProcessTransport } from '../../sandbox/transport/in-process.ts';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
import { createSandbox, type Sandbox } from '../../sandbox/kernel/sandbox.ts';
import { createAltBroker, type AltBroker } from '../../src/adapters/alt/index.ts';
import { createPrimaryBroker } from '../../src/adapters/primary/index.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { Broker } from '../../src/domain/ports.ts';
import {
  createInstrumentDirectory,
  type InstrumentDirectory,
} from '../../src/instruments/directory.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createSandboxTransport } from '../support/sandbox-transport.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** Both live brokers over one sandbox, with the masters loaded and the price of NSE:INFY pinned. */
export interface ContractWorld {
  readonly time: VirtualTime;
  readonly sandbox: Sandbox;
  readonly alt: AltBroker;
  readonly primary: Broker;
  readonly directory: InstrumentDirectory;
  readonly infosys: Instrument;
  readonly sent: HttpRequest[];
  loseTokens(): void;
}

const PRIMARY_TOKEN = 'primary-raw-token';
const KITE = { apiKey: 'kitekey', apiSecret: 'kitesecret' };

export async function createContractWorld(
  options: {
    readonly remarks?: boolean;
    /** How long a new connection takes to open, ms; none when absent. */
    readonly connectingMs?: () => number;
  } = {},
): Promise<ContractWorld> {
  const remarks = options.remarks ?? false;
  // An ordinary trading day.
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const sandbox = createSandbox({
    clock: time,
    random: seededRandom('contract'),
    market: 'exchange',
    kite: {
      ...KITE,
      userId: 'AB1234',
      origin: 'http://kite.test',
      redirectUrl: 'http://gateway.test/callback',
      postbackUrl: null,
    },
    primary: {
      accessToken: PRIMARY_TOKEN,
      clientId: '1',
      origin: 'http://primary.test',
      remarks,
    },
    post: () => undefined,
  });
  sandbox.exchange.setPrice('NSE:INFY', 150_000);
  const wire = inProcessTransport(sandbox, time);
  const unchanged = (_request: HttpRequest, body: string): string => body;
  const transport = createSandboxTransport(wire, time, unchanged, options.connectingMs);
  let directory: InstrumentDirectory | null = null;
  let altToken: string | null = sandbox.kite.loginDirect();
  let primaryToken: string | null = PRIMARY_TOKEN;
  const common = { transport, clock: time, scheduler: time, log: silentLog };
  const alt = createAltBroker({
    ...common,
    accessToken: () => altToken,
    onDeadToken: (dead) => {
      if (dead === altToken) altToken = null;
    },
    settings: {
      ...KITE,
      apiRoot: 'http://kite.test',
      loginUrl: 'http://kite.test/connect/login',
      ordersOverIpv4: true,
    },
  });
  const primary = createPrimaryBroker({
    knownDerivative: () => Promise.resolve(null),
    ...common,
    accessToken: () => primaryToken,
    instruments: {
      byName: (name) => directory?.byName(name) ?? null,
      bySecurityId: (...about) => directory?.ofBroker('primary').bySecurityId(...about) ?? null,
      own: (instrument) => directory?.ofBroker('primary').own(instrument) ?? instrument,
    },
    settings: { baseUrl: 'http://primary.test', remarks, extraTerminalStatuses: [] },
  });
  directory = createInstrumentDirectory({
    sources: [primary.instruments!, alt.instruments],
    blocked: () => null,
    kept: null,
    clock: time,
    scheduler: time,
    log: silentLog,
  });
  await time.settle(directory.ensureLoaded());
  const infosys = directory.resolve('NSE:INFY');
  if (!infosys) throw new Error('the sandbox lists no NSE:INFY');
  transport.sent.length = 0;
  return {
    time,
    sandbox,
    alt,
    primary,
    directory,
    infosys,
    sent: transport.sent,
    loseTokens() {
      altToken = null;
      primaryToken = null;
    },
  };
}
