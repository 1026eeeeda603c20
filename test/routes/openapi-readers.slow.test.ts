import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEM_CODES } from '../../src/domain/problem.ts';
import { TAGS } from '../../src/routes/document-parts.ts';
import { createDocumentSchemas } from '../support/document-schemas.ts';
import { gatewayDocument } from '../support/gateway-document.ts';
import { operationsOf, type Operation } from '../support/document-operations.ts';

// What programs of other people read: a linter, a maker of types, and what both do not look at.

let document: object;
let operations: readonly Operation[];
beforeAll(async () => {
  document = await gatewayDocument();
  operations = operationsOf(document);
});

/** Every schema of the document with its place, those within schemas too. */
function schemasOf(node: unknown, place: string): (readonly [string, Record<string, unknown>])[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = Object.entries(node);
  const below = own.flatMap(([name, child]) =>
    name === 'example' || name === 'examples' ? [] : schemasOf(child, `${place}/${name}`),
  );
  // Beside a reference there may be keywords as well.
  return ['type', 'enum', '$ref'].some((keyword) => keyword in node)
    ? [[place, { ...node }], ...below]
    : below;
}

describe('the document is accepted', () => {
  it('by a linter with every rule that it recommends', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const source = JSON.stringify(document);
    const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    const told = found.map(({ ruleId, message, location }) => [
      ...[ruleId, location[0]?.pointer, message],
    ]);
    expect(told).toEqual([]);
  });

  it('by a maker of types, whose unions know which prices an order takes', async () => {
    const types = astToString(await openapiTypes(JSON.stringify(document)));
    expect(types).toContain('placeOrder: {');
    expect(types).toMatch(/orderType: "LIMIT";\s+price: number;\s+triggerPrice\?: null;/);
    expect(types).not.toContain('unknown &');
  });
});

describe('a pattern', () => {
  /** Classes of letters, anchors, groups, choices and counts: every engine reads these alike. */
  const PORTABLE = /^\^(?:[^\\]|\\x[0-9a-f]{2}|\\[.\-/])*\$$/;
  const ODD = /\(\?(?!:)|\\[pPdDwWsSbBkKu]|\[\[|&&|--/;

  it('means the same in every language', () => {
    const patterns = schemasOf(document, '').flatMap(([place, { pattern }]) =>
      typeof pattern === 'string' ? [[place, pattern] as const] : [],
    );
    expect(patterns.length).toBeGreaterThan(20);
    const odd = patterns.filter(([, each]) => !PORTABLE.test(each) || ODD.test(each));
    expect(odd).toEqual([]);
  });

  it('is not written beside the format of a day or an instant', () => {
    const both = schemasOf(document, '').filter(
      ([, { format, pattern, $ref }]) => pattern && (format || String($ref).endsWith('/Time')),
    );
    expect(both).toEqual([]);
  });
});

describe('each operation', () => {
  it('has a name that a program can use, a tag, and words', () => {
    const wrong = operations.filter(
      ({ operation }) =>
        !/^[a-z]+([A-Z][a-z]+)*$/.test(operation.operationId ?? '') ||
        operation.tags?.length !== 1 ||
        !Object.keys(TAGS).includes(operation.tags[0] ?? '') ||
        !operation.summary ||
        !operation.description,
    );
    expect(wrong).toEqual([]);
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(used).toEqual(new Set(Object.keys(TAGS)));
  });

  it('says of each parameter what it is', () => {
    const bare = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter((each) => !each.description)
        .map((each) => `${name}: ${each.in} ${each.name}`),
    );
    expect(bare, 'parameters without a description: give their schemas one').toEqual([]);
  });

  it('has an example of each parameter, request and reply, which its schema accepts', () => {
    const schemas = createDocumentSchemas(document);
    const wrong = operations.flatMap(({ name, media }) =>
      media.flatMap(({ where, schema, values }) => {
        if (values.length === 0) return [`${name} ${where}: no example`];
        const validate = schemas.compile(schema);
        return values.flatMap((value) =>
          validate(value) ? [] : [`${name} ${where}: ${validate.told()}`],
        );
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('names each problem once, under the status that it is answered with', () => {
    const wrong = operations.flatMap(({ name, problems }) =>
      problems.flatMap(({ status, codes, examples }) => {
        const others = examples.filter((each) => each.status !== Number(status));
        const repeated = codes.filter((code, index) => codes.indexOf(code) !== index);
        return [...others, ...repeated].map((each) => [name, status, each]);
      }),
    );
    expect(wrong).toEqual([]);
    const named = new Set(operations.flatMap(({ problems }) => problems.flatMap((p) => p.codes)));
    // `stale_signal` is of the listener of hooks alone (docs/signals.md).
    const ofNoOperation = ['not_found', 'method_not_allowed', 'stale_signal'];
    expect(PROBLEM_CODES.filter((code) => !named.has(code))).toEqual(ofNoOperation);
  });

  it('that needs a key may answer 401, and each one 400, 421 and 500', () => {
    const lacking = operations.filter(({ operation, problems }) => {
      const keyed = operation.security?.length !== 0;
      const statuses = problems.map(({ status }) => status);
      return ['400', '421', '500', ...(keyed ? ['401', '429'] : [])].some(
        (status) => !statuses.includes(status),
      );
    });
    expect(lacking.map(({ name }) => name)).toEqual([]);
  });
});
