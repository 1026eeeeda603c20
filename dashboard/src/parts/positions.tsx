import type { Schemas } from '../../../client/index.ts';
import { type ExitWords, exitWords, needsHoldings } from '../pure/exit-words.ts';
import { count, gain, rupees } from '../pure/format.ts';
import type { Account } from '../pure/stop-words.ts';
import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';
import { ModeTag } from './mode-tag.tsx';
import { useRead } from './use-read.ts';

type Position = Schemas['Position'];

/** The positions of each account that takes orders. */
export function Positions() {
  const { accounts } = usePage();
  return (
    <section aria-labelledby="positions">
      <h2 id="positions">Positions</h2>
      {accounts === null ? <p>Asking the gateway…</p> : null}
      {accounts?.length === 0 ? <p class="quiet">No account takes orders now.</p> : null}
      {accounts?.map((account) => (
        <AccountPositions key={account.broker} account={account} />
      ))}
    </section>
  );
}

function AccountPositions({ account }: { readonly account: Account }) {
  const { broker, mode, positions, problem } = account;
  const holdings = useHoldings(account);
  const held = positions?.toSorted(
    (one, other) => Number(one.quantity === 0) - Number(other.quantity === 0),
  );
  return (
    <div class="account">
      <h3>
        <ModeTag mode={mode} broker={broker} />
      </h3>
      {problem === null ? null : (
        <p class="notice bad">
          The positions at {broker} cannot be read now: {problem}
        </p>
      )}
      {held?.length === 0 ? <p class="quiet">No position.</p> : null}
      {held && held.length > 0 ? (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Positions at ${broker}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Instrument</th>
                <th scope="col" class="number">
                  Quantity
                </th>
                <th scope="col" class="number">
                  Average
                </th>
                <th scope="col" class="number">
                  Last
                </th>
                <th scope="col" class="number">
                  Profit
                </th>
                <th scope="col">
                  <span class="unseen">What you can do</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {held.map((position) => (
                <PositionRow
                  key={`${position.instrument} ${position.product}`}
                  position={position}
                  account={account}
                  holdings={holdings}
                />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </div>
  );
}

/** The holdings as they are read with the present rows of CNC; null where there is none, and until they are read. */
function useHoldings(account: Account): readonly Schemas['Holding'][] | null {
  const { broker, positions } = account;
  const isNeeded = needsHoldings(account);
  const rows = (positions ?? []).filter(({ product }) => product === 'CNC');
  const of = `${broker} ${rows.map(({ instrument, quantity }) => `${instrument} ${quantity}`).join()}`;
  const reading = useRead(`exit holdings ${of}`, async (client) => ({
    ...{ of, holdings: isNeeded ? (await client.getHoldings({ broker })).data : null },
  }));
  // What was read with earlier rows may count a sale twice.
  return reading !== null && 'data' in reading && reading.data.of === of
    ? reading.data.holdings
    : null;
}

interface RowProps {
  readonly position: Position;
  readonly account: Account;
}

function PositionRow({
  position,
  account,
  holdings,
}: RowProps & { readonly holdings: readonly Schemas['Holding'][] | null }) {
  const { who } = usePage();
  const show = useDialog();
  const close = (): void => show(null);
  const { instrument, product, quantity, averagePrice, lastPrice, pnl } = position;
  const exit = exitWords(position, account, holdings);
  return (
    <tr class={quantity === 0 ? 'over' : ''} data-position={instrument}>
      <th scope="row">
        {instrument} <small>{product}</small>
      </th>
      <td class="number" data-label="Quantity">
        {count(quantity)}
      </td>
      <td class="number" data-label="Average">
        {quantity === 0 ? '' : rupees(averagePrice)}
      </td>
      <td class="number" data-label="Last">
        {rupees(lastPrice)}
      </td>
      <td class={`number ${pnl !== null && pnl < 0 ? 'loss' : 'profit'}`} data-label="Profit">
        {gain(pnl)}
      </td>
      <td>
        {exit === null || who?.scope === 'read' ? null : (
          <button
            type="button"
            onClick={() =>
              show(
                <ExitDialog position={position} account={account} words={exit} onClose={close} />,
              )
            }
          >
            Exit<span class="unseen"> {instrument}</span>
          </button>
        )}
      </td>
    </tr>
  );
}

interface ExitProps extends RowProps {
  readonly words: ExitWords;
  readonly onClose: () => void;
}

function ExitDialog({ position, account, words: { what, verb, note }, onClose }: ExitProps) {
  const { instrument, product } = position;
  return (
    <ActionDialog
      title={`Exit ${instrument}?`}
      confirm="Exit it"
      isDangerous
      onClose={onClose}
      request={() => ({
        words: `Exit ${instrument} ${product} at ${account.broker}`,
        request: {
          call: 'startExit',
          input: {
            // The gateway takes the products that its own positions have.
            body: { instrument, product: product as 'CNC', broker: account.broker },
          },
        },
      })}
    >
      <p>
        {what}, as a protective exit with {account.mode === 'live' ? 'real money' : 'paper'}: what
        rests for the position is cancelled, then all that is held then is {verb}, at a limit near
        the market.
      </p>
      {note === null ? null : <p class="quiet">{note}</p>}
    </ActionDialog>
  );
}
