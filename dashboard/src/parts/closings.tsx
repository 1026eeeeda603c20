import type { Client, Schemas } from '../../../client/index.ts';
import { clockTime } from '../pure/format.ts';
import { closingsListed, closingSteps } from '../pure/under-way.ts';
import { EndingButton } from './ending-button.tsx';
import { ReadTable } from './read-table.tsx';
import { useRead } from './use-read.ts';

type Closing = Schemas['Closing'];

const countOf = (positions: number): string =>
  positions === 1 ? 'one position' : `${positions} positions`;

/** The closings of today, each with its positions. `newest` names the last event about one. */
export function Closings({ newest }: { readonly newest: string }) {
  const closings = useRead(`closings ${newest}`, readClosings);
  return (
    <>
      <h3>Closings of today</h3>
      <ReadTable
        name="Closings of today"
        reading={closings}
        empty="No closing of positions today."
        columns={['Closing', 'Status', 'Positions', 'What you can do']}
        keyOf={({ id }) => id}
        cells={(closing) => [
          `Of ${countOf(closing.positions.length + closing.unread.length)}, ${clockTime(closing.createdAt, Date.now())}`,
          <>
            <span class="status">{closing.status.replace('_', ' ')}</span>
            <small>{closing.detail}</small>
          </>,
          <Positions of={closing} />,
          <EndClosing closing={closing} />,
        ]}
      />
    </>
  );
}

function Positions({ of }: { readonly of: Closing }) {
  const steps = closingSteps(of);
  if (steps.length === 0) return <>It found nothing to close.</>;
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={index}>{step}</li>
      ))}
    </ol>
  );
}

function EndClosing({ closing: { id, status, createdAt } }: { readonly closing: Closing }) {
  if (status !== 'running') return null;
  const what = `the closing of ${clockTime(createdAt, Date.now())}`;
  return (
    <EndingButton
      label="End it"
      unseen={`: ${what}`}
      title="End this closing?"
      confirm="End it"
      request={() => ({
        words: `End ${what}`,
        request: { call: 'cancelClosing', input: { id } },
      })}
    >
      <p>
        No further exit of it begins, and those under way end: their orders in the book are
        cancelled. What is still held then stays held, and nothing protects it.
      </p>
    </EndingButton>
  );
}

async function readClosings(client: Client): Promise<readonly Closing[]> {
  const all: Closing[] = [];
  for await (const closing of client.items('getClosings')) all.push(closing);
  return closingsListed(all);
}
