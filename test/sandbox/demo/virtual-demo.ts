import { inProcessTransport } from '../../../sandbox/transport/in-process.ts';
import { createGatewayCalls, type GatewayCalls } from '../../../sandbox/demo/gateway-calls.ts';
import type { Fetch } from '../../../sandbox/demo/naive-script.ts';
import type { RunParts } from '../../../sandbox/demo/run-parts.ts';
import type { RunName, RunRecord } from '../../../sandbox/demo/run-record.ts';
import { createRuns, type Runs } from '../../../sandbox/demo/runs.ts';
import { ADMIN_KEY, createRig, KITE, type Rig } from '../../support/rig.ts';

const GATEWAY = 'http://127.0.0.1:8420';
const KITE_ORIGIN = 'http://kite.test';

/** The runs of the demo, over a whole gateway and a whole sandbox, under a clock that the test moves. */
export interface VirtualDemo extends AsyncDisposable {
  readonly rig: Rig;
  readonly runs: Runs;
  /** A run from its beginning to its end. */
  run(name: RunName): Promise<RunRecord>;
}

/** `alter` puts a gateway in place that breaks its promise. */
export async function createVirtualDemo(
  alter: (calls: GatewayCalls) => GatewayCalls = (calls) => calls,
): Promise<VirtualDemo> {
  const rig = await createRig();
  const process = killable(rig);
  const fetch = fetchOf(rig, process.cut);
  const calls = createGatewayCalls(GATEWAY, ADMIN_KEY, fetch);
  let keys = 0;
  const parts: RunParts = {
    ...{ clock: rig.time, fetch, sandbox: rig.sandbox, gateway: alter(calls), process },
    kite: { origin: KITE_ORIGIN, apiKey: KITE.apiKey },
    timeoutMs: 3_000,
    newKey: () => `key-${(keys += 1)}`,
  };
  const runs = createRuns(parts);
  return {
    rig,
    runs,
    async run(name) {
      const started = runs.start(name);
      if (started.kind === 'busy') throw new Error('another run has not ended');
      await rig.time.settle(ended(runs, rig));
      const record = runs.newest();
      if (record === null) throw new Error('a run was started');
      return record;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(rig[Symbol.asyncDispose]()),
  };
}

const ended = (runs: Runs, rig: Rig): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (runs.newest()?.state === 'running') rig.time.after(50, look);
      else resolve();
    };
    look();
  });

/** The process of the gateway: killed where it stands, and started again on what is on disk. */
function killable(rig: Rig) {
  const open = new Set<() => void>();
  let starting: Promise<void> = Promise.resolve();
  return {
    kill() {
      starting = rig.crash();
      for (const cut of open) cut();
      open.clear();
    },
    listening: () => starting,
    /** Rejects once the process is killed, as a connection to it does. */
    cut: (reject: () => void): void => void open.add(reject),
  };
}

/** Reaches the gateway and Kite in this process, as fetch reaches them over sockets. */
function fetchOf(rig: Rig, cut: (reject: () => void) => void): Fetch {
  const kite = inProcessTransport(rig.sandbox, rig.time);
  return (url, init = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', signal } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      signal?.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
      const text = init.body === undefined ? undefined : String(init.body);
      if (url.startsWith(GATEWAY)) {
        cut(() => reject(new TypeError('fetch failed')));
        const body = text === undefined ? {} : { text };
        const path = url.slice(GATEWAY.length);
        rig
          .begin({ method, path, headers, ...body })
          .then((reply) => resolve(new Response(reply.text, { status: reply.status })), reject);
        return;
      }
      const request = { method, url, headers, body: text ?? '' };
      void kite.send(request).then((reaction) => {
        if (reaction.kind !== 'answer') throw new Error(`not played here: ${reaction.kind}`);
        resolve(new Response(reaction.body, { status: reaction.status }));
      });
    });
}
