import type { Client } from '../../../client/index.ts';
import { clockTime } from '../pure/format.ts';
import type { Account } from '../pure/stop-words.ts';
import {
  type ExitOfDay,
  exitsListed,
  legWords,
  stepsOf,
  TRIGGER_WORDS,
} from '../pure/under-way.ts';
import { readTriggers } from '../read-triggers.ts';
import { problemOf } from '../store.ts';
import { useDialog, usePage } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';
import { ModeTag } from './mode-tag.tsx';
import { ReadTable } from './read-table.tsx';
import { useRead } from './use-read.ts';

/** Exits of today, and triggers that wait at a broker; read again with each event about one. */
export function UnderWay() {
  const { accounts, events } = usePage();
  const newest = (kind: string): string =>
    events.find(({ type }) => type.startsWith(kind))?.id ?? '';
  const exits = useRead(`exits ${newest('exit.')}`, readExits);
  return (
    <section aria-labelledby="under-way">
      <h2 id="under-way">Exits and triggers</h2>
      <h3>Exits of today</h3>
      <ReadTable
        name="Exits of today"
        reading={exits}
        empty="No exit today."
        columns={['Exit', 'Status', 'Steps', 'Account', 'What you can do']}
        keyOf={({ exit }) => exit.id}
        cells={(each) => [
          `${each.exit.side} ${each.exit.instrument} ${each.exit.product}, ${clockTime(each.exit.createdAt)}`,
          <>
            <span class="status">{each.exit.status.replace('_', ' ')}</span>
            <small>{each.exit.detail}</small>
          </>,
          <Steps of={each} />,
          <ModeTag mode={each.exit.mode} broker={each.exit.broker} />,
          <EndExit exit={each.exit} />,
        ]}
      />
      {accounts?.map((account) => (
        <Triggers key={account.broker} account={account} newest={newest('trigger.')} />
      ))}
    </section>
  );
}

function Steps({ of }: { readonly of: ExitOfDay }) {
  const steps = stepsOf(of);
  if (steps.length === 0) return <>No order of it was sent yet.</>;
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={index}>{step}</li>
      ))}
    </ol>
  );
}

function EndExit({ exit }: Pick<ExitOfDay, 'exit'>) {
  const { who } = usePage();
  const show = useDialog();
  if (exit.status !== 'running' || who?.scope === 'read') return null;
  const what = `${exit.side} ${exit.instrument} ${exit.product} at ${exit.broker}`;
  return (
    <button
      type="button"
      onClick={() =>
        show(
          <ActionDialog
            title="End this exit?"
            confirm="End it"
            isDangerous
            onClose={() => show(null)}
            request={() => ({
              words: `End the exit ${what}`,
              request: { call: 'cancelExit', input: { id: exit.id } },
            })}
          >
            <p>
              {what}: its order that is in the book is cancelled, and no further one is sent. What
              is still held then stays held, and nothing protects it.
            </p>
          </ActionDialog>,
        )
      }
    >
      End it<span class="unseen">: {what}</span>
    </button>
  );
}

function Triggers({ account, newest }: { readonly account: Account; readonly newest: string }) {
  const { broker, mode } = account;
  const connection = usePage().connection.resumed?.at ?? 0;
  const triggers = useRead(`triggers ${broker} ${newest} ${connection}`, (client) =>
    readTriggers(client, broker, connection),
  );
  // An account that takes none has no list of them.
  if (triggers !== null && 'data' in triggers && triggers.data === null) return null;
  const reading =
    triggers !== null && 'data' in triggers ? { data: triggers.data ?? [] } : triggers;
  return (
    <>
      <h3>
        Triggers at <ModeTag mode={mode} broker={broker} />
      </h3>
      <ReadTable
        name={`The triggers at ${broker}`}
        reading={reading}
        empty="No trigger waits."
        columns={['Trigger', 'Status', 'Places', 'What you can do']}
        keyOf={({ id, triggerId }) => id ?? triggerId ?? ''}
        cells={({ id, instrument, status, legs }) => {
          const words = `${instrument}: ${legs.map(legWords).join('; or ')}`;
          return [
            instrument,
            TRIGGER_WORDS[status],
            <ol class="steps">
              {legs.map((leg, index) => (
                <li key={index}>{legWords(leg)}</li>
              ))}
            </ol>,
            id === null ? (
              <small>placed elsewhere: end it in the app of {broker}</small>
            ) : (
              <DeleteTrigger id={id} words={words} broker={broker} />
            ),
          ];
        }}
      />
    </>
  );
}

interface DeleteProps {
  readonly id: string;
  readonly words: string;
  readonly broker: string;
}

function DeleteTrigger({ id, words, broker }: DeleteProps) {
  const { who } = usePage();
  const show = useDialog();
  if (who?.scope === 'read') return null;
  return (
    <button
      type="button"
      onClick={() =>
        show(
          <ActionDialog
            title="Cancel this trigger?"
            confirm="Cancel it"
            isDangerous
            onClose={() => show(null)}
            request={() => ({
              words: `Cancel the trigger ${words}`,
              request: { call: 'deleteTrigger', input: { id } },
            })}
          >
            <p>
              {words}, at {broker}. It places no order any more, so what it protects is not
              protected by it. An order that it has placed already stays.
            </p>
          </ActionDialog>,
        )
      }
    >
      Cancel<span class="unseen"> the trigger {words}</span>
    </button>
  );
}

/** The exits of the day, each with its orders. */
async function readExits(client: Client): Promise<readonly ExitOfDay[]> {
  const all = [];
  for await (const exit of client.items('getExits')) all.push(exit);
  return exitsListed(
    await Promise.all(
      all.map(async (exit): Promise<ExitOfDay> => {
        try {
          return { exit, orders: (await client.getExit({ id: exit.id })).data.orders };
        } catch (error) {
          return { exit, orders: problemOf(error) };
        }
      }),
    ),
  );
}
