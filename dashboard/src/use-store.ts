import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PageState } from './pure/state.ts';
import type { Store } from './store.ts';

export const StoreContext = createContext<Store | null>(null);

/** Shows a dialog above the page; null closes it. A dialog outlives the row that it was opened from. */
export const DialogContext = createContext<(dialog: VNode | null) => void>(() => undefined);

export const useDialog = (): ((dialog: VNode | null) => void) => useContext(DialogContext);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('a page is shown inside the shell');
  return store;
}

/** What the gateway told last; the element is drawn again with each change. */
export function usePage(): PageState {
  const store = useStore();
  const [state, setState] = useState(store.state());
  useEffect(() => store.subscribe(() => setState(store.state())), [store]);
  return state;
}

/** The part of the address after `#`: `/`, `/order/ord_…`. */
export function usePlace(): string {
  const placeNow = (): string => (location.hash.startsWith('#/') ? location.hash.slice(1) : '/');
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const look = (): void => setPlace(placeNow());
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return place;
}
