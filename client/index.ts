import { type Client, clientFor, type ClientOptions } from './client.ts';
import { operationTable } from './generated/operation-table.ts';

/**
 * A client of one gateway, with a call for each operation of its OpenAPI document: docs/client.md.
 *
 * Throws a TypeError where `baseUrl` or `key` cannot be those of a gateway.
 */
export function createClient(options: ClientOptions): Client {
  return clientFor(operationTable, options);
}

export type { Client, ClientOptions } from './client.ts';
export { NoAnswerError, type NoAnswerReason, ProblemError } from './errors.ts';
export { newKey, type Runtime } from './runtime.ts';
export type {
  EventsInput,
  PriceMode,
  PricesInput,
  PriceUpdate,
  StreamedEvent,
  StreamedPrice,
  Streams,
} from './streams.ts';
export type {
  Answer,
  AnswerFacts,
  Call,
  CallInput,
  CallOptions,
  OperationName,
  PagedName,
  PageInput,
  PageItem,
  Problem,
  Schemas,
} from './types.ts';
