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
  if (id !== undefined) return { is: is as 'order' | 'trigger', id: decodeURIComponent(id) };
  const page = PAGES.find(([path]) => path === place);
  return page === undefined ? null : { is: 'page', path: page[0] };
}

export const orderPlace = (id: string): string => `/order/${encodeURIComponent(id)}`;
export const triggerPlace = (id: string): string => `/trigger/${encodeURIComponent(id)}`;
