import { triggerPlace } from '../pure/places.ts';
import type { Account } from '../pure/stop-words.ts';
import { legWords, TRIGGER_WORDS } from '../pure/under-way.ts';
import { readTriggers } from '../read-triggers.ts';
import { usePage } from '../use-store.ts';
import { EndingButton } from './ending-button.tsx';
import { ModeTag } from './mode-tag.tsx';
import { ReadTable } from './read-table.tsx';
import { useRead } from './use-read.ts';

/** The triggers of an account that may still place an order. */
export function Triggers({
  account,
  newest,
}: {
  readonly account: Account;
  readonly newest: string;
}) {
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
            id === null || id.startsWith('ord_') ? (
              instrument
            ) : (
              <a href={`#${triggerPlace(id)}`}>{instrument}</a>
            ),
            status === 'uncertain' && id !== null ? (
              <>
                {TRIGGER_WORDS[status]}.{' '}
                <a href={`#${triggerPlace(id)}`}>Look at it, and resolve it</a>
              </>
            ) : (
              TRIGGER_WORDS[status]
            ),
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

export interface DeleteProps {
  readonly id: string;
  readonly words: string;
  readonly broker: string;
}

export function DeleteTrigger({ id, words, broker }: DeleteProps) {
  return (
    <EndingButton
      label="Cancel"
      unseen={` the trigger ${words}`}
      title="Cancel this trigger?"
      confirm="Cancel it"
      request={() => ({
        words: `Cancel the trigger ${words}`,
        request: { call: 'deleteTrigger', input: { id } },
      })}
    >
      <p>
        {words}, at {broker}. It places no order any more, so what it protects is not protected by
        it. An order that it has placed already stays.
      </p>
    </EndingButton>
  );
}
