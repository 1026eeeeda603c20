import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT_STATUSES } from '../../src/domain/exit.ts';
import { LISTED_TRIGGER_STATUSES } from '../../src/domain/trigger.ts';
import { epochMs } from '../../src/units/branded.ts';
import { expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { CLOSING, EXIT, NOW } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const get = (path: string) => app.http.get(path).set('Authorization', KEYS.read);

interface List {
  readonly path: string;
  readonly all: readonly string[];
  readonly open: readonly string[];
  /** The list has one entry of each of these states, oldest first, whose id is `id`. */
  readonly has: (statuses: readonly string[]) => Promise<void>;
  readonly id: (number: number) => string;
}

const at = (number: number) => ({ createdAt: epochMs(NOW + number) });
const uuid = (number: number) => `0193576c-2f00-7000-8000-${`${number}`.padStart(12, '0')}`;

const EXITS: List = {
  path: '/api/v1/exits',
  all: EXIT_STATUSES,
  open: ['running'],
  has: async (statuses) => {
    const exits = statuses.map((status, n) => ({ ...EXIT, id: EXITS.id(n), ...at(n), status }));
    app.fake.set({ getExits: async () => exits as never });
  },
  id: (number) => `exit_${uuid(number)}`,
};
const CLOSINGS: List = {
  path: '/api/v1/positions/close-all',
  all: EXIT_STATUSES,
  open: ['running'],
  has: async (statuses) => {
    const all = statuses.map((status, n) => ({ ...CLOSING, id: CLOSINGS.id(n), ...at(n), status }));
    app.fake.set({ getClosings: async () => all as never });
  },
  id: (number) => `closing_${uuid(number)}`,
};
const TRIGGERS: List = {
  path: '/api/v1/triggers',
  all: LISTED_TRIGGER_STATUSES,
  open: ['waiting', 'unrecognised', 'sending', 'uncertain'],
  has: async (statuses) => {
    const { data, meta } = await app.fake.gateway.getTriggers();
    const triggers = statuses.map((status, n) => ({
      ...{ ...data[0]!, id: TRIGGERS.id(n), triggerId: `${100 + n}` },
      ...{ ...at(n), status },
    }));
    app.fake.set({ getTriggers: async () => ({ data: triggers as never, meta }) });
  },
  id: (number) => `trg_${number}`,
};
const LISTS = [EXITS, CLOSINGS, TRIGGERS].map((list) => [list.path, list] as const);

async function statusesOf(path: string): Promise<readonly string[]> {
  const reply = await get(path);
  expect(reply.status).toBe(200);
  return reply.body.data.map(({ status }: { status: string }) => status);
}

describe.each(LISTS)('the statuses that GET %s takes', (path, list) => {
  it('are each state by itself, several of them, and `open` for all that are not over', async () => {
    await list.has(list.all);
    for (const each of list.all) {
      expect(await statusesOf(`${path}?status=${each}`)).toEqual([each]);
    }
    expect(await statusesOf(`${path}?status=open`)).toEqual(list.open);
    const over = list.all.filter((each) => !list.open.includes(each));
    expect(await statusesOf(`${path}?status=${over.join(',')}`)).toEqual(over);
    expect(await statusesOf(`${path}?status=open,${over.join(',')}`)).toEqual(list.all);
    expect(await statusesOf(path)).toEqual(list.all);
  });

  it.each(['', 'opened', 'open,', 'OPEN', 'working', 'open&status=open'])(
    'are not %j, which is refused with those that it takes',
    async (status) => {
      const problem = expectProblem(await get(`${path}?status=${status}`), 400, 'invalid_request');
      expect(problem.detail).toContain('query.status: takes');
      if (!status.includes('&')) {
        const takes = `takes one or more of ${[...list.all, 'open'].join(', ')}, separated by commas`;
        expect(problem.detail).toContain(takes);
      }
      expect(app.fake.calls).toEqual([]);
    },
  );

  it('leave no entry out and show none twice, page by page, also of one that ends in between', async () => {
    const [open, over] = [list.open[0]!, list.all.find((each) => !list.open.includes(each))!];
    const statuses = [open, over, open, open, over, open, over, open];
    await list.has(statuses);
    const first = await get(`${path}?status=open&limit=2`);
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([0, 2].map(list.id));
    // The last one of the first page, and one of the next page, are over now.
    await list.has(statuses.map((status, n) => (n === 2 || n === 5 ? over : status)));
    const cursor: string = first.body.meta.nextCursor;
    const next = await get(`${path}?status=open&limit=2&cursor=${cursor}`);
    expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual([3, 7].map(list.id));
    expect(next.body.meta.nextCursor).toBeNull();
  });
});
