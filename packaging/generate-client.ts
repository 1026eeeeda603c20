import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { gatewayDocument } from '../test/support/gateway-document.ts';
import { operationTableOf } from './operation-table.ts';

/*
 * Writes the parts of the client that follow from the OpenAPI document into client/generated, which git ignores: so
 * they are never older than the routes.
 */

const GENERATED = join(import.meta.dirname, '../client/generated');
const HEAD = '// Made from the OpenAPI document by packaging/generate-client.ts.\n\n';

/** The document without the examples of whole bodies, which would be three quarters of the types' comments. */
function withoutExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExamples);
  if (typeof node !== 'object' || node === null) return node;
  const isMedia = 'schema' in node && !('name' in node);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !(isMedia && (name === 'example' || name === 'examples')))
      .map(([name, child]) => [name, withoutExamples(child)]),
  );
}

/** The configuration names the brokers, and may name more than those of the usual settings: any name is one. */
function withAnyBroker(schemas: object): object {
  const { BrokerName, ...others } = { BrokerName: null as unknown, ...schemas };
  if (typeof BrokerName !== 'object' || BrokerName === null || !('enum' in BrokerName)) {
    throw new Error('the document lists no names of brokers: give the types of the client theirs');
  }
  const description = 'A broker of the settings: `alt`, `primary`, `paper`, or another name';
  return { ...others, BrokerName: { type: 'string', description } };
}

const document = await gatewayDocument();
const { components } = document;
const typed = {
  ...document,
  components: { ...components, schemas: withAnyBroker(components?.schemas ?? {}) },
};
const types = astToString(await openapiTypes(JSON.stringify(withoutExamples(typed))));
const table = JSON.stringify(operationTableOf(document), null, 2);
mkdirSync(GENERATED, { recursive: true });
writeFileSync(join(GENERATED, 'operations.ts'), `${HEAD}${types}`);
writeFileSync(
  join(GENERATED, 'operation-table.ts'),
  `${HEAD}import type { Operation } from '../operation.ts';\n\n` +
    `export const operationTable = ${table} as const satisfies Readonly<Record<string, Operation>>;\n` +
    'export type OperationTable = typeof operationTable;\n',
);
