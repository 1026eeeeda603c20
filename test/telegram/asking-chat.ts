import { GatewayProblem } from '../../src/domain/problem.ts';
import type { Position } from '../../src/domain/portfolio.ts';
import { META } from '../routes/support/samples.ts';
import { commandsBench } from './commands-bench.ts';

export const [ALT, PAPER] = ['alt', 'paper'] as const;
type Row = Pick<Position, 'instrument' | 'product' | 'quantity'>;

export const unreadable = (detail = 'HTTP 500'): GatewayProblem =>
  new GatewayProblem({ code: 'broker_unavailable', detail });

/** A chat with a gateway whose accounts have these positions; an error is what a read of one rejects with. */
export async function chatWith(accounts: Readonly<Record<string, readonly Row[] | Error>>) {
  const bench = commandsBench();
  const [sample] = (await bench.gateway.gateway.getPositions()).data;
  const [status] = bench.gateway.gateway.getBrokers();
  if (!sample || !status) throw new Error('the fake gateway has no samples');
  const serves = ['account', 'trading'] as const;
  const modeOf = (broker: string) => (broker === PAPER ? 'paper' : 'live');
  bench.gateway.set({
    getBrokers: () =>
      Object.keys(accounts).map((broker) => ({ ...status, broker, mode: modeOf(broker), serves })),
    async getPositions({ broker = '' } = {}) {
      const rows = accounts[broker] ?? [];
      if (rows instanceof Error) throw rows;
      return { data: rows.map((row) => ({ ...sample, ...row })), meta: META };
    },
    getHoldings: async () => ({ data: [], meta: META }),
  });
  const asked = (name: string) => bench.gateway.calls.filter(([called]) => called === name);
  return { ...bench, asked };
}
