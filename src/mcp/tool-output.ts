import { z } from 'zod';
import { once } from '../platform/values.ts';
import type { Route } from '../routes/define-route.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** What a tool that changes something says of its call, beside the answer of the route. */
export const callSchema = z.object({
  settled: z.boolean().meta({
    description: 'Whether the outcome is known. While it is false, nothing may be assumed',
  }),
  repeated: z.boolean().meta({
    description: 'True where this call repeats an earlier one, so that nothing was sent now',
  }),
  idempotencyKey: z.string().nullable().meta({
    description: 'The key that identifies the call: repeated under it, it does nothing twice',
  }),
  advice: z.string().meta({ description: 'What happened, and what to do next' }),
});
export type CallView = z.output<typeof callSchema>;

export interface ToolOutput {
  /** Made when it is first asked for. */
  readonly schema: () => JsonSchema;
}

const loginUrl = z.string().nullable().meta({
  description:
    'Where the person logs in, in a browser on the machine of the gateway; null without such a broker',
});

/** The schema of the route's answer, so that both interfaces answer the same. */
export function createToolOutput(definition: ToolDefinition, route: Route): ToolOutput {
  const [answer] = Object.entries(route.replies).flatMap(([status, { schema }]) =>
    status.startsWith('2') && schema instanceof z.ZodObject ? [schema] : [],
  );
  if (answer === undefined) throw new Error(`the route of ${definition.name} answers no object`);
  const more = {
    ...(definition.advise === undefined ? {} : { call: callSchema }),
    ...(definition.withLoginUrl ? { loginUrl } : {}),
  };
  return { schema: once(() => jsonSchemaOf(answer.extend(more), 'output')) };
}
