import type { Advise } from './advice.ts';

/**
 * What a tool does to the world, for the client that decides whether to ask the person first. A hint that
 * is wrong misleads it, so each is stated for each tool.
 */
export interface ToolHints {
  /** It changes nothing. */
  readonly readOnlyHint: boolean;
  /** It may place, change or end something that cannot be taken back. */
  readonly destructiveHint: boolean;
  /** The same call, repeated on the same day, changes nothing further (docs/assistants.md, "Repeated calls"). */
  readonly idempotentHint: boolean;
  /** It asks a broker, or sends something to one. */
  readonly openWorldHint: boolean;
}

/** A tool is a route of the HTTP interface under a name that an assistant can choose by. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  /** For the assistant: what it gets, and what it has to know before it calls. */
  readonly description: string;
  /** Method and path, such as `GET /api/v1/quotes`. */
  readonly route: string;
  readonly hints: ToolHints;
  /** Inputs of the route that the tool does not take. */
  readonly without?: readonly string[];
  /** Inputs of the body that are the same in every call. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Inputs that the route takes as a text with commas, and the tool as a list. */
  readonly lists?: readonly string[];
  /** Descriptions in place of those of the route. */
  readonly describe?: Readonly<Record<string, string>>;
  /** What the arguments of a call mean, if a repeat of them must do nothing (`derived-key.ts`). */
  readonly repeats?: 'order' | 'trigger' | 'exit';
  /** For tools that change something: what the assistant is told about the answer. */
  readonly advise?: Advise;
  /** Adds the address of the login page to the answer. */
  readonly withLoginUrl?: true;
}
