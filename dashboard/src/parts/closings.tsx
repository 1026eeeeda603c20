import type { Client, Schemas } from '../../../client/index.ts';
import { clockTime } from '../pure/format.ts';
import { closingsListed, closingSteps } from '../pure/under-way.ts';
import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';
import { ReadTable } from './read-table.tsx';
import { useRead } from './use-read.ts';

type Closing = Schemas['Closing'];

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
          `Of ${closing.positions.length + closing.unread.length} positions, ${clockTime(closing.createdAt)}`,
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
  const { who } = usePage();
  const show = useDialog();
  if (status !== 'running' || who?.scope === 'read') return null;
  const what = `the closing of ${clockTime(createdAt)}`;
  return (
    <button
      type="button"
      onClick={() =>
        show(
          <ActionDialog
            title="End this closing?"
            confirm="End it"
            isDangerous
            onClose={() => show(null)}
            request={() => ({
              words: `End ${what}`,
              request: { call: 'cancelClosing', input: { id } },
            })}
          >
            <p>
              No further exit of it begins, and those under way end: their orders in the book are
              cancelled. What is still held then stays held, and nothing protects it.
            </p>
          </ActionDialog>,
        )
      }
    >
      End it<span class="unseen">: {what}</span>
    </button>
  );
}

async function readClosings(client: Client): Promise<readonly Closing[]> {
  const all: Closing[] = [];
  for await (const closing of client.items('getClosings')) all.push(closing);
  return closingsListed(all);
}
