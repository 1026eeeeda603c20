import { Needs } from '../parts/needs.tsx';
import { OrdersTable } from '../parts/orders-table.tsx';
import { Positions } from '../parts/positions.tsx';
import { Ready } from '../parts/ready.tsx';
import { Stops } from '../parts/stops.tsx';
import { gain, sum } from '../pure/format.ts';
import { usePage } from '../use-store.ts';

/** The first screen: can I trade, and what needs me. */
export function Today() {
  const { overview, accounts } = usePage();
  const trading = overview?.trading;
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
        {accounts?.map(({ broker, mode, positions }) => (
          <p key={broker} class={`figure ${mode}`}>
            <span>
              {mode === 'live' ? 'LIVE, real money' : 'PAPER'}: {broker}
            </span>
            <strong class="number">
              {gain(positions === null ? null : sum(positions.map(dayProfit)))}
            </strong>
            <small>the day’s profit of its positions, before charges</small>
          </p>
        ))}
        <Stops />
      </section>
      <OrdersTable />
      <Positions />
      <Ready />
    </>
  );
}

/** What a position has made since yesterday, where the broker tells it. */
const dayProfit = ({ m2m, pnl }: { readonly m2m: number | null; readonly pnl: number | null }) =>
  m2m ?? pnl;
