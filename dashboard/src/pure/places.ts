/** The pages that the bar names, by the part of the address after `#`. */
export const PAGES = [
  ['/', 'Today'],
  ['/ticket', 'Ticket'],
  ['/portfolio', 'Portfolio'],
  ['/strategies', 'Strategies'],
  ['/report', 'Report'],
  ['/events', 'Events'],
] as const;
export type PagePath = (typeof PAGES)[number][0];

export type Place =
  | { readonly is: 'page'; readonly path: PagePath }
  | { readonly is: 'order'; readonly id: string }
  | { readonly is: 'trigger'; readonly id: string };

/** What is at a place, such as `/order/ord_…`; null where there is no page. */
export function placeAt(place: string): Place | null {
  const [, is, id] = /^\/(order|trigger)\/(.+)$/.exec(place) ?? [];
  if (id !== undefined) {
    const decoded = decodedOf(id);
    return decoded === null ? null : { is: is as 'order' | 'trigger', id: decoded };
  }
  const page = PAGES.find(([path]) => path === place);
  return page === undefined ? null : { is: 'page', path: page[0] };
}

/** Null for a text that is no part of an address, such as `%`. */
function decodedOf(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const OF_GATEWAY = ' – altbroker-gateway';
export const SIGNED_OUT_TITLE = `Sign in${OF_GATEWAY}`;

/** The title of a place: which page it is, and whose money it is about. `mode` is null while no order passes. */
export function titleOf(place: string, mode: 'live' | 'paper' | null): string {
  const at = placeAt(place);
  const named = { order: 'Order', trigger: 'Trigger' };
  const name =
    at?.is === 'page' ? PAGES.find(([path]) => path === at.path)?.[1] : at && named[at.is];
  return `${name ?? 'No page'}${mode === null ? '' : `, ${mode.toUpperCase()}`}${OF_GATEWAY}`;
}

export const orderPlace = (id: string): string => `/order/${encodeURIComponent(id)}`;
export const triggerPlace = (id: string): string => `/trigger/${encodeURIComponent(id)}`;
