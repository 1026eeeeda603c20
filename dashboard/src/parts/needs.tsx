import { dayAndTime } from '../pure/format.ts';
import { type Need, type NeedWay, wayOf } from '../pure/needs.ts';
import { usePage } from '../use-store.ts';
import { ArmButton } from './arm-button.tsx';
import { Intents, useIntents } from './intents.tsx';

/** What a person has to look at, the most urgent first, each with the means to do it. */
export function Needs() {
  const { overview } = usePage();
  const asked = useIntents();
  const needs = overview?.needs ?? [];
  if (needs.length + asked.open.length + asked.answers.length === 0) return null;
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">Needs you</h2>
      <ul class="needs">
        <Intents {...asked} />
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

function NeedItem({ need }: { readonly need: Need }) {
  const { orders } = usePage();
  const way = wayOf(need, need.orderId === null ? undefined : orders?.get(need.orderId));
  return (
    <li class={BAD.has(need.what) ? 'notice bad' : 'notice warn'}>
      <p>{need.detail.replace(/^./, (first) => first.toUpperCase())}.</p>
      {way === null ? null : <Way way={way} />}
    </li>
  );
}

/** Shows a part of the page, and moves the focus there with it. */
function goTo(id: string): void {
  const part = document.getElementById(id);
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

function Way({ way }: { readonly way: NeedWay }) {
  switch (way.is) {
    case 'arm':
      return <ArmButton />;
    case 'login':
      return <LogIn path={way.path} />;
    case 'part':
      return (
        <button type="button" onClick={() => goTo(way.id)}>
          {way.words}
        </button>
      );
    case 'page':
      return (
        <a class="button" href={`#${way.place}`}>
          {way.words}
        </a>
      );
  }
}

/** The login is at the broker, in this tab: it leads back. */
function LogIn({ path }: { readonly path: string }) {
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
      <a class="button primary" href={path}>
        Log in at the broker
      </a>
    </>
  );
}
