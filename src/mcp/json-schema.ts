import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The JSON schema of a part of a route. Query parameters are texts there and numbers here, so what the
 * route states for its document (`meta.override`) holds. A part that is used under a name of its own is
 * written out in place, because some clients resolve no references.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made: unknown = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (isRecord(jsonSchema.override)) Object.assign(jsonSchema, jsonSchema.override);
      delete jsonSchema.override;
      // The format says it; the pattern of a time would be a third of the list of tools.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // Later versions may add fields to an answer, so the schema does not exclude further ones.
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  if (!isRecord(made)) throw new Error('a JSON schema is an object');
  const { $defs, ...root } = made;
  delete root.$schema;
  const whole = inPlace(root, isRecord($defs) ? $defs : {});
  return isRecord(whole) ? whole : {};
}

function inPlace(value: unknown, parts: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => inPlace(each, parts));
  if (!isRecord(value)) return value;
  const { $ref, ...own } = value;
  const named = typeof $ref === 'string' ? inPlace(parts[$ref.replace('#/$defs/', '')], parts) : {};
  const written = Object.entries(own).map(([name, each]) => [name, inPlace(each, parts)] as const);
  return { ...(isRecord(named) ? named : {}), ...Object.fromEntries(written) };
}
