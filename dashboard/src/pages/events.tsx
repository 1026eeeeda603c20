import { useState } from 'preact/hooks';
import { ReadTable } from '../parts/read-table.tsx';
import { eventKind, EVENT_KINDS, type EventKind, eventWords } from '../pure/event-words.ts';
import { clockTime } from '../pure/format.ts';
import { withoutSecrets } from '../pure/report.ts';
import { problemOf } from '../problem-of.ts';
import { usePage, useStore } from '../use-store.ts';

/** What has happened lately, and a report for somebody who helps. */
export function EventsPage() {
  const { events } = usePage();
  const [kind, setKind] = useState<EventKind | 'all'>('all');
  const shown = events.filter(({ type }) => kind === 'all' || eventKind(type) === kind);
  return (
    <section aria-labelledby="events">
      <h1 id="events">Events</h1>
      <p class="quiet">
        The last 300 since the gateway started, the newest first. All that are kept: GET
        /api/v1/events.
      </p>
      <label class="narrow">
        Show
        <select
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as EventKind | 'all')}
        >
          <option value="all">everything</option>
          {EVENT_KINDS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <ReadTable
        name="Events"
        reading={{ data: shown }}
        empty="Nothing of this kind is among them."
        columns={['Time', 'Event', 'What']}
        keyOf={({ id }) => id}
        cells={(event) => [clockTime(event.at, Date.now()), event.type, eventWords(event)]}
      />
      <SupportReport />
    </section>
  );
}

/** Everything that the page knows, for somebody who helps: without secrets, and without who you are. */
function SupportReport() {
  const { client } = useStore();
  const page = usePage();
  const [report, setReport] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const read = async (ask: Promise<{ readonly data: unknown }>): Promise<unknown> => {
      try {
        return (await ask).data;
      } catch (error) {
        return problemOf(error);
      }
    };
    const [readiness, limits] = await Promise.all([
      read(client.getReadiness()),
      read(client.getLimits()),
    ]);
    const { overview, session, brokers, connection, orders, events } = page;
    const all = { overview, session, brokers, connection, readiness, limits };
    const whole = { madeAt: new Date(Date.now()).toISOString(), ...all };
    const lists = { orders: [...(orders?.values() ?? [])], events };
    setReport(JSON.stringify(withoutSecrets({ ...whole, ...lists }), null, 2));
  };
  return (
    <>
      <h2>Report for support</h2>
      <p>
        What the page knows, without keys, tokens and who you are. It has your orders: read it
        before you send it to anybody.
      </p>
      <button type="button" onClick={() => void make()}>
        Make the report
      </button>
      {report === null ? null : (
        <label>
          The report
          <textarea readOnly rows={16} value={report} />
        </label>
      )}
    </>
  );
}
