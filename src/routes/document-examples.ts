/**
 * Examples of parameters, requests and replies in the OpenAPI document. Each is put together from its
 * schema, so that a new route or field has one at once, and no example differs from the interface
 * (docs/decisions/0047). A schema whose values a name cannot tell has an `example` of its own.
 */

/** A value by the name of its field; for enums only where the enum has it. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  ...{
    id: 'ord_0193576c-2f00-7000-8000-000000000000',
    orderId: 'ord_0193576c-2f00-7000-8000-000000000000',
  },
  ...{ clientOrderId: 'my-first-order', 'Idempotency-Key': 'my-first-order' },
  ...{ brokerOrderId: '251123000000001' },
  ...{ exchangeOrderId: '1100000000000001', exitId: 'exit_0193576c-2f00-7000-8000-000000000000' },
  ...{ instrument: 'NSE:INFY', name: 'INFOSYS', exchange: 'NSE', tradingSymbol: 'INFY' },
  ...{ displayName: 'INFOSYS LTD', isin: 'INE009A01021', securityId: '1594', lotSize: 1 },
  ...{ underlying: 'NSE:NIFTY 50', expiry: '2026-11-24', year: '2026', userId: 'AB1234' },
  ...{ side: 'BUY', product: 'CNC', orderType: 'LIMIT', validity: 'DAY', variety: 'regular' },
  ...{ quantity: 10, filledQuantity: 10, remainingQuantity: 0, pendingQuantity: 0, net: 10 },
  ...{ cancelledQuantity: 0, price: 1500.5, lastPrice: 1500.5, averagePrice: 1500.5, open: 1490 },
  ...{ high: 1510, low: 1488, close: 1500.5, triggerPrice: 1495, strike: 24500, tickSize: 0.05 },
  ...{ mode: 'live', status: 'filled', brokerStatus: 'COMPLETE' },
  ...{
    ageMs: 120,
    seconds: 1,
    limit: 10,
    left: 9,
    count: 1,
    reason: 'Maintenance',
    scope: 'trade',
  },
  ...{ detail: 'What happened, for people', estimatedSeconds: 1, label: 'swing', tag: 'swing' },
  ...{ engaged: true, thrown: true, onDisk: true, ready: true, ended: true, persisted: true },
  ...{ endedAtBroker: true, available: true, accessToken: 'the-access-token', key: 'abg_secret' },
  ...{ mayHaveExecuted: false, retrySafe: true, day: '2026-11-24', rawStatus: 'active' },
  ...{ triggerId: '100001', boundBy: 'id', fillPriceSource: 'trades', multiplier: 1 },
  ...{ attempt: 1, legs: 1 },
};
const TIME = '2026-11-23T09:15:00.000+05:30';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface MediaType {
  readonly schema?: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, { value?: unknown }>>;
}

interface Operation {
  readonly parameters?: readonly (MediaType & {
    readonly name?: string;
    description?: string | undefined;
  })[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, MediaType>> };
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>
  >;
}

interface Document {
  readonly paths?: Readonly<Record<string, object>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/**
 * Writes the examples into the document, and beside each parameter what its schema says that it is.
 * Returns the document.
 */
export function addExamples<T extends object>(document: T): T {
  const { paths = {}, components }: Document = document;
  const schemas = components?.schemas ?? {};
  const compose = composer(schemas);
  for (const item of Object.values(paths)) {
    for (const operation of Object.values<Operation>({ ...item })) {
      for (const parameter of operation.parameters ?? []) {
        parameter.description ??= described(parameter.schema)?.description;
        illustrate(parameter, parameter.name);
      }
      const bodies = [operation.requestBody, ...Object.values(operation.responses ?? {})];
      for (const body of bodies) {
        for (const media of Object.values(body?.content ?? {})) illustrate(media);
      }
    }
  }
  return document;

  function described(schema: Schema | undefined): Schema | undefined {
    const name = schema?.$ref?.replace('#/components/schemas/', '');
    return name === undefined || schema?.description !== undefined ? schema : schemas[name];
  }

  function illustrate(media: MediaType, name = ''): void {
    if (media.examples !== undefined) {
      for (const each of Object.values(media.examples)) each.value = withMembers(each.value);
    } else if (media.schema !== undefined) media.example ??= compose(media.schema, name);
  }

  /** A schema in place of a value stands for its example (document-problems.ts). */
  function withMembers(value: unknown): unknown {
    const members = Object.entries({ ...Object(value) }).map(([name, member]) => [
      name,
      isSchema(member) ? compose(member, name) : member,
    ]);
    return Object.fromEntries(members);
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && ('$ref' in value || 'type' in value);
}

function composer(schemas: Readonly<Record<string, Schema>>) {
  return function compose(schema: Schema, name: string): unknown {
    if (schema.example !== undefined) return schema.example;
    if (schema.$ref !== undefined) {
      const target = schemas[schema.$ref.replace('#/components/schemas/', '')];
      return target === undefined ? null : compose(target, name);
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) {
      return schema.enum.includes(BY_NAME[name]) ? BY_NAME[name] : schema.enum[0];
    }
    const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
    if (choice !== undefined && schema.properties === undefined) return compose(choice, name);
    const parts = [schema, ...(schema.allOf ?? [])];
    if (parts.some((part) => part.properties ?? part.$ref)) return objectOf(parts, compose);
    return leafOf(schema, name, compose);
  };
}

type Compose = (schema: Schema, name: string) => unknown;

function objectOf(parts: readonly Schema[], compose: Compose): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const part of parts) {
    if (part.$ref !== undefined) Object.assign(value, compose(part, ''));
    for (const [name, each] of Object.entries(part.properties ?? {})) {
      value[name] = compose(each, name);
    }
  }
  return value;
}

function leafOf(schema: Schema, name: string, compose: Compose): unknown {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  switch (types.find((type) => type !== 'null')) {
    case 'array':
      return schema.items === undefined ? [] : [compose(schema.items, singular(name))];
    case 'object': {
      const further = schema.additionalProperties;
      return typeof further === 'object' ? { 'NSE:INFY': compose(further, name) } : {};
    }
    case 'boolean':
      return named(name, 'boolean') ?? false;
    case 'integer':
    case 'number':
      return named(name, 'number') ?? schema.minimum ?? 1;
    case 'string':
      if (schema.format === 'date-time') return TIME;
      if (schema.format === 'date') return '2026-11-24';
      return named(name, 'string') ?? 'text';
    default:
      return null;
  }
}

function named(name: string, type: string): unknown {
  const value = BY_NAME[name];
  return typeof value === type ? value : undefined;
}

/** `instruments` has an instrument in each place. */
function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name;
}
