import type { z } from 'zod';
import { GatewayProblem } from '../domain/problem.ts';

const MOST_ERRORS = 20;
/**
 * With the first error of each further element of a list, so that every wrong order of a basket is told of.
 */
const MOST_WITH_ELEMENTS = 70;
const LONGEST_MESSAGE = 200;

/**
 * `arguments`: of a tool that an assistant calls (docs/assistants.md). `message`: of a stream (docs/streaming.md).
 */
export type Section = 'path' | 'query' | 'header' | 'body' | 'arguments' | 'message';

/**
 * Checks one part of a request. The problem names every wrong field and quotes no value, because a
 * value in the wrong field may be a secret.
 */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  section: Section,
): z.output<T> {
  const result = schema.safeParse(value, { error: wordsOf, reportInput: true });
  if (result.success) return result.data;
  const errors = shownOf(result.error.issues).map((issue) => ({
    path: [section, ...issue.path.map(String)].join('.'),
    message: messageOf(issue).slice(0, LONGEST_MESSAGE),
  }));
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new GatewayProblem({ code: 'invalid_request', detail, errors });
}

function shownOf<T extends { readonly path: readonly PropertyKey[] }>(issues: readonly T[]): T[] {
  const elements = new Set<string>();
  const shown = issues.filter(({ path }, index) => {
    const before = elements.size;
    elements.add(path.slice(0, 2).map(String).join('.'));
    return index < MOST_ERRORS || elements.size > before;
  });
  return shown.slice(0, MOST_WITH_ELEMENTS);
}

/** A field that is missing is always told in the same words, whatever its schema says of other values. */
function messageOf({ code, input, message }: z.core.$ZodIssue): string {
  const isAbsent = input === undefined && (code === 'invalid_type' || code === 'invalid_value');
  return isAbsent && !message.startsWith(REQUIRED) ? REQUIRED : message;
}

const REQUIRED = 'is required';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The words for what a schema has none of its own for; no value is quoted. */
function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `takes ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `takes ${issue.values.map(String).join(', ')}`.replace(/, (?=[^,]*$)/, ' or ');
    case 'unrecognized_keys':
      return `has ${issue.keys.join(', ')}, which is not known here: correct the name, or leave it out`;
    default:
      return undefined;
  }
}
