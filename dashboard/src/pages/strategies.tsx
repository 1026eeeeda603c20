import type { Client, Schemas } from '../../../client/index.ts';
import { ReadTable } from '../parts/read-table.tsx';
import { useRead } from '../parts/use-read.ts';
import { problemOf } from '../problem-of.ts';
import { clockTime, count, gain, rupees } from '../pure/format.ts';
import { ModeTag } from '../parts/mode-tag.tsx';
import { usePage } from '../use-store.ts';

interface Book {
  readonly key: Pick<Schemas['Key'], 'id' | 'name' | 'scope' | 'stopped'>;
  /** A text where it cannot be read. */
  readonly account: Schemas['KeyAccount'] | string;
}

/** What each key's own orders have bought and sold. */
export function StrategiesPage() {
  const { who } = usePage();
  const books = useRead(`books ${who?.id}`, (client) => readBooks(client, who));
  if (books === null) return <p>Asking the gateway…</p>;
  if ('problem' in books) {
    return <p class="notice bad">The keys cannot be read now: {books.problem}</p>;
  }
  return (
    <>
      <h1>Strategies</h1>
      <p class="quiet">
        Each program has a key of its own. This is what the orders of each have done today.
      </p>
      {books.data.map((book) => (
        <BookPart key={book.key.id} book={book} />
      ))}
    </>
  );
}

function BookPart({ book: { key, account } }: { readonly book: Book }) {
  const id = `key-${key.id}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {key.name} <small>{key.scope}</small>
      </h2>
      {key.stopped === null ? null : (
        <p class="notice warn">
          Stopped at {clockTime(key.stopped.at, Date.now())}: {key.stopped.reason}
        </p>
      )}
      {typeof account === 'string' ? (
        <p class="notice bad">Its book cannot be read now: {account}</p>
      ) : (
        <>
          <p>
            Profit of the day: <strong>{gain(account.pnl)}</strong> ({gain(account.realisedPnl)}{' '}
            realised)
          </p>
          {account.uncertainOrders.length === 0 ? null : (
            <p class="notice warn">
              Of {count(account.uncertainOrders.length)} of its orders it is not known how much has
              filled: the figures may be incomplete.
            </p>
          )}
          <ReadTable
            name={`Positions of ${key.name}`}
            reading={{ data: account.positions }}
            empty="No position."
            columns={['Instrument', 'Account', '#Quantity', '#Average', '#Last', '#Profit']}
            keyOf={({ instrument, product, broker }) => `${instrument} ${product} ${broker}`}
            cells={(position) => [
              `${position.instrument} ${position.product}`,
              <ModeTag mode={position.mode} broker={position.broker} />,
              count(position.quantity),
              rupees(position.averagePrice),
              rupees(position.lastPrice),
              gain(position.pnl),
            ]}
          />
        </>
      )}
    </section>
  );
}

/** Those of every key for an admin, of its own for another. */
async function readBooks(client: Client, who: Schemas['SignIn']['key'] | null): Promise<Book[]> {
  if (who === null) return [];
  const keys =
    who.scope === 'admin'
      ? (await client.getKeys()).data.filter(({ revokedAt }) => revokedAt === null)
      : [{ ...who, stopped: null }];
  return Promise.all(
    keys.map(async (key): Promise<Book> => {
      try {
        return { key, account: (await client.getKeyPositions({ id: key.id })).data };
      } catch (error) {
        return { key, account: problemOf(error) };
      }
    }),
  );
}
