import { inProcessTransport } from '../../../sandbox/transport/in-process.ts';
import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import { createSandbox } from '../../../sandbox/kernel/sandbox.ts';
import { createPrimaryBroker } from '../../../src/adapters/primary/index.ts';
import type { HttpReply, HttpRequest } from '../../../src/platform/http.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { Secret } from '../../../src/platform/secret.ts';
import { createSandboxTransport } from '../../support/sandbox-transport.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { failureOf, infosys, lookupOf } from './support.ts';

export const LOGIN = {
  apiKey: 'Kq7ownersKey55',
  mpin: '8642',
  totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
};
export const MINUTE = 60_050;

export interface Options {
  /** The token of the settings. */
  readonly configured?: string | null;
  readonly login?: Partial<typeof LOGIN>;
  readonly at?: string;
  readonly latencyMs?: readonly [number, number];
  /** Answers the token generator in place of the sandbox; undefined lets the sandbox answer. */
  readonly generator?: (request: HttpRequest) => HttpReply | undefined;
}

/** The adapter with a brokerage that accepts only the code of the present half minute. */
export function bench(options: Options = {}) {
  const time = new VirtualTime(options.at ?? '2026-11-20T10:00:10+05:30');
  const sandbox = createSandbox({
    market: 'exchange',
    clock: time,
    random: seededRandom('tokens'),
    latencyMs: options.latencyMs ?? [20, 20],
    kite: {
      ...{ apiKey: 'k', apiSecret: 's', userId: 'u', origin: 'http://kite.test' },
      ...{ redirectUrl: 'http://gateway.test', postbackUrl: null },
    },
    primary: {
      ...{ ...LOGIN, accessToken: 'token-of-the-settings', clientId: '1' },
      ...{ origin: 'http://primary.test', totp: 'no fixed one' },
    },
    post: () => undefined,
  });
  const wire = createSandboxTransport(inProcessTransport(sandbox, time), time);
  const lines: string[] = [];
  let sessions = 0;
  const login = { ...LOGIN, ...options.login };
  const broker = createPrimaryBroker({
    knownDerivative: () => Promise.resolve(null),
    transport: {
      ...wire,
      send(request) {
        const scripted = request.url.endsWith('/generate/token') && options.generator?.(request);
        if (!scripted) return wire.send(request);
        wire.sent.push(request);
        return Promise.resolve(scripted);
      },
    },
    clock: time,
    scheduler: time,
    log: createLog(createPino('debug', { write: (line: string) => void lines.push(line) })),
    instruments: lookupOf([infosys]),
    accessToken: () => (options.configured === undefined ? null : options.configured),
    login: {
      apiKey: new Secret(login.apiKey),
      mpin: new Secret(login.mpin),
      totpSecret: new Secret(login.totpSecret),
    },
    onToken: () => {
      sessions += 1;
    },
    settings: { baseUrl: 'http://primary.test', remarks: false, extraTerminalStatuses: [] },
  });
  const asked = () => wire.sent.filter(({ url }) => url.endsWith('/generate/token'));
  return {
    time,
    sandbox: sandbox.primary,
    faults: sandbox.faults,
    trading: broker.trading!,
    account: broker.account!,
    keepSession(): () => void {
      if (!broker.keepSession) throw new Error('this broker generates no tokens');
      return broker.keepSession();
    },
    sent: wire.sent,
    asked,
    lines,
    sessions: () => sessions,
    read: () => time.settle(broker.account!.funds()),
    failed: () => time.settle(failureOf(broker.account!.funds())),
  };
}
