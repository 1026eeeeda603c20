import { expectTypeOf, it } from 'vitest';
import type { RowAsRead } from '../../../src/execution/journal/row-schemas.ts';
import type { TableName, Tables } from '../../../src/execution/journal/records.ts';

type Leaf = string | number | bigint | boolean | null | undefined;

/** With every optional field required: those of a record have to be in its schema as well, or a restart forgets them. */
type Whole<T> = T extends Leaf
  ? T
  : T extends readonly (infer Each)[]
    ? readonly Whole<Each>[]
    : { readonly [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> };

/**
 * The states of orders and attempts are unions, whose fields one schema reads for all members; portfolios have fields of
 * any name. Of the unread rows of a closing only what is shown of them is kept.
 */
type Name = Exclude<TableName, 'orders' | 'attempts' | 'portfolios' | 'closings'>;
type Forgetful = {
  readonly [Each in Name]: Whole<RowAsRead<Each>> extends Whole<Tables[Each]> ? never : Each;
}[Name];

it('has every field of every record in its schema (checked by npm run types)', () => {
  expectTypeOf<Forgetful>().toBeNever();
});
