import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/index.ts';
import { ModeTag } from '../parts/mode-tag.tsx';
import { type Reading, useRead } from '../parts/use-read.ts';
import { count, dayAndTime, gain, rupees } from '../pure/format.ts';
import { ordersText } from '../pure/day-report.ts';
import { usePage } from '../use-store.ts';

/** What a day has made and cost: today, until another one is chosen. */
export function ReportPage() {
  const { who } = usePage();
  const [day, setDay] = useState('');
  const asked = day === '' ? 'today' : day;
  const reading = useRead(
    `report ${who?.id} ${asked}`,
    async (client) => (await client.getDayReport({ day: asked })).data,
  );
  const shown = reading !== null && 'data' in reading ? reading.data.day : '';
  return (
    <>
      <h1>Report of the day</h1>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <label>
          Day
          <input
            type="date"
            value={day === '' ? shown : day}
            onInput={({ currentTarget }) => setDay(currentTarget.value)}
          />
        </label>
        <button type="button" onClick={() => setDay('')}>
          Today
        </button>
      </form>
      {/* Until the answer is that of the day asked for, nothing of another day is shown. */}
      <Report reading={day === '' || shown === day || isProblem(reading) ? reading : null} />
    </>
  );
}

const isProblem = (reading: Reading<unknown>): boolean => reading !== null && 'problem' in reading;

function Report({ reading }: { readonly reading: Reading<Schemas['DayReport']> }) {
  if (reading === null) return <p>Asking the gateway…</p>;
  if ('problem' in reading) {
    return <p class="notice bad">There is no report: {reading.problem}</p>;
  }
  const { asOf, isToday, isTradingDay, accounts, keys, unreadOrders } = reading.data;
  return (
    <>
      <p class="quiet">
        {isToday ? 'The day goes on. ' : ''}
        {isTradingDay ? '' : 'The markets do not trade on this day. '}
        As of {dayAndTime(asOf)}.
      </p>
      {unreadOrders.length === 0 ? null : (
        <p class="notice warn">
          {count(unreadOrders.length)} orders of the journal cannot be read: they are in no figure.
        </p>
      )}
      {(accounts ?? []).length + keys.length === 0 ? (
        <p class="quiet">Nothing was done on this day.</p>
      ) : null}
      {accounts?.map((account) => (
        <AccountPart
          key={`${account.broker} ${account.account}`}
          id={`account-${account.broker}-${account.account}`}
          account={account}
          elsewhere={account.elsewhere}
        />
      ))}
      {keys.map(({ key, name, accounts: own }) => (
        <section key={key} aria-labelledby={`key-${key}`}>
          <h2 id={`key-${key}`}>
            {name ?? key} <small>key</small>
          </h2>
          {own.length === 0 ? <p class="quiet">Nothing was done on this day.</p> : null}
          {own.map((account) => (
            <AccountPart
              key={`${account.broker} ${account.account}`}
              id={`key-${key}-${account.broker}-${account.account}`}
              account={account}
            />
          ))}
        </section>
      ))}
    </>
  );
}

interface AccountPartProps {
  readonly id: string;
  readonly account: Schemas['AccountReport'];
  /** Orders placed elsewhere that have filled; absent where the part is of a key. */
  readonly elsewhere?: number | null;
}

function AccountPart({ id, account, elsewhere }: AccountPartProps) {
  const { broker, mode, fills, uncertainOrders } = account;
  const user = account.account === null ? '' : ` ${account.account}`;
  const title = (
    <>
      <ModeTag mode={mode} broker={broker} />
      {user}
    </>
  );
  return (
    <section aria-labelledby={id}>
      {elsewhere === undefined ? <h3 id={id}>{title}</h3> : <h2 id={id}>{title}</h2>}
      {uncertainOrders.length === 0 ? null : (
        <p class="notice warn">
          It is not known how much has filled of{' '}
          {uncertainOrders.map((order, index) => (
            <span key={order}>
              {index === 0 ? '' : ', '}
              <a href={`#/order/${encodeURIComponent(order)}`}>{order}</a>
            </span>
          ))}
          : the figures that need it are not known.
        </p>
      )}
      <dl class="facts">
        <dt>Profit</dt>
        <FigureText figure={account.profit} text={gain} />
        <dt>Charges</dt>
        <FigureText figure={account.charges} text={rupees} />
        <dt>After charges</dt>
        <FigureText figure={account.net} text={gain} />
        <dt>Realised</dt>
        <FigureText figure={account.realised} text={gain} />
        <dt>Orders</dt>
        <dd>{ordersText(account.orders)}</dd>
        <dt>Fills</dt>
        <dd>
          {count(fills.count)}: bought for {rupees(fills.bought)}, sold for {rupees(fills.sold)}
          {fills.note === null ? null : <small> {fills.note}</small>}
        </dd>
        {elsewhere === undefined ? null : <dt>Filled, placed elsewhere</dt>}
        {elsewhere === undefined ? null : <dd>{count(elsewhere)}</dd>}
      </dl>
    </section>
  );
}

function FigureText({
  figure: { rupees: amount, estimate, note },
  text,
}: {
  readonly figure: Schemas['ReportFigure'];
  readonly text: (amount: number | null) => string;
}) {
  return (
    <dd>
      <strong>{text(amount)}</strong>
      {estimate && amount !== null ? ' (estimate)' : ''}
      {note === null ? null : <small> {note}</small>}
    </dd>
  );
}
