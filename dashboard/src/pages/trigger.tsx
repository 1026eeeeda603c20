import { ModeTag } from '../parts/mode-tag.tsx';
import { ResolveTriggerDialog } from '../parts/resolve-trigger.tsx';
import { DeleteTrigger } from '../parts/triggers.tsx';
import { useRead } from '../parts/use-read.ts';
import { count, dayAndTime, rupees } from '../pure/format.ts';
import { OWN_TRIGGER_WORDS, type OwnTrigger, triggerTerms, wordsFor } from '../pure/triggers.ts';
import { legWords } from '../pure/under-way.ts';
import { useDialog, usePage } from '../use-store.ts';

/** A trigger of the gateway: what is known of it, and what can be done or said now. */
export function TriggerPage({ id }: { readonly id: string }) {
  const { events } = usePage();
  const newest = events.find(({ type }) => type.startsWith('trigger.'))?.id ?? '';
  const reading = useRead(
    `trigger ${id} ${newest}`,
    async (client) => (await client.getTrigger({ id })).data,
  );
  const trigger = reading !== null && 'data' in reading ? reading.data : null;
  return (
    <section aria-labelledby="trigger">
      <p>
        <a href="#/">← Today</a>
      </p>
      <h1 id="trigger">{trigger === null ? 'Trigger' : `Trigger of ${trigger.instrument}`}</h1>
      {reading === null ? <p>Asking the gateway…</p> : null}
      {reading !== null && 'problem' in reading ? (
        <p class="notice bad" role="alert">
          The trigger cannot be read now: {reading.problem}
        </p>
      ) : null}
      {trigger === null ? null : <Known trigger={trigger} />}
    </section>
  );
}

function Known({ trigger }: { readonly trigger: OwnTrigger }) {
  const { broker, mode, status, reason, legs, candidates, triggerId, createdAt, id } = trigger;
  return (
    <>
      <p role="status">
        <ModeTag mode={mode} broker={broker} />{' '}
        <span class={`status ${status}`}>{status.replace('_', ' ')}</span>:{' '}
        {OWN_TRIGGER_WORDS[status]}.
      </p>
      {reason === null ? null : <p>{reason}</p>}
      {candidates.length === 0 ? null : (
        <p class="notice warn">
          Each of these at {broker} could be it: {candidates.join(', ')}. Look in the app of{' '}
          {broker}, then say which.
        </p>
      )}
      <Actions trigger={trigger} />
      <dl class="facts">
        {legs.map((leg, index) => (
          <Leg key={index} leg={leg} />
        ))}
        <dt>Asked for</dt>
        <dd>{dayAndTime(createdAt)}</dd>
        <dt>Id</dt>
        <dd>{id}</dd>
        <dt>Id at the broker</dt>
        <dd>{triggerId ?? 'not known'}</dd>
      </dl>
    </>
  );
}

function Leg({ leg }: { readonly leg: OwnTrigger['legs'][number] }) {
  const { brokerOrderId, filledQuantity, averagePrice, reason } = leg;
  const at = averagePrice === null ? '' : ` at ${rupees(averagePrice)}`;
  return (
    <>
      <dt>{legWords(leg)}</dt>
      <dd>
        {brokerOrderId === null
          ? 'No order of it is known.'
          : `Has placed the order ${brokerOrderId}: filled ${count(filledQuantity)}${at}.`}{' '}
        {reason}
      </dd>
    </>
  );
}

function Actions({ trigger }: { readonly trigger: OwnTrigger }) {
  const { who, overview } = usePage();
  const show = useDialog();
  const { id, broker, status } = trigger;
  // The gateway asks how much has filled where nothing tells it any more.
  const isAsked =
    overview?.needs.some((need) => need.what === 'trigger' && need.id === id) === true;
  const words = wordsFor(trigger, isAsked);
  const isOver = !['sending', 'uncertain', 'waiting'].includes(status);
  return (
    <span class="actions">
      {words.length > 0 && who?.scope === 'admin' ? (
        <button
          type="button"
          class="primary"
          onClick={() =>
            show(
              <ResolveTriggerDialog trigger={trigger} words={words} onClose={() => show(null)} />,
            )
          }
        >
          Resolve<span class="unseen"> the trigger {triggerTerms(trigger)}</span>
        </button>
      ) : null}
      {isOver ? null : <DeleteTrigger id={id} words={triggerTerms(trigger)} broker={broker} />}
    </span>
  );
}
