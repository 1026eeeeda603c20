import type { AnyInput } from './request.ts';

/** An answer that is one page of a list. */
interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly nextCursor: string | null };
}

/** Each page of a list, from the first one; the call of the next page is made when it is asked for. */
export async function* pagesOf(
  name: string,
  call: (input: AnyInput) => Promise<unknown>,
  input: AnyInput,
): AsyncGenerator<Page, void, undefined> {
  for (let cursor: string | null = null; ;) {
    const page = await call(cursor === null ? input : { ...input, cursor });
    if (!isPage(page)) throw new TypeError(`${name} does not answer pages`);
    yield page;
    const next: string | null = page.meta.nextCursor;
    if (next === null) return;
    if (next === cursor) throw new Error(`${name}: a page names itself as the next one`);
    cursor = next;
  }
}

function isPage(value: unknown): value is Page {
  if (typeof value !== 'object' || value === null) return false;
  if (!('data' in value) || !Array.isArray(value.data)) return false;
  if (!('meta' in value) || typeof value.meta !== 'object' || value.meta === null) return false;
  return 'nextCursor' in value.meta;
}
