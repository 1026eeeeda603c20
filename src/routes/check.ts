import type { Request } from 'express';
import type { z } from 'zod';
import { GatewayProblem } from '../domain/problem.ts';

const MOST_ERRORS = 20;
const LONGEST_MESSAGE = 200;

export type Section = 'path' | 'query' | 'header' | 'body';

/**
 * Checks one part of a request. The problem names every wrong field and quotes no value, because a
 * value in the wrong field may be a secret.
 */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  section: Section,
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, MOST_ERRORS).map((issue) => ({
    path: [section, ...issue.path.map(String)].join('.'),
    message: issue.message.slice(0, LONGEST_MESSAGE),
  }));
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new GatewayProblem({ code: 'invalid_request', detail, errors });
}

/** The headers that a route declares, by its own spelling; others are ignored. */
export function declaredHeaders(schema: z.ZodObject, request: Request): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const [value, second] = request.headersDistinct[name.toLowerCase()] ?? [];
    if (second !== undefined) {
      const detail = `header.${name}: is sent more than once; send it once`;
      throw new GatewayProblem({ code: 'invalid_request', detail });
    }
    if (value !== undefined) values[name] = value;
  }
  return values;
}
