import { parentPort } from 'node:worker_threads';
import { serveSandbox } from '../sandbox/door/serve.ts';
import { BENCH_KITE, BENCH_PRIMARY_TOKEN } from './settings.ts';

/** The sandbox brokers on a thread of their own, as they are on a machine of their own. */
const sandbox = await serveSandbox({
  settings: {
    market: 'always-open',
    enforceLimits: false,
    kite: { ...BENCH_KITE, redirectUrl: 'http://127.0.0.1/callback', postbackUrl: null },
    primary: { accessToken: BENCH_PRIMARY_TOKEN, clientId: '1' },
  },
});
parentPort?.postMessage({
  kite: sandbox.kiteOrigin,
  primary: sandbox.primaryOrigin,
  token: sandbox.sandbox.kite.loginDirect(),
});
