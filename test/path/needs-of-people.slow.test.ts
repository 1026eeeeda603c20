import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOGIN_PATH, type Need, type NeedWay, wayOf } from '../../dashboard/src/pure/needs.ts';
import { placeAt } from '../../dashboard/src/pure/places.ts';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import { identifyFile } from '../../src/platform/directories.ts';
import { NEEDS } from '../../src/router/needs.ts';
import { routesWithoutGateway } from '../support/gateway-document.ts';
import type { Rig } from '../support/rig.ts';
import { reach, withTrigger } from './fired-trigger.ts';
import { addHook } from './hooks.ts';
import { placeTrigger, spoilTriggers, STOP } from './trigger-walk.ts';
import { BUY, loggedInRig, pinnedRig, place, RESTING, spoilPlacing, spoilReading } from './walk.ts';

/** The directory in which a copy is made. */
let parent: string;
beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'abg-needs-'))));
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const needsOf = async (rig: Rig): Promise<readonly Need[]> =>
  (await rig.get('/api/v1/overview')).body.data.needs;

interface Walk {
  /** Brings it about, in the rig that it gives. */
  readonly cause: () => Promise<Rig>;
  /** The line that a person reads. */
  readonly line: RegExp;
  /** What the dashboard offers. */
  readonly way: NeedWay['is'] | null;
}

const held = async (): Promise<Rig> => {
  const rig = await loggedInRig();
  await place(rig, { ...BUY, product: 'INTRADAY', broker: 'alt' }, 'held');
  await rig.time.advance(10_000);
  // No order of the way out is answered.
  spoilPlacing(rig, 'hang_before', { times: 5 });
  return rig;
};

const WALKS: Readonly<Record<(typeof NEEDS)[number], readonly Walk[]>> = {
  disarmed: [
    {
      async cause() {
        const rig = await loggedInRig({ overrides: { identify: identifyFile } });
        const { environment } = rig;
        const copy = join(parent, 'copy');
        await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
        cpSync(rig.dataDirectory, copy, { recursive: true, preserveTimestamps: true });
        await rig.restart({
          ...environment,
          get: (name) => (name === 'APP_DATA_DIR' ? copy : environment.get(name)),
        });
        return rig;
      },
      ...{ line: /^this data directory is a copy/, way: 'arm' },
    },
  ],
  kill_switch: [
    {
      async cause() {
        const rig = await loggedInRig();
        await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'enough' });
        return rig;
      },
      ...{ line: /^the kill switch is engaged \(enough\): an admin can release it$/, way: null },
    },
  ],
  session: [
    { cause: () => pinnedRig(), line: /^nobody is logged in at alt: log in$/, way: 'login' },
    {
      async cause() {
        const rig = await loggedInRig();
        await rig.time.advanceTo('2026-11-07T07:00:00+05:30');
        return rig;
      },
      ...{ line: /^the login at alt ended on .*: log in$/, way: 'login' },
    },
  ],
  exit: [
    {
      async cause() {
        const rig = await held();
        await rig.post('/api/v1/exits', { instrument: 'NSE:INFY', product: 'INTRADAY' });
        await rig.time.advance(120_000);
        return rig;
      },
      ...{ line: /^the exit of NSE:INFY \(INTRADAY\) at alt stopped on .*new exit$/, way: 'part' },
    },
  ],
  closing: [
    {
      async cause() {
        const rig = await held();
        await rig.post('/api/v1/positions/close-all', { broker: 'alt' });
        await rig.time.advance(120_000);
        return rig;
      },
      ...{ line: /^the closing of positions stopped on .*NSE:INFY.*exit them again$/, way: 'part' },
    },
  ],
  order: [
    {
      async cause() {
        const rig = await loggedInRig();
        spoilPlacing(rig, 'error_before');
        await place(rig, BUY, 'never');
        return rig;
      },
      ...{
        line: /^it is not known whether BUY 10 NSE:INFY at alt.*not place it again$/,
        way: 'page',
      },
    },
  ],
  trigger: [
    {
      async cause() {
        const rig = await loggedInRig();
        spoilTriggers(rig, 'reset_before', 'POST');
        await placeTrigger(rig, STOP, 'stop');
        return rig;
      },
      ...{
        line: /^it is not known whether the trigger NSE:INFY .*do not place it again$/,
        way: 'page',
      },
    },
    {
      async cause() {
        const { rig } = await withTrigger();
        await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
        reach(rig);
        await rig.time.advanceTo('2026-11-09T10:00:00+05:30');
        await rig.restart();
        await rig.logIn();
        await rig.time.advance(120_000);
        return rig;
      },
      ...{
        line: /^nothing tells any more how much the order of the trigger NSE:INFY .*0 for nothing$/,
        way: 'page',
      },
    },
  ],
  book: [
    {
      async cause() {
        const rig = await loggedInRig();
        await place(rig, RESTING, 'rests');
        spoilReading(rig, 'error_before', '/orders');
        await rig.time.advance(300_000);
        return rig;
      },
      ...{
        line: /^the order book of alt cannot be read since .*1 orders there are open/,
        way: null,
      },
    },
  ],
  token: [
    {
      async cause() {
        const dead = { status: 'error', error_type: 'TokenException', message: 'dead' };
        const rig = await pinnedRig({
          alter: ({ url }, body) => (url.endsWith('/funds') ? JSON.stringify(dead) : body),
        });
        await rig.get('/api/v1/funds?broker=primary');
        return rig;
      },
      ...{ line: /^the primary brokerage calls its access token dead: set a new/, way: null },
    },
  ],
  address: [
    {
      async cause() {
        const rig = await loggedInRig();
        const refusal = kiteRefusals.findIndex(({ reply }) =>
          String(reply.body).includes('IP (10.1.'),
        );
        spoilPlacing(rig, 'refused_after', { params: { refusal } });
        await place(rig, RESTING, 'from elsewhere');
        return rig;
      },
      ...{ line: /register 10\.1\.2\.3 at developers\.kite\.trade/, way: null },
    },
  ],
  prices: [
    {
      cause: () => pinnedRig({ environment: { APP_PRIMARY_ACCESS_TOKEN: '' } }),
      ...{
        line: /^no broker gives prices now: log in, or set the token of another one$/,
        way: null,
      },
    },
  ],
  signal: [
    {
      async cause() {
        const rig = await loggedInRig();
        await (await addHook(rig)).post('not JSON');
        return rig;
      },
      ...{ line: /^a signal of the hook tradingview was refused.*place it by hand$/, way: 'page' },
    },
  ],
  webhook: [
    {
      async cause() {
        const rig = await loggedInRig();
        // Nothing answers there.
        const made = await rig.post('/api/v1/webhooks', { url: 'https://203.0.113.5/hook' });
        if (made.status !== 201) throw new Error(made.text);
        await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'an event' });
        // Each try has real sockets, for which the clock of the test does not wait.
        for (let hour = 0; hour < 90; hour += 1) await rig.time.advance(3_600_000);
        return rig;
      },
      ...{ line: /^the webhook wh_.* is parked since .*\/revive$/, way: null },
    },
  ],
};

/** Whether the gateway has the route that a line names, such as `GET /api/v1/exits`. */
function hasRoute(method: string, path: string): boolean {
  return routesWithoutGateway().some(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

function expectReachable(way: NeedWay | null): void {
  if (way?.is === 'page') expect(placeAt(way.place), way.place).not.toBeNull();
  if (way?.is === 'login') expect(hasRoute('GET', way.path), way.path).toBe(true);
}

describe('what needs a person, from its cause to the line and to what the page offers', () => {
  for (const what of NEEDS) {
    it.each(WALKS[what])(`${what}: $line`, async ({ cause, line, way: is }) => {
      await using rig = await cause();
      const need = (await needsOf(rig)).find(
        (each) => each.what === what && line.test(each.detail),
      );
      expect(need, JSON.stringify(await needsOf(rig))).toBeDefined();
      if (need === undefined) return;
      const way = wayOf(need);
      expect(way?.is ?? null).toBe(is);
      expectReachable(way);
      for (const [, method = '', path = ''] of need.detail.matchAll(
        /\b(GET|POST|DELETE) (\/api\/[\w/{}-]+)/g,
      )) {
        expect(hasRoute(method, path), `${method} ${path}`).toBe(true);
      }
      // What a page or a route is about is there.
      const about = { order: 'orders', trigger: 'triggers', exit: 'exits' }[what as string];
      if (about !== undefined) {
        expect((await rig.get(`/api/v1/${about}/${need.id}`)).status).toBe(200);
      }
    });
  }

  it('leads to the list where there are more triggers than are told each', () => {
    const more: Need = { what: 'trigger', id: null, orderId: null, broker: null, detail: '' };
    expect(wayOf(more)?.is).toBe('part');
    expect(LOGIN_PATH).toBe('/api/altbroker/login');
    expect(placeAt('/nowhere')).toBeNull();
  });
});
