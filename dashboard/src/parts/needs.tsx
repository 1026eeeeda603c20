import { useEffect, useState } from 'preact/hooks';
import { forgetIntent, type Intent, openIntents, send } from '../intents.ts';
import type { Schemas } from '../../../client/index.ts';
import { clockTime, dayAndTime, isSameDay } from '../pure/format.ts';
import { canResolve } from '../pure/orders.ts';
import type { Outcome } from '../pure/outcomes.ts';
import { usePage, useStore } from '../use-store.ts';
import { ArmButton } from './arm-button.tsx';
import { OutcomeText } from './action-dialog.tsx';

type Need = Schemas['Overview']['needs'][number];

/** What a person has to look at, the most urgent first, each with the means to do it. */
export function Needs() {
  const { overview } = usePage();
  const intents = useIntents();
  const needs = overview?.needs ?? [];
  if (needs.length + intents.length === 0) return null;
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">Needs you</h2>
      <ul class="needs">
        {intents.map((intent) => (
          <OpenIntent key={intent.key} intent={intent} />
        ))}
        {needs.map((need) => (
          <NeedItem key={`${need.what} ${need.broker} ${need.id}`} need={need} />
        ))}
      </ul>
    </section>
  );
}

const BAD: ReadonlySet<Need['what']> = new Set([
  'disarmed',
  'exit',
  'closing',
  'order',
  'trigger',
  'book',
]);

/** What the part of exits and triggers of this page has. */
const UNDER_WAY: ReadonlySet<Need['what']> = new Set(['exit', 'closing', 'trigger']);

const showUnderWay = (): void => document.getElementById('under-way')?.scrollIntoView();

function NeedItem({ need }: { readonly need: Need }) {
  const { orders } = usePage();
  const order = need.orderId === null ? undefined : orders?.get(need.orderId);
  return (
    <li class={BAD.has(need.what) ? 'notice bad' : 'notice warn'}>
      <p>{need.detail.replace(/^./, (first) => first.toUpperCase())}.</p>
      {need.what === 'session' ? <LogIn /> : null}
      {need.what === 'disarmed' ? <ArmButton /> : null}
      {UNDER_WAY.has(need.what) ? (
        <button type="button" onClick={showUnderWay}>
          Show exits and triggers
        </button>
      ) : null}
      {need.what === 'signal' ? <a href="#/events">Look at the events</a> : null}
      {need.orderId === null ? null : (
        <a class="button" href={`#/order/${need.orderId}`}>
          Look at the order{order === undefined || canResolve(order) ? ', and resolve it' : ''}
        </a>
      )}
    </li>
  );
}

/** The login is at the broker, in this tab: it leads back. */
function LogIn() {
  const { session, overview } = usePage();
  const paper = overview?.trading === 'paper';
  return (
    <>
      <p class="quiet">
        {session?.expiresAt
          ? `The last login held until ${dayAndTime(session.expiresAt)}. `
          : 'No login is known. '}
        {paper
          ? 'Without one, orders go to the paper account, and not to the broker.'
          : 'Without one, the broker takes no orders of yours.'}
      </p>
      <a class="button primary" href="/api/altbroker/login">
        Log in at the broker
      </a>
    </>
  );
}

/** Something that was asked for, and that no answer came to. */
function OpenIntent({ intent }: { readonly intent: Intent }) {
  const { client, refresh } = useStore();
  const [outcome, setOutcome] = useState<Outcome | 'sending' | null>(null);
  const ask = async (): Promise<void> => {
    setOutcome('sending');
    setOutcome(await send(client, intent));
    refresh();
  };
  // A key holds for its day: on another one the same request could be done twice.
  const isOfToday = isSameDay(intent.at, Date.now());
  return (
    <li class="notice bad">
      <p>
        Not known whether this was done, since no answer came at{' '}
        {isOfToday ? clockTime(intent.at) : dayAndTime(intent.at)}: <strong>{intent.words}</strong>.{' '}
        {isOfToday
          ? 'Asking again sends the same request under the same key: it is not done twice. If it never arrived, it is done then.'
          : 'It is of an earlier day, and is not asked again: look at the orders and positions, and ask anew for what is still wanted.'}
      </p>
      {outcome !== null && outcome !== 'sending' ? <OutcomeText outcome={outcome} /> : null}
      {isOfToday ? (
        <button
          type="button"
          class="primary"
          disabled={outcome === 'sending'}
          onClick={() => void ask()}
        >
          {outcome === 'sending' ? 'Asking…' : 'Ask again'}
        </button>
      ) : null}{' '}
      <button type="button" disabled={outcome === 'sending'} onClick={() => forgetIntent(intent)}>
        I have looked: forget it
      </button>
    </li>
  );
}

function useIntents(): readonly Intent[] {
  const [intents, setIntents] = useState(openIntents);
  useEffect(() => {
    const look = (): void => setIntents(openIntents());
    for (const name of ['intents', 'storage']) addEventListener(name, look);
    return () => {
      for (const name of ['intents', 'storage']) removeEventListener(name, look);
    };
  }, []);
  return intents;
}
