import { z } from 'zod';

/**
 * The filter of a list by the states of its entries, as `working,uncertain`: each entry that has one of them. `open`
 * stands for all that an entry has while it is not over. The filter applies to the state that an entry has when the
 * page is made; an entry's place in the list does not follow from its state, so a cursor holds with any filter.
 */
export function statusFilter<Status extends string>(
  entries: string,
  all: readonly Status[],
  isOpen: (status: Status) => boolean,
) {
  const names: readonly string[] = [...all, 'open'];
  const takes = `takes one or more of ${names.join(', ')}, separated by commas`;
  const one = `(${names.join('|')})`;
  return z
    .string()
    .refine((text) => text.split(',').every((each) => names.includes(each)), takes)
    .transform((text) => {
      const named = new Set(text.split(','));
      return all.filter((status) => named.has(status) || (named.has('open') && isOpen(status)));
    })
    .meta({
      description:
        `${entries} with any of these statuses, separated by commas: ${all.join(', ')}. ` +
        '`open`: all that are not over',
      example: 'open',
      override: { type: 'string', pattern: `^${one}(,${one})*$` },
    });
}

/** Whether an entry is one of those that the filter asks for; without a filter, each is. */
export const isAskedFor = <Status extends string>(
  asked: readonly Status[] | undefined,
  { status }: { readonly status: Status },
): boolean => asked?.includes(status) ?? true;
