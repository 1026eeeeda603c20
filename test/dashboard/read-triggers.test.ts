import { describe, expect, it } from 'vitest';
import { type Client, ProblemError } from '../../client/index.ts';
import { readTriggers } from '../../dashboard/src/read-triggers.ts';

type Reader = Pick<Client, 'items'>;

/** A gateway whose paper account takes no triggers; `code` is what it answers there. */
function gateway(code: 'not_supported' | 'broker_unavailable' = 'not_supported') {
  const asked: string[] = [];
  async function* items(_name: string, { broker }: { broker: string }) {
    asked.push(broker);
    if (broker === 'paper') {
      const problem = { code, detail: 'no', mayHaveExecuted: false } as ProblemError['problem'];
      const facts = { operation: 'getTriggers', key: null, attempts: 1 };
      throw new ProblemError(problem, { ...facts, httpStatus: 501, retryAfterMs: null });
    }
    yield await Promise.resolve({ id: 't1', status: 'waiting' });
    yield { id: 't2', status: 'ended' };
  }
  return { asked, client: { items } as unknown as Reader };
}

describe('the triggers of an account', () => {
  it('are those that may still place an order, read each time', async () => {
    const { asked, client } = gateway();
    expect(await readTriggers(client, 'alt', 0)).toMatchObject([{ id: 't1' }]);
    await readTriggers(client, 'alt', 0);
    expect(asked).toEqual(['alt', 'alt']);
  });

  it('are asked for once where the account takes none, until the gateway comes back', async () => {
    const { asked, client } = gateway();
    expect(await readTriggers(client, 'paper', 0)).toBeNull();
    expect(await readTriggers(client, 'paper', 0)).toBeNull();
    expect(asked).toEqual(['paper']);
    expect(await readTriggers(client, 'paper', 1_000)).toBeNull();
    expect(asked).toEqual(['paper', 'paper']);
    // Another sign-in knows nothing of it.
    const other = gateway();
    await readTriggers(other.client, 'paper', 1_000);
    expect(other.asked).toEqual(['paper']);
  });

  it('that cannot be read are never none, and are asked for again', async () => {
    const { asked, client } = gateway('broker_unavailable');
    await expect(readTriggers(client, 'paper', 0)).rejects.toThrow('no (broker_unavailable)');
    await expect(readTriggers(client, 'paper', 0)).rejects.toThrow();
    expect(asked).toHaveLength(2);
  });
});
