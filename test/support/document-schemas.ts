import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface DocumentSchemas {
  /** Whether a value is as a schema of the document says; `told` says what is not. */
  compile(schema: object): ((value: unknown) => boolean) & { readonly told: () => string };
}

/** The schemas of an OpenAPI document, to check values against. */
export function createDocumentSchemas(document: object): DocumentSchemas {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  // Many operations have the same response, and compiling is what takes the time.
  const compiled = new Map<string, ReturnType<DocumentSchemas['compile']>>();
  return {
    compile(schema) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
      const known = compiled.get(text);
      if (known !== undefined) return known;
      const validate = ajv.compile(JSON.parse(text));
      const check = Object.assign((value: unknown) => validate(value), {
        told: () => ajv.errorsText(validate.errors),
      });
      compiled.set(text, check);
      return check;
    },
  };
}
