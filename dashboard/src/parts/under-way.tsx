import type { Client } from '../../../client/index.ts';
import { clockTime } from '../pure/format.ts';
import { UNDER_WAY } from '../pure/needs.ts';
import { type ExitOfDay, exitsListed, stepsOf } from '../pure/under-way.ts';
import { problemOf } from '../problem-of.ts';
import { usePage } from '../use-store.ts';
import { EndingButton } from './ending-button.tsx';
import { Closings } from './closings.tsx';
import { ModeTag } from './mode-tag.tsx';
import { ReadTable } from './read-table.tsx';
import { Triggers } from './triggers.tsx';
import { useRead } from './use-read.ts';

/** Exits and closings of today, and triggers that wait at a broker; read again with each event about one. */
export function UnderWay() {
  const { accounts, events } = usePage();
  const newest = (kind: string): string =>
    events.find(({ type }) => type.startsWith(kind))?.id ?? '';
  const exits = useRead(`exits ${newest('exit.')}`, readExits);
  return (
    <section aria-labelledby={UNDER_WAY}>
      <h2 id={UNDER_WAY} tabIndex={-1}>
        Exits, closings and triggers
      </h2>
      <h3>Exits of today</h3>
      <ReadTable
        name="Exits of today"
        reading={exits}
        empty="No exit today."
        columns={['Exit', 'Status', 'Steps', 'Account', 'What you can do']}
        keyOf={({ exit }) => exit.id}
        cells={(each) => [
          `${each.exit.side} ${each.exit.instrument} ${each.exit.product}, ${clockTime(each.exit.createdAt, Date.now())}`,
          <>
            <span class="status">{each.exit.status.replace('_', ' ')}</span>
            <small>{each.exit.detail}</small>
          </>,
          <Steps of={each} />,
          <ModeTag mode={each.exit.mode} broker={each.exit.broker} />,
          <EndExit exit={each.exit} />,
        ]}
      />
      <Closings newest={newest('closing.')} />
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
  if (exit.status !== 'running') return null;
  const what = `${exit.side} ${exit.instrument} ${exit.product} at ${exit.broker}`;
  return (
    <EndingButton
      label="End it"
      unseen={`: ${what}`}
      title="End this exit?"
      confirm="End it"
      request={() => ({
        words: `End the exit ${what}`,
        request: { call: 'cancelExit', input: { id: exit.id } },
      })}
    >
      <p>
        {what}: its order that is in the book is cancelled, and no further one is sent. What is
        still held then stays held, and nothing protects it.
      </p>
    </EndingButton>
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
