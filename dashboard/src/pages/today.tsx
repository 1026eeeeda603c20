import { Needs } from '../parts/needs.tsx';
import { OrdersTable } from '../parts/orders-table.tsx';
import { Positions } from '../parts/positions.tsx';
import { Ready } from '../parts/ready.tsx';
import { Stops } from '../parts/stops.tsx';
import { UnderWay } from '../parts/under-way.tsx';
import type { Schemas } from '../../../client/index.ts';
import { type Reading, useRead } from '../parts/use-read.ts';
import { profitOfDay } from '../pure/day-profit.ts';
import { gain } from '../pure/format.ts';
import type { Account } from '../pure/stop-words.ts';
import { usePage } from '../use-store.ts';

/** The first screen: can I trade, and what needs me. */
export function Today() {
  const { overview, accounts } = usePage();
  const trading = overview?.trading;
  const brakes = useRead('brakes', async (client) => (await client.getLimits()).brakes);
  return (
    <>
      <section class={`answer ${trading ?? ''}`} aria-labelledby="can-i-trade">
        <h1 id="can-i-trade">Can I trade?</h1>
        <p class="sentence" role="status">
          {overview?.sentence ?? 'Asking the gateway…'}
        </p>
      </section>
      <Needs />
      <section class="row" aria-label="The day">
        {accounts?.map((account) => (
          <DayProfit key={account.broker} account={account} brakes={brakes} />
        ))}
        <Stops />
      </section>
      <OrdersTable />
      <Positions />
      <UnderWay />
      <Ready />
    </>
  );
}

interface DayProfitProps {
  readonly account: Account;
  readonly brakes: Reading<Schemas['Brakes']>;
}

/** What an account has made today, by one rule, and which figure that is. */
function DayProfit({ account, brakes }: DayProfitProps) {
  const { broker, mode } = account;
  // Until the limits are read nobody knows which figure it is.
  const isRead = brakes !== null && 'data' in brakes;
  const { amount, words } = isRead
    ? profitOfDay(account, brakes.data, Date.now())
    : {
        amount: null,
        words: brakes === null ? 'asking…' : `the limits cannot be read: ${brakes.problem}`,
      };
  return (
    <p class={`figure ${mode}`} data-profit={broker}>
      <span>
        {mode === 'live' ? 'LIVE, real money' : 'PAPER'}: {broker}
      </span>
      <strong class="number">{gain(amount)}</strong>
      <small>the day’s profit: {words}</small>
    </p>
  );
}
