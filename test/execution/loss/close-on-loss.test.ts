import { describe, expect, it } from 'vitest';
import type { ClosingRecord } from '../../../src/execution/closings/closing.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { createCloseOnLoss } from '../../../src/execution/loss/close-on-loss.ts';
import { decideLossReached, lossOf } from '../../../src/execution/loss/decide-loss.ts';
import { decideKillSwitch } from '../../../src/execution/submit/brakes.ts';
import { GatewayProblem } from '../../../src/domain/problem.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import type { Decision } from '../../../src/platform/single-writer.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { accept, alertsOf, AT, DAY, eventsOf, portfolio, stateOf } from '../support/makers.ts';

/** The closer of an account whose loss has engaged the kill switch, with what it has begun under which key. */
function closerOf() {
  const time = new VirtualTime(AT);
  const state: MutableState = stateOf();
  const alerts: unknown[] = [];
  const messages: string[] = [];
  const keys: (string | null)[] = [];
  const bench = { problem: null as Error | null };
  const submit = async <Reply>(
    decide: (current: MutableState) => Decision<Change, Reply>,
  ): Promise<Reply> => {
    const decision = decide(state);
    alerts.push(...alertsOf(decision));
    messages.push(...eventsOf(decision).map(({ data }) => String(data['message'])));
    return accept(state, decision);
  };
  accept(state, decideKillSwitch(state, { engaged: true, reason: null, changedBy: null, at: AT }));
  accept(
    state,
    decideLossReached(state, {
      ...{ broker: 'alt', day: DAY, profit: -6_000, limit: 5_000, closes: true },
      ...{ message: 'a loss', at: AT },
    }),
  );
  const closing: ClosingRecord = {
    ...{ id: 'closing_1', caller: 'gateway', idempotencyKey: '', requestHash: '', day: DAY },
    ...{ positions: [], isCancelWanted: false, over: null, createdAt: AT, updatedAt: AT },
  };
  const closer = createCloseOnLoss('alt', {
    writer: { state, submit, idle: () => Promise.resolve(), onChange: () => undefined },
    commitRetry: { commit: (decide) => submit((now) => decide(now, false)), stop: () => undefined },
    ...{ clock: time, scheduler: time, now: () => time.now() },
    log: createLog(createPino('silent', { write: () => undefined })),
    closings: {
      begin({ idempotencyKey }) {
        keys.push(idempotencyKey);
        if (bench.problem) return Promise.reject(bench.problem);
        const begun = { ...closing, idempotencyKey: idempotencyKey ?? '' };
        state.closings.set(begun.id, begun);
        return Promise.resolve({ closing: begun, repeated: keys.length > 1 });
      },
    },
    track: (work) => work,
  });
  const told = () => lossOf(state, 'alt', DAY)?.closing;
  const release = (): void =>
    void accept(
      state,
      decideKillSwitch(state, { engaged: false, reason: null, changedBy: 'admin', at: AT }),
    );
  const breach = { day: DAY, at: AT };
  return { closer, time, state, alerts, messages, keys, bench, told, breach, release };
}

const UNREADABLE = new GatewayProblem({ code: 'broker_unavailable', detail: 'HTTP 500' });

describe('the closing that a loss asks for', () => {
  it('is asked for under one key, however often that is tried', async () => {
    const { closer, time, keys, bench, told, breach } = closerOf();
    bench.problem = UNREADABLE;
    closer.begin(breach);
    await time.advance(10_000);
    expect([new Set(keys).size, keys.length]).toEqual([1, 4]);
    bench.problem = null;
    await time.advance(10_000);
    expect([new Set(keys).size, keys.length, told()]).toEqual([
      ...[1, 5],
      { kind: 'begun', id: 'closing_1' },
    ]);
  });

  it('that had begun before a crash is found by its key, also after minutes', async () => {
    const { closer, time, keys, state, told, breach, alerts } = closerOf();
    closer.begin(breach);
    await time.advance(0);
    const [loss] = [...state.killSwitch.values()].flatMap(({ losses = [] }) => losses);
    const [[key, row] = []] = [...state.killSwitch];
    if (!loss || key === undefined || !row) throw new Error('there is no loss');
    // The crash came before that was noted.
    state.killSwitch.set(key, { ...row, losses: [{ ...loss, closing: { kind: 'wanted' } }] });
    await time.advance(600_000);
    closer.resume();
    await time.advance(0);
    expect([new Set(keys).size, told()]).toEqual([1, { kind: 'begun', id: 'closing_1' }]);
    expect(alerts).not.toContain('critical');
  });

  it('does not begin once a person has released the kill switch', async () => {
    const { closer, time, keys, bench, told, breach, release } = closerOf();
    bench.problem = UNREADABLE;
    closer.begin(breach);
    await time.advance(1_000);
    const tries = keys.length;
    release();
    bench.problem = null;
    await time.advance(60_000);
    const reason = 'the kill switch was released before';
    expect([keys.length, told()]).toEqual([tries, { kind: 'not_begun', reason }]);
  });

  it.each([
    ['goes on after a crash of less than five minutes', 299_000, 'begun'],
    ['does not begin by itself after a longer one, and says so', 301_000, 'not_begun'],
  ])('%s', async (_what, ms, kind) => {
    const { closer, time, told, alerts } = closerOf();
    await time.advance(ms);
    closer.resume();
    await time.advance(0);
    expect(told()?.kind).toBe(kind);
    expect(alerts.includes('critical')).toBe(kind === 'not_begun');
  });

  it('says that it is not carried out where the gateway makes a mistake', async () => {
    const { closer, time, bench, told, alerts, breach } = closerOf();
    bench.problem = new Error('of a programmer');
    closer.begin(breach);
    await time.advance(0);
    expect([alerts, told()]).toMatchObject([['critical'], { kind: 'not_begun' }]);
  });

  it('names what rows show that could not be read whole, where it is not carried out', async () => {
    const { closer, time, state, bench, breach, messages } = closerOf();
    const row = { list: 'positions', product: 'INTRADAY', reason: 'a price' } as const;
    const unread = [
      { ...row, instrument: 'NSE:INFY', quantity: 10 },
      { ...row, instrument: 'NSE:TCS', quantity: null },
    ];
    state.portfolios.set('alt', portfolio({ broker: 'alt', unread }));
    bench.problem = new Error('of a programmer');
    closer.begin(breach);
    await time.advance(0);
    expect(messages.at(-1)).toContain(': 10 NSE:INFY, what rows say that cannot be read');
  });

  it('ends with the process, and says nothing', async () => {
    const { closer, time, bench, told, keys, alerts, breach } = closerOf();
    bench.problem = UNREADABLE;
    closer.begin(breach);
    await time.advance(0);
    closer.stop();
    await time.advance(600_000);
    expect([keys.length, alerts, told()]).toEqual([1, ['warning'], { kind: 'wanted' }]);
  });
});
