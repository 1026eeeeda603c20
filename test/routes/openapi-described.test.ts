import { describe, expect, it } from 'vitest';
import { ORDER_TYPES, PRODUCTS, SIDES, VALIDITIES } from '../../src/domain/order.ts';
import { isObject, type Parameter } from '../support/document-operations.ts';
import { gatewayDocument } from '../support/gateway-document.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Schema>>;
  };
}

const document = (await gatewayDocument()) as unknown as Described;

function partOf(reference: string): Schema {
  const names = reference.slice('#/'.length).split('/');
  return names.reduce((node, name) => node[name] as Record<string, unknown>, {
    ...document,
  } as Record<string, unknown>);
}

const SAID_BY_NAME = new Set(['the', 'a', 'an', 'of', 'its', 'it', 'is', 'this', 'in', 'as', 'to']);

/** Whether a description says what the name says, and nothing else: `The price of it` of `price`. */
export function repeatsName(name: string, description: string): boolean {
  const inName = new Set(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
  const words = description.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.every((word) => inName.has(word) || SAID_BY_NAME.has(word));
}

/** Fields that a part of a schema only restricts are described by another part of the same schema. */
function describedIn(schema: Schema): readonly string[] {
  const own = Object.entries(schema.properties ?? {});
  const named = own.filter(([, each]) => each.description !== undefined).map(([name]) => name);
  const referred = schema.$ref === undefined ? [] : describedIn(partOf(schema.$ref));
  const { allOf = [] } = schema as { readonly allOf?: readonly Schema[] };
  return [...named, ...referred, ...allOf.flatMap((each) => describedIn(each))];
}

/** Every property without a description, or with one that repeats its name. */
function lacking(node: unknown, where: string, described: readonly string[] = []): string[] {
  if (!isObject(node)) return [];
  if (Array.isArray(node)) {
    return node.flatMap((each, index) => lacking(each, `${where}[${index}]`, described));
  }
  const schema = node as Schema;
  const here = [...described, ...describedIn(schema)];
  const isRestricted = (name: string, value: unknown): boolean =>
    described.includes(name) && isObject(value) && !('description' in value);
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (['example', 'examples', 'headers', 'parameters', 'securitySchemes'].includes(key))
      return [];
    if (key === 'allOf' || key === 'anyOf' || key === 'oneOf') {
      return lacking(value, `${where}.${key}`, here);
    }
    if (key !== 'properties' || !isObject(value)) return lacking(value, `${where}.${key}`);
    return Object.entries(value).flatMap(([name, property]: [string, Schema]) => {
      const path = `${where}.${name}`;
      const { description = '' } = property;
      const isSaid = isRestricted(name, property) || !repeatsName(name, description);
      return [...(isSaid ? [] : [`${path}: ${description}`]), ...lacking(property, path)];
    });
  });
}

describe('the OpenAPI document describes', () => {
  it('every property of every component, request and answer, and not by its name alone', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.length).toBeGreaterThan(80);
    expect(lacking(document.components, 'components')).toEqual([]);
    expect(lacking(document.paths, 'paths')).toEqual([]);
  });

  it('every parameter, and every header of an answer', () => {
    const parameters = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).flatMap(({ parameters: given = [] }) =>
        given.map((each) => [path, each] as const),
      ),
    );
    expect(parameters.length).toBeGreaterThan(100);
    const bare = parameters.filter(([, { name, description = '' }]) =>
      repeatsName(name, description),
    );
    expect(bare.map(([path, { name }]) => `${path} ${name}`)).toEqual([]);
    const headers = Object.entries(document.components.headers);
    expect(
      headers.filter(([name, { description = '' }]) => repeatsName(name, description)),
    ).toEqual([]);
    // Answers refer to those, and have no others.
    const inPlace = [
      ...JSON.stringify(document).matchAll(/"headers":(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/g),
    ]
      .flatMap(([, text = '{}']) => Object.values<Schema>(JSON.parse(text)))
      .filter(({ $ref, description }) => $ref === undefined && description === undefined);
    expect(inPlace).toEqual([]);
  });

  it('each word that the gateway knows of a field that stays open', () => {
    const { Order, Trade, Trigger, ContractNoteOrder } = document.components.schemas;
    const known = { side: SIDES, orderType: ORDER_TYPES, product: PRODUCTS, validity: VALIDITIES };
    for (const schema of [Order, Trade, Trigger?.properties?.['legs']?.items, ContractNoteOrder]) {
      for (const [name, words] of Object.entries(known)) {
        const property = schema?.properties?.[name];
        if (property === undefined) continue;
        for (const word of words) expect(property.description).toContain(word);
      }
    }
    // Open: a row of the broker may have a word of its own.
    expect(Order?.properties?.['product']).not.toHaveProperty('enum');
    expect(Order?.properties?.['orderType']?.description).toContain("the broker's own word");
  });

  it('a part by reference with a description alone beside it, so that later fields are not excluded', () => {
    const beside = new Set<string>();
    const look = (node: unknown): void => {
      if (!isObject(node)) return;
      if ('$ref' in node) for (const key of Object.keys(node)) beside.add(key);
      for (const part of Object.values(node)) look(part);
    };
    look(document);
    expect([...beside].toSorted()).toEqual(['$ref', 'description']);
  });

  it.each([
    ['price', 'The price', true],
    ['lastPrice', 'Its last price', true],
    ['lastPrice', 'The price of the last trade, in rupees', false],
    ['id', '', true],
    ['id', 'The id of the key', false],
  ])('%s as %j by its name alone: %s', (name, description, expected) => {
    expect(repeatsName(name, description)).toBe(expected);
  });
});
