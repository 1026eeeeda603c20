import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../../client/index.ts';
import { ConnectionBar } from './parts/connection-bar.tsx';
import { EventsPage } from './pages/events.tsx';
import { OrderPage } from './pages/order.tsx';
import { PortfolioPage } from './pages/portfolio.tsx';
import { ReportPage } from './pages/report.tsx';
import { StrategiesPage } from './pages/strategies.tsx';
import { TicketPage } from './pages/ticket.tsx';
import { Today } from './pages/today.tsx';
import { TriggerPage } from './pages/trigger.tsx';
import { type PagePath, PAGES, placeAt, titleOf } from './pure/places.ts';
import { createStore, type Store } from './store.ts';
import { DialogContext, StoreContext, usePage, usePlace } from './use-store.ts';

export interface ShellProps {
  readonly token: string;
  /** The browser is signed out; `reason` where the person did not ask for it. */
  readonly onEnd: (reason: string | null) => void;
}

/** The frame of all pages of a browser that is signed in. */
export function Shell({ token, onEnd }: ShellProps) {
  const [store, setStore] = useState<Store | null>(null);
  useEffect(() => {
    const made = createStore(token, onEnd);
    setStore(made);
    return () => made.stop();
  }, [token]);
  const [dialog, setDialog] = useState<VNode | null>(null);
  if (store === null) return null;
  return (
    <StoreContext.Provider value={store}>
      <Header client={store.client} onEnd={onEnd} />
      <DialogContext.Provider value={setDialog}>
        <main id="main" tabIndex={-1}>
          <ConnectionBar />
          <Page />
        </main>
        {dialog}
      </DialogContext.Provider>
    </StoreContext.Provider>
  );
}

const SHOWN: Readonly<Record<PagePath, () => VNode>> = {
  ...{ '/': Today, '/ticket': TicketPage, '/portfolio': PortfolioPage },
  ...{ '/strategies': StrategiesPage, '/report': ReportPage, '/events': EventsPage },
};

function Header({ client, onEnd }: { readonly client: Client } & Pick<ShellProps, 'onEnd'>) {
  const { overview, who } = usePage();
  const place = usePlace();
  const mode = overview?.account?.mode ?? null;
  // Before the page is painted: the title and the heading are of one page.
  useLayoutEffect(() => {
    document.title = titleOf(place, mode);
  }, [place, mode]);
  return (
    <header class={`bar ${mode ?? 'none'}`}>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the page
      </a>
      <strong class="band">
        {mode === null ? 'NO ORDERS' : mode === 'live' ? 'LIVE: real money' : 'PAPER'}
      </strong>
      <nav aria-label="Pages">
        {PAGES.map(([path, name]) => (
          <a key={path} href={`#${path}`} {...(place === path ? { 'aria-current': 'page' } : {})}>
            {name}
          </a>
        ))}
      </nav>
      <span class="grow" />
      {who === null ? null : (
        <span class="quiet">
          {who.name} ({who.scope})
        </span>
      )}
      <button type="button" onClick={() => void signOut(client, onEnd)}>
        Sign out
      </button>
    </header>
  );
}

/** The fragment of the address is the page's. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/**
 * A page that was gone to begins at its top, and has the focus, so that a keyboard and a screen reader are there too. One that was gone
 * back to keeps the place that the browser gives it: an entry of the history that was shown before is marked.
 */
function useArrival(place: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const isNew = history.state === null;
    if (isNew) history.replaceState({ isShown: true }, '');
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (isNew) scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [place]);
}

function Page() {
  const address = usePlace();
  useArrival(address);
  const place = placeAt(address);
  if (place === null) {
    return (
      <p class="notice warn">
        There is no page at this address. <a href="#/">Go to Today</a>
      </p>
    );
  }
  if (place.is === 'order') return <OrderPage key={place.id} id={place.id} />;
  if (place.is === 'trigger') return <TriggerPage key={place.id} id={place.id} />;
  const Shown = SHOWN[place.path];
  return <Shown />;
}

async function signOut(client: Client, onEnd: ShellProps['onEnd']): Promise<void> {
  try {
    await client.signOut();
    onEnd(null);
  } catch {
    onEnd(
      'This page forgot its sign-in, but the gateway did not answer: it ends by itself within a week.',
    );
  }
}
