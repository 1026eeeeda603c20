import type { components, operations } from './generated/operations.ts';
import type { OperationTable } from './generated/operation-table.ts';

/** The operationId of each call that the client has. */
export type OperationName = keyof OperationTable & keyof operations;

export type Schemas = components['schemas'];
export type ProblemOrder = Schemas['Order'];
/** The body of an answer of 400 or above; some codes have further members. */
export type Problem = Schemas['Problem'] & {
  readonly order?: ProblemOrder;
  readonly [member: string]: unknown;
};

type Parameters<Name extends OperationName> = operations[Name]['parameters'];
/** The members of an optional group of parameters; none where the operation has no such group. */
type Group<Found> = [NonNullable<Found>] extends [never] ? object : NonNullable<Found>;
type PathParameters<Name extends OperationName> = Group<Parameters<Name>['path']>;
type QueryParameters<Name extends OperationName> = Group<Parameters<Name>['query']>;
type HeaderParameters<Name extends OperationName> = Group<Parameters<Name>['header']>;

type JsonOf<Holder> = Holder extends {
  readonly content: { readonly 'application/json': infer Json };
}
  ? Json
  : never;
type RequestBody<Name extends OperationName> = operations[Name] extends {
  readonly requestBody: infer Required;
}
  ? { readonly body: JsonOf<Required> }
  : operations[Name] extends { readonly requestBody?: infer Optional }
    ? [JsonOf<NonNullable<Optional>>] extends [never]
      ? object
      : { readonly body?: JsonOf<NonNullable<Optional>> }
    : object;

type KeyOf<Name extends OperationName> = 'Idempotency-Key' extends keyof HeaderParameters<Name>
  ? {
      /**
       * The idempotency key, 1 to 64 printable characters. Without one the client makes one for this call and
       * keeps it over its own attempts. Give your own where your program has to find the request after a crash.
       */
      readonly key?: string;
      /**
       * Whether no request has had `key` before, as where your program has just made it. Then an answer that leaves open what
       * an earlier request did is about none.
       */
      readonly keyIsNew?: boolean;
    }
  : object;

export interface CallOptions {
  /** Ends the call: no further attempt. What was sent already may still happen. */
  readonly signal?: AbortSignal;
  /** Milliseconds for one attempt; that of the client when absent. */
  readonly timeoutMs?: number;
  /** Milliseconds after which no further attempt begins; that of the client when absent. 0: one attempt. */
  readonly patienceMs?: number;
}

/** What a call takes: the parameters of path and query by their names, `body`, `key`, and the options. */
export type CallInput<Name extends OperationName> = PathParameters<Name> &
  QueryParameters<Name> &
  RequestBody<Name> &
  KeyOf<Name> &
  CallOptions;

/** What each answer tells beside its body. */
export interface AnswerFacts {
  /** For the gateway's log. */
  readonly requestId: string | null;
  /** The idempotency key of the request; null for a request without one. */
  readonly key: string | null;
  /** Whether this answers a request that was already made under the key, by an earlier attempt or call. */
  readonly replayed: boolean;
}

type SuccessStatus = 200 | 201 | 202;
type Content<Response> = Response extends { readonly content: infer Media }
  ? Media extends { readonly 'application/json': infer Json }
    ? Json
    : Media extends { readonly 'text/plain': infer Text }
      ? Text
      : never
  : never;
type Unwrapped<Body> = Body extends { readonly status: 'success'; readonly data: unknown }
  ? Omit<Body, 'status'>
  : { readonly data: Body };

/** `data` and the other members of the answer (`meta`, `errors`), with its status. */
export type Answer<Name extends OperationName> = {
  [Status in SuccessStatus & keyof operations[Name]['responses']]: Unwrapped<
    Content<operations[Name]['responses'][Status]>
  > & { readonly httpStatus: Status };
}[SuccessStatus & keyof operations[Name]['responses']] &
  AnswerFacts;

export type Call<Name extends OperationName> =
  object extends CallInput<Name>
    ? (input?: CallInput<Name>) => Promise<Answer<Name>>
    : (input: CallInput<Name>) => Promise<Answer<Name>>;

/** A call for each operation, by its operationId. */
export type Calls = { readonly [Name in OperationName]: Call<Name> };

/** The operations whose answers are pages: they take a `cursor` and answer `meta.nextCursor`. */
export type PagedName = {
  [Name in OperationName]: 'cursor' extends keyof QueryParameters<Name>
    ? Answer<Name> extends {
        readonly data: readonly unknown[];
        readonly meta: { readonly nextCursor: string | null };
      }
      ? Name
      : never
    : never;
}[OperationName];
export type PageInput<Name extends PagedName> = Omit<CallInput<Name>, 'cursor'>;
export type PageItem<Name extends PagedName> =
  Answer<Name> extends { readonly data: readonly (infer Item)[] } ? Item : never;
