/** One operation of the OpenAPI document, as far as sending it needs to know it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/api/v1/orders/{id}` */
  readonly path: string;
  readonly query: readonly string[];
  /**
   * Where the request has its idempotency key: the header, or in the body an own one for each order of a basket.
   * Null: the operation takes none.
   */
  readonly keyIn: 'header' | 'body' | null;
  /** Whether the second time does no more than the first: reads, and the deletion of what is deleted. */
  readonly repeatable: boolean;
  /** Whether it changes nothing. */
  readonly reads: boolean;
  readonly answers: 'json' | 'text';
}
