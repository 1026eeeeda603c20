import { useState } from 'preact/hooks';
import { Field } from '../parts/field.tsx';
import { ReviewDialog } from '../parts/review-dialog.tsx';
import { bodyOf, needsPrice, needsTrigger, type Ticket } from '../pure/ticket.ts';
import { useDialog, usePage, useStore } from '../use-store.ts';

const EMPTY: Ticket = {
  ...{ instrument: '', side: 'BUY', quantity: '', orderType: 'LIMIT', product: 'CNC' },
  ...{ price: '', triggerPrice: '' },
};
const CHOICES = {
  side: ['BUY', 'SELL'],
  orderType: ['LIMIT', 'MARKET', 'SL', 'SL-M'],
  product: ['CNC', 'INTRADAY', 'MARGIN'],
} as const;

/** Places one order; it is shown with what it costs before it is sent. */
export function TicketPage() {
  const { client } = useStore();
  const { who } = usePage();
  const show = useDialog();
  const [ticket, setTicket] = useState(EMPTY);
  const [names, setNames] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (part: Partial<Ticket>): void => setTicket({ ...ticket, ...part });
  const search = (instrument: string): void => {
    change({ instrument });
    if (instrument.trim().length < 2) return;
    client.searchInstruments({ q: instrument.trim(), limit: 10 }).then(
      ({ data }) => setNames(data.map(({ name }) => name)),
      () => setNames([]),
    );
  };
  const review = (event: Event): void => {
    event.preventDefault();
    const body = bodyOf(ticket);
    setProblem(typeof body === 'string' ? body : null);
    if (typeof body !== 'string') show(<ReviewDialog body={body} onClose={() => show(null)} />);
  };
  if (who?.scope === 'read') return <p>This sign-in may look, and place no order.</p>;
  return (
    <section aria-labelledby="ticket" class="narrow">
      <h1 id="ticket">Place an order</h1>
      <form onSubmit={review} noValidate>
        <label>
          Instrument
          <input
            list="instruments"
            value={ticket.instrument}
            placeholder="NSE:INFY"
            autocomplete="off"
            onInput={({ currentTarget }) => search(currentTarget.value)}
          />
        </label>
        <datalist id="instruments">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Choice label="Side" name="side" ticket={ticket} onChange={change} />
        <Field
          label="Quantity"
          mode="numeric"
          value={ticket.quantity}
          onValue={(quantity) => change({ quantity })}
        />
        <Choice label="Order type" name="orderType" ticket={ticket} onChange={change} />
        <Choice label="Product" name="product" ticket={ticket} onChange={change} />
        {needsPrice(ticket) ? (
          <Field label="Price, ₹" value={ticket.price} onValue={(price) => change({ price })} />
        ) : null}
        {needsTrigger(ticket) ? (
          <Field
            label="Trigger price, ₹"
            value={ticket.triggerPrice}
            onValue={(triggerPrice) => change({ triggerPrice })}
          />
        ) : null}
        {problem === null ? null : (
          <p role="alert" class="notice warn">
            {problem}
          </p>
        )}
        <button type="submit" class="primary">
          Review the order…
        </button>
      </form>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: keyof typeof CHOICES;
  readonly ticket: Ticket;
  readonly onChange: (part: Partial<Ticket>) => void;
}

function Choice({ label, name, ticket, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select
        value={ticket[name]}
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      >
        {CHOICES[name].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}
