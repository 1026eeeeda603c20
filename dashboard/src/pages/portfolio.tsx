import { ModeTag } from '../parts/mode-tag.tsx';
import { ReadTable } from '../parts/read-table.tsx';
import { useRead } from '../parts/use-read.ts';
import { count, gain, rupees } from '../pure/format.ts';
import { usePage } from '../use-store.ts';

/** Funds and holdings of each account that takes orders, the paper account too. */
export function PortfolioPage() {
  const { accounts } = usePage();
  return (
    <>
      <h1>Portfolio</h1>
      {accounts === null ? <p>Asking the gateway…</p> : null}
      {accounts?.length === 0 ? <p class="quiet">No account takes orders now.</p> : null}
      {accounts?.map(({ broker, mode }) => (
        <AccountPart key={broker} broker={broker} mode={mode} />
      ))}
    </>
  );
}

function AccountPart({
  broker,
  mode,
}: {
  readonly broker: string;
  readonly mode: 'live' | 'paper';
}) {
  const funds = useRead(
    `funds ${broker}`,
    async (client) => (await client.getFunds({ broker })).data,
  );
  const holdings = useRead(
    `holdings ${broker}`,
    async (client) => (await client.getHoldings({ broker })).data,
  );
  const id = `account-${broker}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <ModeTag mode={mode} broker={broker} />
      </h2>
      {funds === null ? <p>Asking the gateway…</p> : null}
      {funds !== null && 'problem' in funds ? (
        <p class="notice bad">The funds cannot be read now: {funds.problem}</p>
      ) : null}
      {funds !== null && 'data' in funds ? (
        <dl class="facts">
          <dt>Available</dt>
          <dd>{rupees(funds.data.available)}</dd>
          <dt>Used</dt>
          <dd>{rupees(funds.data.used)}</dd>
          <dt>Total</dt>
          <dd>{rupees(funds.data.total)}</dd>
        </dl>
      ) : null}
      <h3>Holdings</h3>
      <ReadTable
        name={`The holdings at ${broker}`}
        reading={holdings}
        empty="No holding."
        columns={['Instrument', '#Quantity', '#Average', '#Last', '#Profit', '#Today']}
        keyOf={({ instrument, product }) => `${instrument} ${product}`}
        cells={(holding) => [
          holding.instrument,
          count(holding.quantity),
          rupees(holding.averagePrice),
          rupees(holding.lastPrice),
          gain(holding.pnl),
          gain(holding.dayChange),
        ]}
      />
    </section>
  );
}
